import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '../../application/ports/storage/storage-unavailable';
import type { Readiness } from '../../application/ports/storage/readiness';
import type { Clock } from '../../application/ports/system/clock';
import type { Database } from './database/database';

/** How long a check is valid, so that frequent requests do not cause frequent commits. */
const GOOD_FOR_MS = 2_000;
const CHECK_WITHIN_MS = 3_000;
/** Each process picks one of these rows at random, so that they rarely wait for each other. */
const ROWS = 64;
/** Larger than a page, so that a full disk is detected. */
const FILLER = ' '.repeat(20_000);

/** Ready is a database that can be read from and written to. */
export class DatabaseReadiness implements Readiness {
  private readonly row = randomInt(ROWS);
  private checking: Promise<void> | undefined;
  private goodUntil = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    /** Monotonic time in milliseconds: a clock that is set back must not make a check valid for longer. */
    private readonly elapsedMs = () => performance.now(),
  ) {}

  async check(): Promise<void> {
    await this.database.query('SELECT 1');
    if (this.elapsedMs() < this.goodUntil) return;
    this.checking ??= this.write().finally(() => {
      this.checking = undefined;
    });
    const tooLate = sleep(CHECK_WITHIN_MS, undefined, { ref: false }).then(() => {
      throw new StorageUnavailable();
    });
    await Promise.race([this.checking, tooLate]);
  }

  private async write(): Promise<void> {
    const now = this.clock.now().getTime();
    const startedAt = this.elapsedMs();
    const sql = 'REPLACE INTO write_checks (id, checked_at, filler) VALUES (?, ?, ?)';
    await this.database.transaction((manager) => manager.query(sql, [this.row, now, FILLER]), 'readiness');
    this.goodUntil = startedAt + GOOD_FOR_MS;
  }
}
