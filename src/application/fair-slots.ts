interface Waiting {
  readonly owner: string;
  readonly start: () => void;
}

/** Limits concurrent work, in total and per owner. A free slot goes to the owner with the fewest, then by arrival. */
export class FairSlots {
  private readonly taken = new Map<string, number>();
  private readonly waiting: Waiting[] = [];

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
  }

  private giveBack(owner: string): void {
    this.free += 1;
    const left = this.takenBy(owner) - 1;
    if (left === 0) this.taken.delete(owner);
    else this.taken.set(owner, left);
    const next = this.next();
    if (!next) return;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.take(next.owner);
    next.start();
  }

  private next(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const candidate of this.waiting)
      if (this.takenBy(candidate.owner) < (best ? this.takenBy(best.owner) : this.perOwner)) best = candidate;
    return best;
  }

  private takenBy(owner: string): number {
    return this.taken.get(owner) ?? 0;
  }
}
