import Sqlite, { type Database, type Statement } from 'better-sqlite3';
import type { Queries } from '../engine';

const BUSY_TIMEOUT_MS = 5_000;
const PREPARED_AT_MOST = 500;

/**
 * A connection that reads committed data, without TypeORM, whose overhead exceeds the cost of a look-up by key.
 */
export class SqliteReader implements Queries {
  private readonly connection: Database;
  private readonly prepared = new Map<string, Statement>();

  constructor(file: string) {
    this.connection = new Sqlite(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
    // SQLite's own function converts ASCII only; MySQL's converts Unicode.
    this.connection.function('lower', { deterministic: true }, (text) =>
      typeof text === 'string' ? text.toLowerCase() : text,
    );
  }

  async query<T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return this.statement(sql).all(...parameters) as T[];
  }

  /** Until `endSnapshot`, every query sees the data as of the first one. */
  beginSnapshot(): void {
    this.connection.exec('BEGIN');
  }

  endSnapshot(): void {
    this.connection.exec('ROLLBACK');
  }

  close(): void {
    this.connection.close();
  }

  private statement(sql: string): Statement {
    const known = this.prepared.get(sql);
    if (known) return known;
    if (this.prepared.size === PREPARED_AT_MOST) this.prepared.clear();
    const statement = this.connection.prepare(sql);
    this.prepared.set(sql, statement);
    return statement;
  }
}
