import { token } from '../inject';
import type { DomainName } from '../../../domain/shared/domain-name';
import type { Transfer, TransferState } from '../../../domain/registration/transfers/transfer';
import type { ListPosition } from '../storage/page';

/** A transfer, as far as it takes to find it and its registry. */
export type NamedTransfer = Pick<TransferState, 'id' | 'name' | 'accountId'>;

/** Reads committed state. */
export interface TransferReader {
  find(accountId: string, id: string): Promise<Transfer | undefined>;
  /** Newest first, starting after `after`; only of `names` if given. */
  page(
    accountId: string,
    limit: number,
    after?: ListPosition,
    names?: readonly string[],
  ): Promise<readonly TransferState[]>;
  /** Those of `ids`, any number of them, that are the account's. */
  ownedAmong(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Transfers that are due at `now` or whose lease ran out: the one of each account that has waited longest, then the second of each,
   * and so on.
   */
  due(now: Date, limit: number): Promise<readonly NamedTransfer[]>;
}
export const TransferReader = token<TransferReader>('TransferReader');

/** Within a unit of work. */
export interface TransferRepository {
  /** Locks the transfer for the rest of the unit of work. */
  lock(accountId: string, id: string): Promise<Transfer | undefined>;
  lockAny(id: string): Promise<Transfer | undefined>;
  /** Undefined if another transaction has locked it. */
  lockIfFree(id: string): Promise<Transfer | undefined>;
  /** Locks the unfinished transfer of that name, of any account. */
  lockOpenByName(name: DomainName): Promise<Transfer | undefined>;
  /** @throws OperationInProgress if an unfinished transfer has that name */
  add(transfer: Transfer): Promise<void>;
  save(transfer: Transfer): Promise<void>;
  /** Puts off the end of those leases that `owner` still holds. Needs no lock. */
  extendLeases(ids: readonly string[], owner: string, until: Date): Promise<void>;
  /** Ends all leases that expire at or before `until`, regardless of their holder. Needs no lock. */
  endLeases(until: Date, now: Date): Promise<void>;
}
