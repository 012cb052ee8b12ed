import type { BulkStep, BulkCounts, BulkItem, BulkJob } from '../../../domain/portfolio/bulk-job';
import type { Actor } from '../../../domain/access/actor';
import type { DesiredSettings, DesiredState } from '../../../domain/portfolio/desired-state';
import type { Money } from '../../../domain/shared/money';
import type { ListPosition } from '../storage/page';
import { token } from '../inject';
import type { CostGroup } from '../../../domain/registration/cost-statement';

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
  /** Stores the outcome of a waiting item, and erases its own action if it has none any more. Returns false, and changes nothing, if it no longer waits. */
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

/** The state that was last applied to a name. */
export interface StoredState {
  readonly domainId: string;
  readonly accountId: string;
  /** In A-labels. */
  readonly name: string;
  readonly state: DesiredState;
  /** Of the zone, after it was applied. */
  readonly zoneVersion: number;
  readonly actor: Actor;
  readonly appliedAt: Date;
  /** When records or settings were first changed past it; null if they were not. */
  readonly driftedAt: Date | null;
}

/** Within a unit of work. */
export interface DesiredStateRepository {
  /** In place of an earlier one of the same name; the zone, if the state has records, is marked as its owner's. Needs the zone locked. */
  put(state: StoredState): Promise<void>;
  /**
   * Keeps an earlier mark, and ends it if the records are as the state says again: then the unit of work examines the settings.
   * @param sum of `driftSum`; undefined keeps the mark until the state is applied again
   */
  markRecordsDrifted(domainId: string, sum: number | undefined, at: Date): Promise<void>;
  /** Keeps an earlier mark. */
  markSettingsDrifted(domainId: string, at: Date): Promise<void>;
  /** Keeps the mark if records differ. */
  endDriftOfSettings(domainId: string): Promise<void>;
  /** Locks the state. Undefined if the name has none with settings. */
  lockSettings(domainId: string): Promise<StoredSettings | undefined>;
}

export interface StoredSettings {
  readonly accountId: string;
  readonly settings: DesiredSettings;
}

/** Reads committed state. */
export interface DesiredStateReader {
  find(accountId: string, domainId: string): Promise<StoredState | undefined>;
  /** Whether a state was applied to a name of the account that was registered here, and is no longer. */
  hasGone(accountId: string, name: string): Promise<boolean>;
  /** Past which records or settings were changed, the longest ago first. @param after the `driftedAt` and the domain's id of the last one before */
  drifted(accountId: string, limit: number, after?: ListPosition): Promise<readonly StoredState[]>;
}
export const DesiredStateReader = token<DesiredStateReader>('DesiredStateReader');

/** Which domains are counted: all of the account, or those with one of the names, or with one of the tags. */
export interface CostFilter {
  readonly names?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface CostGroups {
  readonly groups: readonly CostGroup[];
  /** Whether there was more than is summed up for a page: the earliest charges, or the last renewals, are left out. */
  readonly isCut: boolean;
  /** Whether the tags are left out, because there are too many different sets of them. */
  readonly tagsAreCut: boolean;
  /** Renewals whose prices no registry was asked for. */
  readonly unasked: number;
}

/** Sums of one account's costs, read in parts of a few milliseconds. Months are given by their beginnings; the last one is the end. */
export interface CostQueries {
  /** What registries charged, as their responses said, in the time in which domains live. */
  charged(accountId: string, months: readonly Date[], filter: CostFilter): Promise<CostGroups>;
  /**
   * What renewals of active domains cost, as registries quoted last: automatic ones `leadMs` before the expiry, at the earliest in the
   * first month; others at the expiry. Groups by month have neither TLDs nor tags.
   */
  renewals(
    accountId: string,
    months: readonly Date[],
    leadMs: number,
    filter: CostFilter,
    grouping?: 'by-month' | 'in-full',
  ): Promise<CostGroups>;
}
export const CostQueries = token<CostQueries>('CostQueries');
