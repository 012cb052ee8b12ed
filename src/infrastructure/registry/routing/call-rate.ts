const SECOND_MS = 1_000;
/** A call that is later than this delays those that follow. Below, a busy process keeps its rate. */
export const MAX_LATENESS_MS = 200;

/** Lets `perSecond` calls a second pass, in the order of arrival. */
export class CallRate {
  /** When each of the last `perSecond` calls was due, oldest first from `next`. */
  private readonly dueTimes: number[];
  private next = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(perSecond: number) {
    this.dueTimes = Array.from({ length: perSecond }, () => -Infinity);
  }

  /** Resolves when the call may be sent. One that is cancelled before it is next takes no turn of another. */
  turn(isCancelled = () => false): Promise<void> {
    return (this.last = this.last.then(() => this.wait(isCancelled)));
  }

  private async wait(isCancelled: () => boolean): Promise<void> {
    if (isCancelled()) return;
    const now = performance.now();
    const free = (this.dueTimes[this.next] ?? now) + SECOND_MS;
    const due = free < now - MAX_LATENESS_MS ? now : free;
    this.dueTimes[this.next] = due;
    this.next = (this.next + 1) % this.dueTimes.length;
    if (due > now) await new Promise((resolve) => setTimeout(resolve, due - now));
  }
}
