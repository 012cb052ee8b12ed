import { levelOf } from './level-of';
import { notify } from './observation';
import type { Log, LogFacts } from './ports/system/log';

/** Logs repeated work when it starts to fail and when it works again, but not each failure. */
export class Outage {
  private isFailing = false;

  constructor(
    private readonly log: Log,
    /** Subject of the log message: `reading due operations`. */
    private readonly work: string,
    private readonly facts: LogFacts = {},
  ) {}

  failed(error: unknown): void {
    if (this.isFailing) return;
    this.log[levelOf(error)]({ ...this.facts, err: error }, `${this.work} failed and is retried`);
    this.isFailing = true;
    this.report();
  }

  succeeded(): void {
    if (!this.isFailing) return;
    this.log.info(this.facts, `${this.work} works again`);
    this.isFailing = false;
    this.report();
  }

  private report(): void {
    notify(() => ({ kind: 'background work', work: this.work, isFailing: this.isFailing }));
  }
}
