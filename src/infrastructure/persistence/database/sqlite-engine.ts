import type { DataSource, EntityManager } from 'typeorm';
import { sqliteDataSource, type DatabaseContent } from './data-source';
import type { Engine, Queries } from './engine';
import { Mutex } from './mutex';
import { ensurePrivateFile } from './private-file';
import { assertSchemaUsable } from './schema-requirement';
import { SqliteReader } from './sqlite-reader';

/** One connection that writes, in transactions that take turns, and others that see committed data only. */
export class SqliteEngine implements Engine {
  /** Whoever writes holds the whole database already. */
  readonly forUpdate = '';
  readonly skipLocked = '';
  private readonly writing: DataSource;
  private reading: SqliteReader | undefined;
  private readonly oneAtATime = new Mutex();
  private readonly idle: SqliteReader[] = [];

  constructor(
    private readonly file: string,
    private readonly content: DatabaseContent,
  ) {
    this.writing = sqliteDataSource(file, content);
  }

  async open(): Promise<readonly string[]> {
    ensurePrivateFile(this.file);
    await this.writing.initialize();
    try {
      const migrated = await this.migrate();
      this.reading = new SqliteReader(this.file);
      return migrated;
    } catch (error) {
      await this.writing.destroy();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const reader of this.idle.splice(0)) reader.close();
    this.reading?.close();
    await this.writing.destroy();
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

  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.oneAtATime.run(() => this.immediately(work));
  }

  /** All migrations or none, and nobody else's at the same time. As SQLite advises, foreign keys are checked at the end. */
  private async migrate(): Promise<readonly string[]> {
    await this.writing.query('PRAGMA foreign_keys = OFF');
    const migrated = await this.immediately(async (manager) => {
      await assertSchemaUsable((sql, parameters) => manager.query(sql, parameters), this.content);
      const done = await this.writing.runMigrations({ transaction: 'none' });
      if (done.length === 0) return [];
      const orphans = await manager.query<unknown[]>('PRAGMA foreign_key_check');
      if (orphans.length > 0) throw new Error(`migrations would leave ${orphans.length} rows that refer to nothing`);
      return done.map(({ name }) => name);
    });
    await this.writing.query('PRAGMA foreign_keys = ON');
    return migrated;
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
      // After some failures, such as a full disk, SQLite has done so by itself.
      await runner.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}
