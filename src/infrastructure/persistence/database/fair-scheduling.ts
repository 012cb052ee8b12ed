interface Share {
  /** Milliseconds that its work has taken, starting from `level` when it joined. */
  used: number;
  readonly waiting: (() => void)[];
}

const FORGET_ABOVE = 1_000;

/**
 * Runs one piece of work at a time. The share that has used the least time is next; within a share, the order of arrival
 * counts. Long work of one share delays another share by one piece at most.
 */
export class FairTurns {
  private readonly shares = new Map<string, Share>();
  private isBusy = false;
  /** The time used by the share that ran last. Idle shares start from it, so that they save up no time. */
  private level = 0;

  constructor(private readonly now: () => number) {}

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const share = this.share(name);
    if (this.isBusy) await new Promise<void>((resolve) => share.waiting.push(resolve));
    this.isBusy = true;
    this.level = Math.max(this.level, share.used);
    const startedAt = this.now();
    try {
      return await work();
    } finally {
      share.used += this.now() - startedAt;
      this.startNext();
    }
  }

  private share(name: string): Share {
    const share = this.shares.get(name) ?? { used: this.level, waiting: [] };
    if (share.waiting.length === 0) share.used = Math.max(share.used, this.level);
    this.shares.set(name, share);
    return share;
  }

  private startNext(): void {
    let next: Share | undefined;
    for (const [name, share] of this.shares) {
      if (share.waiting.length > 0) {
        if (!next || share.used < next.used) next = share;
      } else if (share.used <= this.level || this.shares.size > FORGET_ABOVE) {
        this.shares.delete(name);
      }
    }
    const start = next?.waiting.shift();
    // `isBusy` stays true for the next one, so that later callers wait.
    if (start) start();
    else this.isBusy = false;
  }
}

/** The share of all long work. No account has this id. */
const LONG_WORK = 'long work';

/** Fair turns in which the long work of all accounts is one share: short work waits for one piece of it at most, not for one of each account. */
export class WriterTurns {
  private readonly turns: FairTurns;
  private readonly long: FairTurns;

  constructor(now: () => number) {
    this.turns = new FairTurns(now);
    this.long = new FairTurns(now);
  }

  run<T>(accountId: string, work: () => Promise<T>, { isLong = false } = {}): Promise<T> {
    return isLong ? this.long.run(accountId, () => this.turns.run(LONG_WORK, work)) : this.turns.run(accountId, work);
  }
}
