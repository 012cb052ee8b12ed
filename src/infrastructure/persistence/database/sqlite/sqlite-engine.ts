import {
  type EntityManager,
  DataSource,
  MigrationExecutor,
  QueryFailedError,
  QueryResult,
  QueryRunnerAlreadyReleasedError,
} from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner';
import { type DatabaseContent, sqliteOptions } from '../data-source';
import type { ConnectionUse, Engine, Queries, TransactionOptions } from '../engine';
import { WriterTurns } from '../fair-scheduling';
import { ensurePrivateFile } from '../private-file';
import { codeOf } from '../database-errors';
import { assertSchemaUsable } from '../schema-requirement';
import { bindNumbers } from './bind-numbers';
import { SqliteReader, SqliteWriter, type StatementResult } from './sqlite-connections';

/** One connection writes, in a worker thread and in transactions that take turns; others, in this thread, read committed data only. */
export class SqliteEngine implements Engine {
  /** A writer locks the whole database. */
  readonly forUpdate = '';
  readonly skipLocked = '';
  private readonly statements: SqliteStatements;
  private writer: SqliteWriter | undefined;
  private reading: SqliteReader | undefined;
  private readonly turns = new WriterTurns(() => performance.now());
  private readonly idle: SqliteReader[] = [];
  /** Running and waiting. */
  private transactions = 0;

  constructor(
    private readonly file: string,
    private readonly content: DatabaseContent,
  ) {
    this.statements = new SqliteStatements(file, content);
  }

  async open(): Promise<readonly string[]> {
    ensurePrivateFile(this.file);
    await this.statements.open();
    this.writer = await this.openWriter();
    try {
      const migrated = await this.migrate(this.writer);
      this.reading = new SqliteReader(this.file);
      return migrated;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** SQLite's own errors do not name the file. */
  private async openWriter(): Promise<SqliteWriter> {
    try {
      return await SqliteWriter.open(this.file);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`the database ${this.file} cannot be opened: ${reason}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    for (const reader of this.idle.splice(0)) reader.close();
    this.reading?.close();
    await this.statements.close();
    const writer = this.writer;
    this.writer = undefined;
    await writer?.close();
  }

  /** Of the one connection that writes. */
  get connections(): ConnectionUse {
    const waiting = Math.max(0, this.transactions - 1);
    return { busy: Math.min(1, this.transactions), idle: this.transactions === 0 ? 1 : 0, waiting };
  }

  query<T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    if (!this.reading) return Promise.reject(new Error('the database is not open'));
    return this.reading.query<T>(sql, parameters);
  }

  async snapshot<T>(use: (queries: Queries) => Promise<T>): Promise<T> {
    const reader = this.idle.pop() ?? new SqliteReader(this.file);
    try {
      reader.beginSnapshot();
      const result = await use(reader);
      reader.endSnapshot();
      this.idle.push(reader);
      return result;
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  /** Reads before it has the lock, which saves a round trip to the thread; repeats the work if another process has committed meanwhile. */
  async transaction<T>(
    work: (manager: EntityManager) => Promise<T>,
    accountId = '',
    options: TransactionOptions = {},
  ): Promise<T> {
    const attempts = async (): Promise<T> => {
      if (!this.writer) throw new Error('the database is not open');
      if (this.writer.isLost) this.writer = await SqliteWriter.open(this.file);
      const writer = this.writer;
      try {
        return await this.attempt(writer, ({ manager }) => work(manager), { isSpeculative: true });
      } catch (error) {
        if (codeOf(error) !== 'SQLITE_STALE') throw error;
        return this.attempt(writer, ({ manager }) => work(manager));
      }
    };
    this.transactions += 1;
    try {
      return await this.turns.run(accountId, attempts, options);
    } finally {
      this.transactions -= 1;
    }
  }

  /** All migrations or none, while no other process migrates. As SQLite advises, foreign keys are checked at the end. */
  private async migrate(writer: SqliteWriter): Promise<readonly string[]> {
    await writer.pragma('foreign_keys = OFF');
    // The index of a large table is sorted there.
    await writer.pragma('temp_store = FILE');
    const migrated = await this.attempt(writer, async (runner) => {
      await assertSchemaUsable(runner, this.content);
      const done = await this.statements.migrate(runner);
      if (done.length === 0) return done;
      const orphans = (await runner.query('PRAGMA foreign_key_check')) as unknown[];
      if (orphans.length > 0) throw new Error(`migrations would leave ${orphans.length} rows that refer to nothing`);
      return done;
    });
    await writer.pragma('temp_store = MEMORY');
    await writer.pragma('foreign_keys = ON');
    return migrated;
  }

  private async attempt<T>(
    writer: SqliteWriter,
    work: (runner: TransactionRunner) => Promise<T>,
    { isSpeculative = false } = {},
  ): Promise<T> {
    const begun = writer.begin(isSpeculative);
    // If it fails, so do the statements that follow it.
    if (isSpeculative) begun.catch(() => undefined);
    else await begun;
    const runner = this.statements.runner(writer, this.reading);
    try {
      const result = await work(runner);
      await writer.commit();
      return result;
    } catch (error) {
      await writer.rollback().catch(() => undefined);
      // An error caused by a stale read must not reach the caller.
      await begun;
      throw error;
    } finally {
      await runner.release();
    }
  }
}

/** Stands in for the connection that TypeORM would open. */
class NoConnection {
  pragma(): void {
    // The writer's connection has its own.
  }

  close(): void {
    // Nothing is open.
  }
}

/** What a transaction reads before it writes has been committed, so any connection can read it. */
const READS = /^\s*SELECT\b/i;

/**
 * TypeORM builds the statements of one transaction. Until the first write, `reader` runs them in this thread; from then on
 * `writer` does. A statement after the end is refused and never becomes part of the next transaction.
 */
class TransactionRunner extends BetterSqlite3QueryRunner {
  private hasWritten = false;

  constructor(
    driver: BetterSqlite3Driver,
    private readonly writer: SqliteWriter,
    private readonly reader: SqliteReader | undefined,
  ) {
    super(driver);
  }

  override async query(sql: string, parameters: readonly unknown[] = [], isStructured = false): Promise<never> {
    if (this.isReleased) throw new QueryRunnerAlreadyReleasedError();
    const bound = parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    try {
      const result = await this.run(sql, bound);
      return (isStructured ? result : result.raw) as never;
    } catch (error) {
      throw new QueryFailedError(sql, bound, error as Error);
    }
  }

  private async run(sql: string, bound: readonly unknown[]): Promise<QueryResult> {
    if (this.reader && !this.hasWritten && READS.test(sql)) return selected(await this.reader.query(sql, bound));
    this.hasWritten = true;
    return queryResult(await this.writer.run(sql, bound));
  }

  override async release(): Promise<void> {
    this.isReleased = true;
  }
}

/** TypeORM without a connection: it builds the statements for a SQLite file. */
class SqliteStatements {
  private readonly source: DataSource;

  constructor(file: string, content: DatabaseContent) {
    this.source = new DataSource({ ...sqliteOptions(file, content), driver: NoConnection });
  }

  async open(): Promise<void> {
    await this.source.initialize();
    bindNumbers(this.source.driver);
  }

  async close(): Promise<void> {
    if (this.source.isInitialized) await this.source.destroy();
  }

  /** For the transaction that `writer` has begun. Without a `reader`, all statements run on the writer's connection. */
  runner(writer: SqliteWriter, reader?: SqliteReader): TransactionRunner {
    const runner = new TransactionRunner(this.source.driver as BetterSqlite3Driver, writer, reader);
    return Object.assign(runner, { manager: this.source.createEntityManager(runner) });
  }

  /** Within the transaction of `runner`. Returns the names of the migrations that it ran. */
  async migrate(runner: TransactionRunner): Promise<readonly string[]> {
    const executor = new MigrationExecutor(this.source, runner);
    executor.transaction = 'none';
    return (await executor.executePendingMigrations()).map(({ name }) => name);
  }
}

function queryResult(result: StatementResult): QueryResult {
  if (!('columns' in result))
    return Object.assign(new QueryResult(), { affected: result.changes, raw: result.lastInsertRowid });
  const { columns, rows } = result;
  const records = rows.map((row) => {
    const record: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index += 1) record[columns[index] as string] = row[index];
    return record;
  });
  return selected(records);
}

function selected(records: unknown[]): QueryResult {
  return Object.assign(new QueryResult(), { raw: records, records });
}
