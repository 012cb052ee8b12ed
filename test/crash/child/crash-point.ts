import { writeSync } from 'node:fs';

/** The points at which a process is killed: six in an operation, in order, and two around a change without a registry. */
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

/** `CRASH_AT=after the intent:3` kills the process when it reaches that step for the third time. */
const [armed, nth] = (process.env['CRASH_AT'] ?? '').split(':');
let count = 0;

/** Kills the process if CRASH_AT names this step, without running handlers or flushing buffers. */
export function crashAt(step: Step): void {
  if (step !== armed) return;
  count += 1;
  if (count < Number(nth)) return;
  writeSync(1, `died ${step}\n`);
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}
