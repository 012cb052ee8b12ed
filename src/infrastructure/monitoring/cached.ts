import { withinMs } from '../../application/shared/within-ms';

/** A scrape waits no longer than this for figures; it gets the former ones. */
const WAIT_MS = 2_000;

/** Figures that are read at most once in `maxAgeMs`, and only if someone asks for them. */
export class Cached<T> {
  private value: T | undefined;
  private readAt = -Infinity;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly maxAgeMs: number,
    private readonly read: () => Promise<T>,
  ) {}

  /** Undefined if they could not be read. Throws nothing. */
  async get(): Promise<T | undefined> {
    if (performance.now() - this.readAt >= this.maxAgeMs) {
      this.reading ??= this.refresh();
      await withinMs(WAIT_MS, this.reading).catch(() => undefined);
    }
    return this.value;
  }

  private async refresh(): Promise<void> {
    try {
      this.value = await this.read();
      this.readAt = performance.now();
    } catch {
      this.value = undefined;
    }
    this.reading = undefined;
  }
}
