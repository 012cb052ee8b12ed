import { setTimeout as sleep } from 'node:timers/promises';

/** 500 messages at once overflow a nameserver's UDP buffers; this many every `PACE_MS` do not. */
const BATCH_SIZE = 20;
const PACE_MS = 2;

/**
 * Processes entries in their order, at a pace that a nameserver can follow: urgent ones first, the others while `hasRoom`.
 * A comparison of zones can have thousands of queries waiting when a zone changes.
 */
export class PacedQueue<T> {
  private readonly urgent: T[] = [];
  private readonly entries: T[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private isDraining = false;

  constructor(
    private readonly process: (entry: T) => void,
    private readonly hasRoom: () => boolean,
  ) {}

  add(entry: T, { isUrgent = false } = {}): void {
    (isUrgent ? this.urgent : this.entries).push(entry);
    if (!this.isDraining) void this.drain();
  }

  addAfter(milliseconds: number, entry: T): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.add(entry);
    }, milliseconds);
    this.timers.add(timer);
  }

  clear(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.urgent.length = 0;
    this.entries.length = 0;
  }

  private async drain(): Promise<void> {
    this.isDraining = true;
    while (this.urgent.length + this.entries.length > 0) {
      for (const entry of this.nextBatch()) this.process(entry);
      await sleep(PACE_MS);
    }
    this.isDraining = false;
  }

  private nextBatch(): readonly T[] {
    if (this.urgent.length > 0) return this.urgent.splice(0, BATCH_SIZE);
    return this.hasRoom() ? this.entries.splice(0, BATCH_SIZE) : [];
  }
}
