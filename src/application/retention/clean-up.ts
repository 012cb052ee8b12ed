import { setTimeout as sleep } from 'node:timers/promises';
import { inject, injectable, token } from '../ports/inject';
import { SESSION_IDLE_MS, SESSION_MAX_AGE_MS } from '../../domain/access/people/session';
import { addDays } from '../../domain/shared/time/calendar';
import { Outage } from '../shared/outage';
import { HistorySettings } from '../dns/dns-settings';
import { ExpiredRows, type AgingKind, type Removal } from '../ports/storage/expired-rows';
import { Clock, LifecycleClock, Log } from '../ports/system';

/** How long rows are kept, in days. */
export interface RetentionSettings {
  readonly auditDays: number;
  readonly operationDays: number;
  /** Registrants of domains that are gone or transferred out. */
  readonly personalDataDays: number;
  /** Everything else of those domains; at least `personalDataDays`. */
  readonly endedDomainDays: number;
  readonly messageDays: number;
  /** Mails that were sent or could not be. */
  readonly mailDays: number;
  /** Of finished deliveries to webhooks. */
  readonly deliveryDays: number;
}
export const RetentionSettings = token<RetentionSettings>('RetentionSettings');

const FIRST_AFTER_MS = 5_000;
const EVERY_MS = 60_000;
/** For what reads all zones or keys, which is too much for every minute. */
const WIDE_EVERY_MS = 60 * EVERY_MS;
/** Of finished bulk jobs and imports; bulk jobs are personal data. */
const JOB_DAYS = 30;
/** Of keys that jobs of CI got: a busy repository gets thousands a day. Their audit entries stay. */
const JOB_KEY_DAYS = 7;
/** Of the wish of an account for events of publications, after it last read them. */
const PUBLICATION_DAYS = 30;
const MAX_ROWS = 1_000;
const FIRST_ROWS = 100;
const MIN_ROWS = 10;
/** Target time of a batch, so that batches stay below 50 ms. */
const BATCH_MS = 20;
const SHORTEST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 1_000;

/** Removes one batch of at most `limit` rows. */
type RemoveBatch = (limit: number) => Promise<Removal>;

/** Removes rows after their retention period, in batches with pauses that are as long as the batches. */
@injectable()
export class CleanUp {
  /** Batch size by kind. */
  private readonly limits = new Map<string, number>();
  private readonly outages = new Map<string, Outage>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;
  /** In monotonic milliseconds, by kind. */
  private readonly wideDueAt = new Map<string, number>();

  constructor(
    @inject(ExpiredRows) private readonly rows: ExpiredRows,
    @inject(RetentionSettings) private readonly retention: RetentionSettings,
    @inject(HistorySettings) private readonly history: HistorySettings,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(Log) private readonly log: Log,
  ) {}

  start(): void {
    this.isStopping = false;
    this.runAfter(FIRST_AFTER_MS);
  }

  /** Waits for the running batch. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Removes all expired rows; what fails is retried in the next run. One run at a time: a second one would skip what the first has locked. */
  run(): Promise<void> {
    const run = this.running.then(() => this.removeAll());
    this.running = run.catch(() => undefined);
    return run;
  }

  /** Alternates between kinds, so that a backlog delays no other kind. */
  private async removeAll(): Promise<void> {
    const pending = new Map(this.batches());
    const counts: Record<string, number> = {};
    while (pending.size > 0 && !this.isStopping) {
      for (const [kind, remove] of pending) {
        if (this.isStopping) break;
        const { removed, more } = await this.removeBatch(kind, remove);
        if (removed > 0) counts[kind] = (counts[kind] ?? 0) + removed;
        if (!more) pending.delete(kind);
      }
    }
    if (Object.keys(counts).length > 0) this.log.info({ removed: counts }, 'removed expired rows');
  }

  private runAfter(ms: number): void {
    this.timer = setTimeout(() => void this.runAndRepeat(), ms).unref();
  }

  private async runAndRepeat(): Promise<void> {
    await this.run();
    if (!this.isStopping) this.runAfter(EVERY_MS);
  }

  private *batches(): Generator<readonly [string, RemoveBatch]> {
    const [now, lifecycleNow] = [this.clock.now(), this.lifecycleClock.now()];
    const { auditDays, operationDays, personalDataDays, endedDomainDays, messageDays, mailDays, deliveryDays } =
      this.retention;
    const cutoffs: Readonly<Record<Exclude<AgingKind, 'expired API keys' | 'unread publications'>, Date>> = {
      handovers: now,
      'stored responses': now,
      'sessions by age': new Date(now.getTime() - SESSION_MAX_AGE_MS),
      'sessions by last use': new Date(now.getTime() - SESSION_IDLE_MS),
      'personal data': addDays(lifecycleNow, -personalDataDays),
      'ended domains': addDays(lifecycleNow, -endedDomainDays),
      operations: addDays(lifecycleNow, -operationDays),
      transfers: addDays(lifecycleNow, -operationDays),
      'audit entries': addDays(lifecycleNow, -auditDays),
      events: addDays(lifecycleNow, -auditDays),
      'API keys': addDays(now, -auditDays),
      'keys of jobs': addDays(now, -Math.min(JOB_KEY_DAYS, auditDays)),
      'bulk jobs': addDays(now, -Math.min(JOB_DAYS, personalDataDays)),
      proposals: addDays(now, -Math.min(JOB_DAYS, personalDataDays)),
      'account moves': addDays(now, -Math.min(JOB_DAYS, personalDataDays)),
      imports: addDays(now, -JOB_DAYS),
      'spending of keys': addDays(now, -32),
      'signature changes': addDays(now, -this.history.days),
      'daily usage': addDays(now, -2),
      'catalog history': addDays(now, -this.history.days),
      'used challenges': now,
      'webhook deliveries': addDays(now, -deliveryDays),
      'removed webhooks': now,
      'unprocessed messages': addDays(now, -messageDays),
      mails: addDays(now, -mailDays),
    };
    for (const [kind, before] of Object.entries(cutoffs) as [AgingKind, Date][])
      yield [kind, (limit) => this.rows.remove(kind, before, limit)];
    const { days, versions } = this.history;
    const wide: readonly (readonly [string, RemoveBatch])[] = [
      ['expired API keys', (limit) => this.rows.remove('expired API keys', addDays(now, -auditDays), limit)],
      [
        'unread publications',
        (limit) => this.rows.remove('unread publications', addDays(now, -PUBLICATION_DAYS), limit),
      ],
      ['zone history', (limit) => this.rows.removeZoneHistory(addDays(now, -days), versions, limit)],
    ];
    for (const [kind, remove] of wide)
      if (performance.now() >= (this.wideDueAt.get(kind) ?? 0)) yield [kind, this.hourly(kind, remove)];
  }

  /** The hour begins when all rows are removed: what fails is retried in the next run. */
  private hourly(kind: string, remove: RemoveBatch): RemoveBatch {
    return async (limit) => {
      const removal = await remove(limit);
      if (!removal.more) this.wideDueAt.set(kind, performance.now() + WIDE_EVERY_MS);
      return removal;
    };
  }

  private async removeBatch(kind: string, remove: RemoveBatch): Promise<Removal> {
    const limit = this.limits.get(kind) ?? FIRST_ROWS;
    const startedAt = performance.now();
    const outage = this.outages.get(kind) ?? new Outage(this.log, 'removing expired rows', { kind });
    this.outages.set(kind, outage);
    try {
      const removal = await remove(limit);
      outage.recordSuccess();
      const ms = performance.now() - startedAt;
      this.limits.set(kind, nextLimit(limit, removal, ms));
      if (removal.more) await sleep(Math.min(Math.max(ms, SHORTEST_PAUSE_MS), MAX_PAUSE_MS), undefined, { ref: false });
      return removal;
    } catch (error) {
      outage.recordFailure(error);
      return { removed: 0, more: false };
    }
  }
}

/** Reduces the batch size after a slow batch and doubles it after a fast full one. */
function nextLimit(limit: number, { removed }: Removal, ms: number): number {
  if (ms > BATCH_MS) return Math.max(Math.floor((limit * BATCH_MS) / ms), Math.floor(limit / 2), MIN_ROWS);
  return removed >= limit && ms < BATCH_MS / 2 ? Math.min(limit * 2, MAX_ROWS) : limit;
}
