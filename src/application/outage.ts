import { levelOf } from './level-of';
import type { Log, LogFacts } from './ports/system/log';

/** Tells of something that is tried again and again when it begins to fail and when it works again, and not each time. */
export class Outage {
  private lasts = false;

  constructor(
    private readonly log: Log,
    /** In the words of the log: `due operations`. */
    private readonly what: string,
    private readonly facts: LogFacts = {},
  ) {}

  failed(error: unknown): void {
    if (!this.lasts) this.log[levelOf(error)]({ ...this.facts, err: error }, `${this.what} cannot be had for now`);
    this.lasts = true;
  }

  succeeded(): void {
    if (this.lasts) this.log.info(this.facts, `${this.what} can be had again`);
    this.lasts = false;
  }
}
