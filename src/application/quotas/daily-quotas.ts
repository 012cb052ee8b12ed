import { type UsageKind, DailyUsage, type UsageEntry } from '../ports/access/rate-limits-and-usage';
import { inject, injectable, token } from '../ports/inject';
import { DailyQuotaReached } from '../../domain/access/access-errors';
import { DAY_MS } from '../../domain/shared/time/calendar';
import { Clock, Log } from '../ports/system';

/** Bytes that an account may use each day; 0 switches a quota off. */
export type QuotaSettings = Readonly<Record<UsageKind, number>>;
export const QuotaSettings = token<QuotaSettings>('QuotaSettings');

/** How far behind other processes this one may be. */
const WRITE_AFTER_MS = 2_000;

interface Total {
  readonly accountId: string;
  readonly kind: UsageKind;
  bytes: number;
  /** The part of `bytes` that other processes do not see yet. */
  unwritten: number;
}

/**
 * Limits how much each account stores per day in UTC. Usage is counted in memory after it is stored, and shared with other
 * processes every two seconds: no write waits for a counter, and an account may exceed a quota by its writes of that time.
 */
@injectable()
export class DailyQuotas {
  private day = 0;
  private totals = new Map<string, Total>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @inject(DailyUsage) private readonly usage: DailyUsage,
    @inject(QuotaSettings) private readonly limits: QuotaSettings,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** @throws DailyQuotaReached, StorageUnavailable */
  async assertBelow(accountId: string, kind: UsageKind): Promise<void> {
    const reached = await this.reached(accountId, kind);
    if (reached) throw reached;
  }

  /** The error of a request that would store more; undefined if the account may. @throws StorageUnavailable */
  async reached(accountId: string, kind: UsageKind): Promise<DailyQuotaReached | undefined> {
    const limit = this.limits[kind];
    if (limit === 0) return undefined;
    const { bytes } = this.totalsOfToday().get(keyOf(accountId, kind)) ?? (await this.read(accountId, kind));
    if (bytes < limit) return undefined;
    const now = this.clock.now().getTime();
    return new DailyQuotaReached(kind, limit, Math.ceil((this.day + DAY_MS - now) / 1_000));
  }

  /** Counts what was stored after the quota was checked. */
  count(accountId: string, kind: UsageKind, bytes: number): void {
    const total = this.totalsOfToday().get(keyOf(accountId, kind));
    if (!total) return;
    total.bytes += bytes;
    total.unwritten += bytes;
    this.timer ??= setTimeout(() => void this.write(), WRITE_AFTER_MS).unref();
  }

  /** Shares what was counted with other processes; called before the database is closed. */
  async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const day = new Date(this.day);
    const changed = [...this.totals.values()].filter(({ unwritten }) => unwritten > 0);
    const entries = changed.map(({ accountId, kind, unwritten }): UsageEntry => ({
      accountId,
      kind,
      bytes: unwritten,
    }));
    for (const total of changed) total.unwritten = 0;
    if (entries.length === 0) return;
    try {
      await this.usage.add(day, entries);
    } catch (error) {
      for (const [index, total] of changed.entries()) total.unwritten += entries[index]?.bytes ?? 0;
      this.log.warn({ err: error }, 'daily usage of accounts could not be written; it is kept for the next time');
      return;
    }
    try {
      for (const total of changed)
        total.bytes = (await this.usage.total(day, total.accountId, total.kind)) + total.unwritten;
    } catch (error) {
      this.log.warn({ err: error }, 'daily usage of accounts could not be read');
    }
  }

  private async read(accountId: string, kind: UsageKind): Promise<Total> {
    const totals = this.totalsOfToday();
    const bytes = await this.usage.total(new Date(this.day), accountId, kind);
    const total = totals.get(keyOf(accountId, kind)) ?? { accountId, kind, bytes, unwritten: 0 };
    totals.set(keyOf(accountId, kind), total);
    return total;
  }

  private totalsOfToday(): Map<string, Total> {
    const now = this.clock.now().getTime();
    if (now - this.day >= DAY_MS || now < this.day) {
      this.day = now - (now % DAY_MS);
      this.totals = new Map();
    }
    return this.totals;
  }
}

function keyOf(accountId: string, kind: UsageKind): string {
  return `${kind} ${accountId}`;
}
