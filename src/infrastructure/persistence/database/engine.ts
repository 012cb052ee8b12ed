import type { EntityManager } from 'typeorm';

/** What repositories ask their questions of: the database at large, or one transaction. */
export interface Queries {
  query<T>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
}

/** What each kind of database does its own way. What it throws is the driver's. */
export interface Engine extends Queries {
  /** Connects, and brings the schema up to date; of several processes that start at once, one does. Answers the names of the migrations that it has run. */
  open(): Promise<readonly string[]>;
  close(): Promise<void>;
  /** Reads of one and the same moment. */
  snapshot<T>(use: (queries: Queries) => Promise<T>): Promise<T>;
  /** All or nothing; `work` may be repeated. Where transactions take turns, those of each `accountId` get an equal share of the time. */
  transaction<T>(work: (manager: EntityManager) => Promise<T>, accountId?: string): Promise<T>;
  /** Appended to a SELECT: holds the rows for the rest of the transaction. */
  readonly forUpdate: string;
  /** Appended after `forUpdate`: passes over rows that another transaction holds, instead of waiting for it. */
  readonly skipLocked: string;
}
