import { levelOf } from './level-of';
import type { Log, LogFacts } from '../ports/system';

/** By work, how many instances of it fail at present. */
const failing = new Map<string, number>();

/** All background work of this process so far, and how much of it fails: one instance for each registry, for example. */
export function failingWork(): ReadonlyMap<string, number> {
  return failing;
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
    if (this.repetition === 'in the background') failing.set(this.work, (failing.get(this.work) ?? 0) + change);
  }
}
