import { token } from '../inject';
import type { AuditFact } from '../../../domain/access/audit-entry';
import type { BulkStep } from '../../../domain/portfolio/bulk-job';
import type { OperationState } from '../../../domain/registration/operation';
import type { TransferState } from '../../../domain/registration/transfer';
import type { Stores } from './unit-of-work';

/** What a change would store. */
export interface RehearsedChange {
  readonly facts: readonly AuditFact[];
  readonly operations: readonly OperationState[];
  readonly transfers: readonly TransferState[];
  /** What a bulk job would do, domain after domain. */
  readonly bulkSteps: readonly BulkStep[];
}

/** Runs within the unit of work that stores the change. */
export type AssertChange = (change: RehearsedChange, stores: Pick<Stores, 'domains'>) => Promise<void>;

/** Finds out what a use case would do, with all of its checks. */
export interface Rehearsals {
  /**
   * Runs `work` until the end of its first unit of work that stores something; only audit entries, operations, transfers and
   * bulk jobs are told.
   * Every unit of work in it is undone. Undefined if `work` ends without such a one: it changes nothing. For use cases that change zones, their dry run is meant,
   * because changes of zones share units of work. @throws what `work` throws
   */
  rehearse(work: () => Promise<unknown>): Promise<RehearsedChange | undefined>;
  /** Runs `work`, unless `assert`, which is given what a rehearsal would tell, throws: then that is undone. @throws what both throw */
  guard<T>(work: () => Promise<T>, assert: AssertChange): Promise<T>;
}
export const Rehearsals = token<Rehearsals>('Rehearsals');
