import { setTimeout as sleep } from 'node:timers/promises';

/** 500 messages at once overflow a nameserver's UDP buffers; this many every `PACE_MS` do not. */
const BATCH_SIZE = 20;
const PACE_MS = 2;

/** Processes entries in their order, at a pace that a nameserver can follow, while `hasRoom`. */
export class PacedQueue<T> {
  private readonly entries: T[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private isDraining = false;

  constructor(
    private readonly process: (entry: T) => void,
    private readonly hasRoom: () => boolean,
  ) {}

  add(entry: T): void {
    this.entries.push(entry);
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
    this.entries.length = 0;
  }

  private async drain(): Promise<void> {
    this.isDraining = true;
    while (this.entries.length > 0) {
      if (this.hasRoom()) for (const entry of this.entries.splice(0, BATCH_SIZE)) this.process(entry);
      await sleep(PACE_MS);
    }
    this.isDraining = false;
  }
}
