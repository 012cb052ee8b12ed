import { levelOf } from './level-of';
import type { Log, LogFacts } from '../ports/system';

/** By the log of a service and by work, how many instances of it fail at present. */
const failingByLog = new WeakMap<Log, Map<string, number>>();

/** All background work of the service so far, and how much of it fails: one instance for each registry, for example. */
export function failingWork(log: Log): ReadonlyMap<string, number> {
  return countsOf(log);
}

function countsOf(log: Log): Map<string, number> {
  const counts = failingByLog.get(log) ?? new Map<string, number>();
  failingByLog.set(log, counts);
  return counts;
}

/** Logs repeated work when it starts to fail and when it works again, but not each failure. */
export class Outage {
  private isFailing = false;

  constructor(
    private readonly log: Log,
    /** Subject of the log message: `reading due operations`. */
    private readonly work: string,
    private readonly facts: LogFacts = {},
    /** Work on demand may never be repeated, so it does not count as failing. */
    private readonly repetition: 'in the background' | 'on demand' = 'in the background',
  ) {
    this.count(0);
  }

  recordFailure(error: unknown): void {
    if (this.isFailing) return;
    this.log[levelOf(error)]({ ...this.facts, err: error }, `${this.work} failed and is retried`);
    this.isFailing = true;
    this.count(1);
  }

  recordSuccess(): void {
    if (!this.isFailing) return;
    this.log.info(this.facts, `${this.work} works again`);
    this.end();
  }

  /** The work is no longer done, whether it would succeed or not. */
  end(): void {
    if (!this.isFailing) return;
    this.isFailing = false;
    this.count(-1);
  }

  private count(change: number): void {
    if (this.repetition !== 'in the background') return;
    const counts = countsOf(this.log);
    counts.set(this.work, (counts.get(this.work) ?? 0) + change);
  }
}
