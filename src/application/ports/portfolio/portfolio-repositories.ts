import { token } from '../inject';
import type { BulkStep, BulkCounts, BulkItem, BulkJob } from '../../../domain/portfolio/bulk-job';
import type { Money } from '../../../domain/shared/money';

/** The sum of some charges in one currency. */
export interface BulkCharge {
  readonly total: Money;
  readonly domains: number;
}

/** Reads committed state. */
export interface BulkJobReader {
  find(accountId: string, id: string): Promise<BulkJob | undefined>;
  /** Of the account, newest first. @param actor only those that it began, as text */
  latest(accountId: string, limit: number, actor?: string): Promise<readonly BulkJob[]>;
  counts(id: string): Promise<BulkCounts>;
  /** Those in the state, by attempts and name, starting at `from`. */
  items(id: string, state: BulkItem['state'], limit: number): Promise<readonly BulkItem[]>;
  /** What registries charged for the items that are done, as far as they said so, by currency. */
  charges(id: string): Promise<readonly BulkCharge[]>;
  /** Whether an item of the job has been done that can be undone. */
  isUndoable(id: string): Promise<boolean>;
  /** Jobs that are not finished: the oldest of each account, then the second of each, and so on. */
  unfinished(limit: number): Promise<readonly BulkJob[]>;
}
export const BulkJobReader = token<BulkJobReader>('BulkJobReader');

/** Within a unit of work. */
export interface BulkJobRepository {
  add(job: BulkJob, items: readonly BulkItem[]): Promise<void>;
  /** Locks the job for the rest of the unit of work. */
  lock(id: string): Promise<BulkJob | undefined>;
  save(job: BulkJob): Promise<void>;
  /** The jobs that the account started or retried after that time (a retry is in the audit log), and their domains. */
  startedSince(accountId: string, time: Date): Promise<{ readonly jobs: number; readonly domains: number }>;
  /** Stores how an item that waits is undone, unless that is stored already. */
  prepare(id: string, domainId: string, undo: BulkStep): Promise<void>;
  /** Stores the outcome of a waiting item. Returns false, and changes nothing, if it no longer waits. */
  settle(id: string, item: BulkItem): Promise<boolean>;
  /** The items that failed, by attempts and name. */
  failed(id: string): Promise<readonly BulkItem[]>;
  /** Replaces items that failed by those that wait. The job must be locked. */
  retry(id: string, items: readonly BulkItem[]): Promise<void>;
  hasWaiting(id: string): Promise<boolean>;
  /** As the reader's, within the unit of work. */
  isUndoable(id: string): Promise<boolean>;
}

/** A filter, order and columns of the domain list that an account has given a name. */
export interface SavedView {
  readonly name: string;
  /** The query string of the list. */
  readonly query: string;
}

/** Reads committed state. */
export interface SavedViewReader {
  /** By name. */
  ofAccount(accountId: string): Promise<readonly SavedView[]>;
}
export const SavedViewReader = token<SavedViewReader>('SavedViewReader');

/** Within a unit of work. */
export interface SavedViewRepository {
  /** Replaces the view of that name. */
  put(accountId: string, view: SavedView): Promise<void>;
  /** Does nothing if the account has no such view. */
  remove(accountId: string, name: string): Promise<void>;
  count(accountId: string): Promise<number>;
}
