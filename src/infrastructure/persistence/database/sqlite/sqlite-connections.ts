import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Sqlite, { type Database, type Statement } from 'better-sqlite3';
import { SQLITE_PRAGMAS, SQLITE_TIMEOUT_MS } from '../data-source';
import type { Queries } from '../engine';

/** Sent to the thread in lists; it responds to each, in order. */
export interface WriterRequest {
  readonly command: 'open' | 'pragma' | 'begin' | 'run' | 'commit' | 'rollback' | 'close';
  /** A statement; with `open` the file. */
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type StatementResult =
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly changes: number; readonly lastInsertRowid: number | bigint };

export interface WriterResponse {
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly code: string | undefined };
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const THREAD_FILE = join(__dirname, 'sqlite-writer-thread.js');

/**
 * The connection that writes to a SQLite file, in a worker thread: SQLite waits for the disk and for locks of other
 * processes there, not in the event loop. Requests are carried out in order, so a request need not wait for the one before.
 * Errors have the code of the driver, or SQLITE_THREAD_LOST if the thread ended, which rolls back uncommitted work.
 */
export class SqliteWriter {
  private readonly worker = new Worker(THREAD_FILE, { name: 'sqlite-writer' });
  private readonly pending: Pending[] = [];
  private readonly unsent: WriterRequest[] = [];
  private cause: unknown;
  private hasEnded = false;

  private constructor() {
    this.worker.on('message', (responses: readonly WriterResponse[]) => this.settle(responses));
    this.worker.on('error', (error) => {
      this.cause = error;
    });
    this.worker.once('exit', () => {
      this.hasEnded = true;
      for (const { reject } of this.pending.splice(0)) reject(this.lost());
    });
  }

  static async open(file: string): Promise<SqliteWriter> {
    const writer = new SqliteWriter();
    try {
      await writer.send('open', file, [SQLITE_TIMEOUT_MS, ...SQLITE_PRAGMAS]);
      return writer;
    } catch (error) {
      await writer.worker.terminate();
      throw error;
    }
  }

  /** The thread has ended unexpectedly: open another writer. */
  get isLost(): boolean {
    return this.hasEnded;
  }

  async pragma(text: string): Promise<void> {
    await this.send('pragma', text);
  }

  /**
   * If it fails, the statements that follow and the commit fail with the same error. With `isSpeculative` it fails with
   * SQLITE_STALE if another process has committed since the last transaction began.
   */
  async begin(isSpeculative = false): Promise<void> {
    await this.send('begin', '', [Number(isSpeculative)]);
  }

  async run(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    return (await this.send('run', sql, parameters)) as StatementResult;
  }

  /** If it fails, the transaction is rolled back. */
  async commit(): Promise<void> {
    await this.send('commit');
  }

  async rollback(): Promise<void> {
    await this.send('rollback');
  }

  async close(): Promise<void> {
    if (!this.hasEnded) await this.send('close');
    await this.worker.terminate();
  }

  private send(command: WriterRequest['command'], sql = '', parameters: readonly unknown[] = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.hasEnded) throw this.lost();
      if (this.unsent.length === 0) process.nextTick(() => this.post());
      this.unsent.push({ command, sql, parameters });
      // Only a pending response keeps the process alive.
      if (this.pending.length === 0) this.worker.ref();
      this.pending.push({ resolve, reject });
    });
  }

  /** Sends the requests of one turn in one message, because a message costs more than most statements. */
  private post(): void {
    const requests = this.unsent.splice(0);
    try {
      this.worker.postMessage(requests);
    } catch (error) {
      // A parameter that SQLite cannot store cannot be cloned for the message either.
      for (const { reject } of this.pending.splice(-requests.length)) reject(error as Error);
      if (this.pending.length === 0) this.worker.unref();
    }
  }

  private settle(responses: readonly WriterResponse[]): void {
    const settled = this.pending.splice(0, responses.length);
    if (this.pending.length === 0) this.worker.unref();
    for (const [index, { resolve, reject }] of settled.entries()) {
      const { result, error } = responses[index] ?? {};
      if (error) reject(Object.assign(new Error(error.message), error));
      else resolve(result);
    }
  }

  private lost(): Error {
    return Object.assign(new Error('the thread that writes to the database has ended', { cause: this.cause }), {
      code: 'SQLITE_THREAD_LOST',
    });
  }
}

const BUSY_TIMEOUT_MS = 5_000;
const PREPARED_AT_MOST = 500;

/**
 * A connection that reads committed data, without TypeORM, whose overhead exceeds the cost of a look-up by key.
 */
export class SqliteReader implements Queries {
  private readonly connection: Database;
  private readonly prepared = new Map<string, ArrayStatement>();

  constructor(file: string) {
    this.connection = new Sqlite(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
    // SQLite's own function converts ASCII only; MySQL's converts Unicode.
    this.connection.function('lower', { deterministic: true }, (text) =>
      typeof text === 'string' ? text.toLowerCase() : text,
    );
  }

  async query<T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const { statement, columns } = this.statement(sql);
    return statement.all(...parameters).map((values) => toRow(columns, values)) as T[];
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

  private statement(sql: string): ArrayStatement {
    const known = this.prepared.get(sql);
    if (known) return known;
    if (this.prepared.size === PREPARED_AT_MOST) this.prepared.clear();
    const statement = this.connection.prepare<unknown[], readonly unknown[]>(sql).raw();
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) };
    this.prepared.set(sql, prepared);
    return prepared;
  }
}

/** Returns rows as arrays: V8 keeps the members of better-sqlite3's objects in hash tables, and 20 records take 34 µs instead of 23. */
interface ArrayStatement {
  readonly statement: Statement<unknown[], readonly unknown[]>;
  readonly columns: readonly string[];
}

function toRow(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) row[column] = values[index];
  return row;
}
