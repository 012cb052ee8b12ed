/** Of one account. More are not remembered: the database has them, and they are added again. */
const MAX_WAITING = 200;

export interface LaneItem {
  readonly id: string;
  readonly accountId: string;
}

interface Share {
  /** Ids in the order of their arrival. */
  readonly waiting: Set<string>;
  running: number;
}

/**
 * Runs work of all accounts at one registry, up to `width` at a time, and each id once at a time. The account with the fewest running
 * is next, and then the one whose last turn is longest ago.
 */
export class AccountLane {
  /** In the order of turns. No entry is empty. */
  private readonly shares = new Map<string, Share>();
  private readonly active = new Map<string, Promise<void>>();

  constructor(
    private readonly width: number,
    /** Never fails. Returns whether the id is to run again. */
    private readonly run: (id: string) => Promise<boolean>,
  ) {}

  /** What runs now. */
  get running(): readonly Promise<void>[] {
    return [...this.active.values()];
  }

  isRunning(id: string): boolean {
    return this.active.has(id);
  }

  /** An id that runs runs again afterwards. */
  add({ id, accountId }: LaneItem): void {
    const share = this.shares.get(accountId) ?? { waiting: new Set(), running: 0 };
    if (share.waiting.size < MAX_WAITING) share.waiting.add(id);
    this.shares.set(accountId, share);
    this.fill();
  }

  /** Nothing waits any more. */
  clear(): void {
    for (const { waiting } of this.shares.values()) waiting.clear();
  }

  private fill(): void {
    while (this.active.size < this.width) {
      const next = this.next();
      if (!next) return;
      this.start(next);
    }
  }

  private next(): LaneItem | undefined {
    let best: (LaneItem & Pick<Share, 'running'>) | undefined;
    for (const [accountId, { waiting, running }] of this.shares) {
      if (best && running >= best.running) continue;
      const id = this.firstFree(waiting);
      if (id !== undefined) best = { id, accountId, running };
    }
    return best;
  }

  private firstFree(waiting: ReadonlySet<string>): string | undefined {
    for (const id of waiting) if (!this.active.has(id)) return id;
    return undefined;
  }

  private start(item: LaneItem): void {
    const { id, accountId } = item;
    const share = this.shares.get(accountId);
    if (!share) return;
    share.waiting.delete(id);
    share.running += 1;
    this.shares.delete(accountId);
    this.shares.set(accountId, share);
    this.active.set(id, this.runToEnd(item, share));
  }

  private async runToEnd(item: LaneItem, share: Share): Promise<void> {
    const isAgain = await this.run(item.id);
    this.active.delete(item.id);
    share.running -= 1;
    if (isAgain) this.add(item);
    else if (share.waiting.size + share.running === 0) this.shares.delete(item.accountId);
    this.fill();
  }
}
