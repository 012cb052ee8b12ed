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

/** Operations that a person may want to know of: those of one account, or of its domains with one of `tags`, if not said otherwise. Reads committed state. */
export interface OperationQueries {
  /** Those without a certain outcome since before `before`, the longest first. */
  uncertain(
    accountId: string,
    before: Date,
    limit: number,
    tags?: readonly string[],
  ): Promise<readonly NamedOperation[]>;
  /** Of all accounts, in the order of their ids; `uncertain`: only those without a certain outcome. */
  unfinished(
    list: { readonly uncertain: boolean; readonly after: string | undefined },
    limit: number,
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
