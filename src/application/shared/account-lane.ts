import { FairSlots } from './fair-slots';

/** Of one account. More are not remembered: the database has them, and they are added again. */
const MAX_WAITING = 200;

export interface LaneItem {
  readonly id: string;
  readonly accountId: string;
}

/** Runs work of all accounts, up to `width` at a time, in the turns of `FairSlots`, and each id once at a time. */
export class AccountLane {
  private readonly slots: FairSlots;
  /** Ids by account. */
  private readonly waiting = new Map<string, Set<string>>();
  private readonly active = new Map<string, Promise<void>>();
  /** Those of `active` that were added meanwhile. */
  private readonly again = new Set<string>();

  constructor(
    width: number,
    /** Never fails. Returns whether the id is to run again. */
    private readonly run: (id: string, accountId: string) => Promise<boolean>,
    widthOfAccount = width,
  ) {
    this.slots = new FairSlots(width, widthOfAccount);
  }

  /** What runs now. */
  get running(): readonly Promise<void>[] {
    return [...this.active.values()];
  }

  isRunning(id: string): boolean {
    return this.active.has(id);
  }

  /** An id that runs runs again afterwards. */
  add(item: LaneItem): void {
    const { id, accountId } = item;
    if (this.active.has(id)) {
      this.again.add(id);
      return;
    }
    const ids = this.waiting.get(accountId) ?? new Set();
    if (ids.has(id) || ids.size >= MAX_WAITING) return;
    this.waiting.set(accountId, ids.add(id));
    void this.slots.run(accountId, () => this.start(item));
  }

  /** Nothing waits any more. */
  clear(): void {
    this.waiting.clear();
    this.again.clear();
  }

  private async start(item: LaneItem): Promise<void> {
    const { id, accountId } = item;
    const ids = this.waiting.get(accountId);
    if (!ids?.delete(id)) return;
    if (ids.size === 0) this.waiting.delete(accountId);
    const running = this.runToEnd(item);
    this.active.set(id, running);
    await running;
  }

  private async runToEnd(item: LaneItem): Promise<void> {
    const isAgain = await this.run(item.id, item.accountId);
    this.active.delete(item.id);
    if (this.again.delete(item.id) || isAgain) this.add(item);
  }
}
