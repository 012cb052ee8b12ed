import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageSlow, type Readiness } from '../../application/ports/storage/storage-unavailable';
import type { Log, Clock } from '../../application/ports/system';
import type { Database } from './database/database';

/** How long a check is valid, so that frequent requests do not cause frequent commits. */
const GOOD_FOR_MS = 2_000;
const SLOW_MS = 1_000;
/** So that writes of about a second do not fill the log. */
const FAST_MS = 500;
/** Before the time that metrics wait for a check: a late write is slow, not away. */
const CHECK_WITHIN_MS = 2_000;
/** Each process picks one of these rows at random, so that they rarely wait for each other. */
const ROWS = 64;
/** Larger than a page, so that a full disk is detected. */
const FILLER = ' '.repeat(20_000);

/** Ready is a database that can be read from and written to. */
export class DatabaseReadiness implements Readiness {
  private readonly row = randomInt(ROWS);
  private checking: Promise<void> | undefined;
  private startedAt: number | undefined;
  private lastMs: number | undefined;
  private goodUntil = -Infinity;
  private isSlow = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
    /** Monotonic time in milliseconds: a clock that is set back must not make a check valid for longer. */
    private readonly elapsedMs = () => performance.now(),
  ) {}

  get writeMs(): number | undefined {
    const present = this.startedAt === undefined ? undefined : this.elapsedMs() - this.startedAt;
    return present === undefined ? this.lastMs : Math.max(present, this.lastMs ?? 0);
  }

  /** While writes are slow, it does not wait for them: a load balancer waits for half a second. */
  async check(): Promise<void> {
    await this.database.query('SELECT 1');
    if (this.elapsedMs() < this.goodUntil) return;
    this.checking ??= this.write().finally(() => {
      this.checking = undefined;
      this.startedAt = undefined;
    });
    const outcome = this.checking;
    if (this.isSlow) {
      // The next check shows the error.
      outcome.catch(() => (this.isSlow = false));
      throw slow();
    }
    const tooLate = sleep(CHECK_WITHIN_MS, undefined, { ref: false }).then(() => {
      if (this.checking === outcome) this.slowness(true);
      throw slow();
    });
    await Promise.race([outcome, tooLate]);
  }

  private async write(): Promise<void> {
    const now = this.clock.now().getTime();
    const startedAt = this.elapsedMs();
    this.startedAt = startedAt;
    const sql = 'REPLACE INTO write_checks (id, checked_at, filler) VALUES (?, ?, ?)';
    await this.database.transaction((manager) => manager.query(sql, [this.row, now, FILLER]), 'readiness');
    this.lastMs = this.elapsedMs() - startedAt;
    this.goodUntil = startedAt + GOOD_FOR_MS;
    this.slowness(this.lastMs > (this.isSlow ? FAST_MS : SLOW_MS));
  }

  /** Logs when writes become slow, and when they are fast again. */
  private slowness(isSlow: boolean): void {
    if (isSlow === this.isSlow) return;
    this.isSlow = isSlow;
    const facts = { seconds: Math.round((this.writeMs ?? 0) / 100) / 10 };
    if (isSlow) this.log.warn(facts, 'the database takes long to commit: is its disk slow, or does a lock block it?');
    else this.log.info(facts, 'the database is no longer slow');
  }
}

function slow(): StorageSlow {
  return new StorageSlow('the database takes long to commit: is its disk slow, or does a lock block it?');
}
