import { MAX_LATENESS_MS, type CallRate } from './call-rate';

const SECOND_MS = 1_000;
/** Calls for a fifth of a second: each reservation is paid for, but a cancelled call wastes its turn. */
const RESERVED_SHARE = 5;

/** Reserves `count` calls, a `perSecond`th of a second apart, behind those of all processes. Returns the milliseconds until the first. */
export type ReserveCalls = (registry: string, perSecond: number, count: number) => Promise<number>;

interface WaitingCall {
  readonly isCancelled: () => boolean;
  /** `dueAt`: by `performance.now()`; undefined if nothing can be reserved. */
  readonly start: (dueAt: number | undefined) => void;
}

/** Lets `perSecond` calls a second pass in all processes together. Counts in this process if nothing can be reserved. */
export class SharedCallRate implements Pick<CallRate, 'turn'> {
  private waiting: WaitingCall[] = [];
  private reserving = false;

  constructor(
    private readonly registry: string,
    private readonly perSecond: number,
    private readonly reserve: ReserveCalls,
    private readonly own: Pick<CallRate, 'turn'>,
  ) {}

  /** Resolves when the call may be sent, or when it is cancelled and would be next. */
  async turn(isCancelled = () => false): Promise<void> {
    // After a stall of this process, its overdue calls would all leave at once.
    while ((await this.latenessOfTurn(isCancelled)) > MAX_LATENESS_MS);
  }

  /** Waits for a turn. Returns how late it is, in milliseconds. */
  private async latenessOfTurn(isCancelled: () => boolean): Promise<number> {
    const dueAt = await new Promise<number | undefined>((start) => {
      this.waiting.push({ isCancelled, start });
      void this.reserveWaiting();
    });
    if (dueAt === undefined) await this.own.turn(isCancelled);
    if (dueAt === undefined || isCancelled()) return 0;
    await waitUntil(dueAt);
    return performance.now() - dueAt;
  }

  /** Reserves for few calls, and for more only when these are due: a call that waits may be cancelled. */
  private async reserveWaiting(): Promise<void> {
    if (this.reserving) return;
    this.reserving = true;
    for (let calls = this.nextCalls(); calls.length > 0; calls = this.nextCalls()) {
      const first = await this.reserve(this.registry, this.perSecond, calls.length).catch(() => undefined);
      const reservedAt = performance.now();
      const dueAt = (index: number) =>
        first === undefined ? undefined : reservedAt + first + (index * SECOND_MS) / this.perSecond;
      calls.forEach(({ start }, index) => start(dueAt(index)));
      await waitUntil(dueAt(calls.length - 1) ?? reservedAt);
    }
    this.reserving = false;
  }

  private nextCalls(): readonly WaitingCall[] {
    for (const { start } of this.waiting.filter(({ isCancelled }) => isCancelled())) start(undefined);
    this.waiting = this.waiting.filter(({ isCancelled }) => !isCancelled());
    return this.waiting.splice(0, Math.max(1, Math.floor(this.perSecond / RESERVED_SHARE)));
  }
}

async function waitUntil(time: number): Promise<void> {
  const ms = time - performance.now();
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
