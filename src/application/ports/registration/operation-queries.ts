import { token } from '../inject';
import type { OperationState } from '../../../domain/registration/operation';

/** An operation with the name of the domain that it is about. */
export interface NamedOperation {
  readonly domainName: string;
  /** Whether the account no longer has the domain. */
  readonly domainGone: boolean;
  readonly domainExpiresAt: Date;
  readonly operation: OperationState;
}

/** Operations of one account, or of its domains with one of `tags`, that a person may want to know of. Reads committed state. */
export interface OperationQueries {
  /** Those without a certain outcome since before `before`, the longest first. */
  uncertain(
    accountId: string,
    before: Date,
    limit: number,
    tags?: readonly string[],
  ): Promise<readonly NamedOperation[]>;
  /** Failed since `since`, of domains that can still be renewed, and no later renewal follows; the latest first. */
  failedRenewals(
    accountId: string,
    since: Date,
    limit: number,
    tags?: readonly string[],
  ): Promise<readonly NamedOperation[]>;
}
export const OperationQueries = token<OperationQueries>('OperationQueries');
