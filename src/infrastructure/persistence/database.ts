import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DataSource, EntityManager } from 'typeorm';
import { StorageUnavailable } from '../../application/ports/storage-unavailable';
import { ServiceError } from '../../domain/shared/service-error';
import { readingDataSource, writingDataSource, type DatabaseContent, type DatabaseLocation } from './data-source';
import { isDeadlock, isConnectionLoss } from './database-errors';
import { Mutex } from './mutex';
import { Slots } from './slots';

/** What repositories ask their questions of: the database at large, or one transaction. */
export interface Queries {
  query<T>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
}

const DEADLOCK_RETRIES = 5;
/** Each holds a connection for as long as its reader takes. */
const SNAPSHOTS_AT_A_TIME = 4;

/** A database: reads of committed data, and transactions, which SQLite takes one at a time. */
export class Database implements Queries {
  private readonly writing: DataSource;
  private readonly reading: DataSource;
  private readonly oneAtATime = new Mutex();
  private readonly snapshots = new Slots(SNAPSHOTS_AT_A_TIME);
  private readonly idle: DataSource[] = [];

  constructor(
    private readonly location: DatabaseLocation,
    content: DatabaseContent,
  ) {
    this.writing = writingDataSource(location, content);
    this.reading = location.kind === 'sqlite' ? readingDataSource(location) : this.writing;
  }

  async open(): Promise<void> {
    if (this.location.kind === 'sqlite') mkdirSync(dirname(this.location.file), { recursive: true });
    await this.writing.initialize();
    await this.writing.runMigrations();
    if (this.reading !== this.writing) await this.reading.initialize();
  }

  async close(): Promise<void> {
    for (const connection of this.idle.splice(0)) await connection.destroy();
    if (this.reading !== this.writing) await this.reading.destroy();
    await this.writing.destroy();
  }

  /** @throws StorageUnavailable */
  async query<T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    try {
      return await this.reading.query<T[]>(sql, [...parameters]);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** Reads of one and the same moment, however many and however slow; few at a time. @throws StorageUnavailable */
  async snapshot<T>(use: (queries: Queries) => Promise<T>): Promise<T> {
    try {
      return await this.snapshots.run(() => (this.location.kind === 'sqlite' ? this.sqliteSnapshot(this.location, use) : this.mysqlSnapshot(use)));
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  private async sqliteSnapshot<T>(location: DatabaseLocation & { kind: 'sqlite' }, use: (queries: Queries) => Promise<T>): Promise<T> {
    const connection = this.idle.pop() ?? (await readingDataSource(location).initialize());
    try {
      await connection.query('BEGIN');
      return await use({ query: (sql, parameters = []) => connection.query(sql, [...parameters]) });
    } finally {
      await connection.query('ROLLBACK');
      this.idle.push(connection);
    }
  }

  private async mysqlSnapshot<T>(use: (queries: Queries) => Promise<T>): Promise<T> {
    const runner = this.writing.createQueryRunner();
    try {
      await runner.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await runner.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
      return await use({ query: (sql, parameters = []) => runner.query(sql, [...parameters]) as Promise<never> });
    } finally {
      await runner.query('ROLLBACK');
      await runner.release();
    }
  }

  /** All or nothing; `work` is repeated after a deadlock. @throws StorageUnavailable */
  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return this.location.kind === 'sqlite' ? await this.oneAtATime.run(() => this.immediately(work)) : await this.retried(work);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** BEGIN IMMEDIATE, because a transaction that reads before it writes fails at once while another process writes. */
  private async immediately<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const runner = this.writing.createQueryRunner();
    await runner.query('BEGIN IMMEDIATE');
    try {
      const result = await work(runner.manager);
      await runner.query('COMMIT');
      return result;
    } catch (error) {
      await runner.query('ROLLBACK');
      throw error;
    }
  }

  private async retried<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.writing.transaction('READ COMMITTED', work);
      } catch (error) {
        if (!isDeadlock(error) || attempt === DEADLOCK_RETRIES) throw error;
      }
    }
  }

  /** Appended to a SELECT: holds the rows for the rest of the transaction. SQLite holds the whole database already. */
  get forUpdate(): string {
    return this.location.kind === 'mysql' ? ' FOR UPDATE' : '';
  }

  /** Appended after `forUpdate`: passes over rows that another transaction holds, instead of waiting for it. */
  get skipLocked(): string {
    return this.location.kind === 'mysql' ? ' SKIP LOCKED' : '';
  }
}

function asUnavailable(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  return isConnectionLoss(error) || isDeadlock(error) ? new StorageUnavailable({ cause: error }) : error;
}
