interface Waiting {
  readonly start: () => void;
  readonly refuse: () => void;
}

export class QueueFull extends Error {
  constructor() {
    super('the queue is full');
    this.name = 'QueueFull';
  }
}

/**
 * Runs up to `concurrency` calls and queues up to `capacity` more. Waiting accounts take turns, one call each.
 * A full queue drops the latest call of the account that has most calls in it.
 */
export class FairQueue {
  /** Waiting calls by account, in the order of turns. No entry is empty. */
  private readonly waiting = new Map<string, Waiting[]>();
  private running = 0;
  private length = 0;

  constructor(
    private concurrency: number,
    private readonly capacity: number,
  ) {}

  get use(): { readonly running: number; readonly waiting: number } {
    return { running: this.running, waiting: this.length };
  }

  /** Running calls beyond a lower limit finish; a higher one starts waiting calls. */
  limitTo(concurrency: number): void {
    this.concurrency = concurrency;
    this.startWaiting();
  }

  /** @throws QueueFull; what `work` throws */
  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    if (this.running >= this.concurrency) await this.wait(account);
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.startWaiting();
    }
  }

  private wait(account: string): Promise<void> {
    if (this.length >= this.capacity) this.makeRoom(account);
    return new Promise((start, reject) => {
      const calls = this.waiting.get(account) ?? [];
      calls.push({ start, refuse: () => reject(new QueueFull()) });
      this.waiting.set(account, calls);
      this.length += 1;
    });
  }

  /** @throws QueueFull if no account has more in the queue than `account` would have */
  private makeRoom(account: string): void {
    const [longest, calls] = [...this.waiting].reduce<[string, Waiting[]]>(
      (most, each) => (each[1].length > most[1].length ? each : most),
      ['', []],
    );
    if (calls.length <= (this.waiting.get(account)?.length ?? 0) + 1) throw new QueueFull();
    calls.pop()?.refuse();
    this.length -= 1;
    if (calls.length === 0) this.waiting.delete(longest);
  }

  private startWaiting(): void {
    for (const [account, calls] of this.waiting) {
      if (this.running >= this.concurrency) return;
      const call = calls.shift();
      // To the end of the turns; the loop comes to it again.
      this.waiting.delete(account);
      if (calls.length > 0) this.waiting.set(account, calls);
      this.length -= 1;
      this.running += 1;
      call?.start();
    }
  }
}
