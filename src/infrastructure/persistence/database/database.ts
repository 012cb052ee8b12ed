import type { EntityManager } from 'typeorm';
import { FairSlots } from '../../../application/shared/fair-slots';
import { StorageFailing, StorageUnavailable } from '../../../application/ports/storage/storage-unavailable';
import { observe } from '../../../application/shared/observation';
import { ServiceError } from '../../../domain/shared/service-error';
import type { DatabaseContent } from './data-source';
import type { DatabaseLocation } from './database-location';
import { isConnectionLoss, isDeadlock, isDiskFailure } from './database-errors';
import type { ConnectionUse, Engine, Queries, TransactionOptions } from './engine';
import { MysqlEngine } from './mysql/mysql-engine';
import { SqliteEngine } from './sqlite/sqlite-engine';

export type { Queries } from './engine';

/** Each uses a connection; a MySQL pool has ten. Publication has its own, so it never waits for callers of the API. */
const PUBLICATION_SNAPSHOTS = 3;
const CALLER_SNAPSHOTS = 3;
const SNAPSHOTS_OF_AN_ACCOUNT = 2;
const PUBLICATION = '';

/** A database of either kind: reads of committed data, and transactions. */
export class Database implements Queries {
  /** Statements run in the thread of the caller, which can do nothing else meanwhile. */
  readonly isInThread: boolean;
  private readonly engine: Engine;
  private readonly publicationSnapshots = new FairSlots(PUBLICATION_SNAPSHOTS, PUBLICATION_SNAPSHOTS);
  private readonly callerSnapshots = new FairSlots(CALLER_SNAPSHOTS, SNAPSHOTS_OF_AN_ACCOUNT);

  constructor(location: DatabaseLocation, content: DatabaseContent) {
    this.isInThread = location.kind === 'sqlite';
    this.engine =
      location.kind === 'sqlite' ? new SqliteEngine(location.file, content) : new MysqlEngine(location, content);
  }

  /** Returns the names of the migrations that it ran, in order. */
  async open(): Promise<readonly string[]> {
    return this.engine.open();
  }

  async close(): Promise<void> {
    await this.engine.close();
  }

  /** @throws StorageUnavailable */
  async query<T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return observe({ kind: 'database', name: 'query', sql }, () =>
      translateErrors(this.engine.query<T>(sql, parameters)),
    );
  }

  /**
   * A consistent snapshot; few run at a time. Without `accountId` it is for publication, otherwise for a caller of that account.
   * `use` must not wait for the reader of a response. @throws StorageUnavailable
   */
  async snapshot<T>(use: (queries: Queries) => Promise<T>, accountId?: string): Promise<T> {
    const slots = accountId === undefined ? this.publicationSnapshots : this.callerSnapshots;
    return observe({ kind: 'database', name: 'snapshot' }, () =>
      translateErrors(slots.run(accountId ?? PUBLICATION, () => this.engine.snapshot(use))),
    );
  }

  /** All or nothing; `work` is repeated after a deadlock. If transactions take turns, accounts get equal shares of the time. @throws StorageUnavailable */
  async transaction<T>(
    work: (manager: EntityManager) => Promise<T>,
    accountId?: string,
    options?: TransactionOptions,
  ): Promise<T> {
    return observe({ kind: 'database', name: 'transaction' }, () =>
      translateErrors(this.engine.transaction(work, accountId, options)),
    );
  }

  /** How the connections are used now. */
  get connections(): ConnectionUse {
    return this.engine.connections;
  }

  /** Appended to a SELECT: holds the rows for the rest of the transaction. */
  get forUpdate(): string {
    return this.engine.forUpdate;
  }

  /** Appended after `forUpdate`: passes over rows that another transaction holds, instead of waiting for it. */
  get skipLocked(): string {
    return this.engine.skipLocked;
  }
}

async function translateErrors<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (isDiskFailure(error)) throw new StorageFailing({ cause: error });
    throw isConnectionLoss(error) || isDeadlock(error) ? new StorageUnavailable({ cause: error }) : error;
  }
}
