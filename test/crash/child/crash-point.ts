import { writeSync } from 'node:fs';

/** The instants at which a process is killed: in the order in which an operation meets them, and around a change that is ours alone. */
export const STEPS = [
  'before the intent',
  'after the intent',
  'before the call',
  'after the effect',
  'before the commit',
  'after the commit',
  'before the change',
  'after the change',
] as const;
export type Step = (typeof STEPS)[number];

/** A process that is to die at the third arrival at a step has `CRASH_AT=after the intent:3`. */
const [armed, nth] = (process.env['CRASH_AT'] ?? '').split(':');
let arrivals = 0;

/** Where this is the instant, nothing follows: no handler runs, no buffer is flushed. */
export function reached(step: Step): void {
  if (step !== armed) return;
  arrivals += 1;
  if (arrivals < Number(nth)) return;
  writeSync(1, `died ${step}\n`);
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}
