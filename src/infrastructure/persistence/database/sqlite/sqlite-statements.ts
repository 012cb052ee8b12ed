import { DataSource, MigrationExecutor, QueryFailedError, QueryResult, QueryRunnerAlreadyReleasedError } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner';
import { sqliteOptions, type DatabaseContent } from '../data-source';
import type { SqliteReader } from './sqlite-reader';
import type { SqliteWriter, StatementResult } from './sqlite-writer';

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
export class TransactionRunner extends BetterSqlite3QueryRunner {
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
export class SqliteStatements {
  private readonly source: DataSource;

  constructor(file: string, content: DatabaseContent) {
    this.source = new DataSource({ ...sqliteOptions(file, content), driver: NoConnection });
  }

  async open(): Promise<void> {
    await this.source.initialize();
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
