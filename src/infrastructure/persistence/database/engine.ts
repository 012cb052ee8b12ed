import type { EntityManager } from 'typeorm';

/** Runs queries of repositories, on the database or within one transaction. */
export interface Queries {
  query<T>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
}

export interface TransactionOptions {
  /** If transactions take turns, the long ones of all accounts get one share. */
  readonly isLong?: boolean;
}

/** Connections to the database, and callers that wait for one. */
export interface ConnectionUse {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The differences between databases. Throws the driver's errors. */
export interface Engine extends Queries {
  /** Connects and migrates the schema; of several processes that start together, one migrates. Returns the names of the migrations that it ran. */
  open(): Promise<readonly string[]>;
  close(): Promise<void>;
  /** All reads see the same moment. */
  snapshot<T>(use: (queries: Queries) => Promise<T>): Promise<T>;
  /** All or nothing; `work` may be repeated. If transactions take turns, each `accountId` gets an equal share of the time. */
  transaction<T>(
    work: (manager: EntityManager) => Promise<T>,
    accountId?: string,
    options?: TransactionOptions,
  ): Promise<T>;
  readonly connections: ConnectionUse;
  /** Appended to a SELECT: holds the rows for the rest of the transaction. */
  readonly forUpdate: string;
  /** Appended after `forUpdate`: passes over rows that another transaction holds, instead of waiting for it. */
  readonly skipLocked: string;
}
