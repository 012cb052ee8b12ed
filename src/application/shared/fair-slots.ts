interface Waiting {
  readonly owner: string;
  readonly start: () => void;
}

/**
 * Limits concurrent work, in total and per owner. A free slot goes to the owner with the fewest, then to the one whose last turn is
 * longest ago, and for one owner by arrival.
 */
export class FairSlots {
  private readonly taken = new Map<string, number>();
  private readonly waiting: Waiting[] = [];
  /** The last turn of each owner that has slots or waits for one. */
  private readonly lastTurns = new Map<string, number>();
  private turn = 0;

  constructor(
    private free: number,
    private readonly perOwner: number,
  ) {}

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.free > 0 && this.takenBy(owner) < this.perOwner) this.take(owner);
    else await new Promise<void>((start) => this.waiting.push({ owner, start }));
    try {
      return await work();
    } finally {
      this.giveBack(owner);
    }
  }

  private take(owner: string): void {
    this.free -= 1;
    this.taken.set(owner, this.takenBy(owner) + 1);
    this.lastTurns.set(owner, (this.turn += 1));
  }

  private giveBack(owner: string): void {
    this.free += 1;
    const left = this.takenBy(owner) - 1;
    if (left === 0) this.taken.delete(owner);
    else this.taken.set(owner, left);
    if (left === 0 && !this.waiting.some((each) => each.owner === owner)) this.lastTurns.delete(owner);
    const next = this.next();
    if (!next) return;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.take(next.owner);
    next.start();
  }

  private next(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const candidate of this.waiting)
      if (this.takenBy(candidate.owner) < this.perOwner && (!best || this.isBefore(candidate, best))) best = candidate;
    return best;
  }

  private isBefore({ owner }: Waiting, { owner: other }: Waiting): boolean {
    const fewer = this.takenBy(owner) - this.takenBy(other);
    return fewer < 0 || (fewer === 0 && (this.lastTurns.get(owner) ?? 0) < (this.lastTurns.get(other) ?? 0));
  }

  private takenBy(owner: string): number {
    return this.taken.get(owner) ?? 0;
  }
}
