import type { Operation, OperationState } from '../../../domain/registration/operations/operation';
import type { OwnedDomain, WantedDomain } from './domain-repository';
import type { DomainName } from '../../../domain/shared/domain-name';
import type { Transfer } from '../../../domain/registration/transfers/transfer';
import type { TransferState } from '../../../domain/registration/transfers/transfer-state';
import { token } from '../inject';
import type { AccountMove, AccountMoveState } from '../../../domain/registration/account-move';
import type { ListPosition } from '../storage/page';

/** The place of an operation among those that are due. */
export interface DueOperation {
  readonly operationId: string;
  readonly dueAt: Date;
}

/** Reads committed state. */
export interface OperationReader {
  find(accountId: string, id: string): Promise<Operation | undefined>;
  /** The account's operations of a domain, newest first, starting after `after`; not those of an account that had it before. */
  page(wanted: WantedDomain, limit: number, after?: ListPosition): Promise<readonly OperationState[]>;
  /** The account's operations, newest first, starting after `after`; with `names` or `tags`, those of domains that have one of them now. */
  pageOfAccount(
    accountId: string,
    filter: { readonly names?: readonly string[] | undefined; readonly tags?: readonly string[] | undefined },
    limit: number,
    after?: ListPosition,
  ): Promise<readonly OperationState[]>;
  /** Those of `ids` that are finished. */
  finishedAmong(ids: readonly string[]): Promise<readonly Operation[]>;
  /** Those of `ids`, any number of them, that are the account's. */
  ownedAmong(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Domains whose first unfinished operation is due: never begun, to be repeated, or left by a runner whose lease ran
   * out. Longest due first; operations queued behind another one are left out. Starts after `after`.
   */
  domainsWithWork(now: Date, limit: number, after?: DueOperation): Promise<readonly (OwnedDomain & DueOperation)[]>;
}
export const OperationReader = token<OperationReader>('OperationReader');

/** Within a unit of work that has locked the domain, unless a method says that it needs no lock. */
export interface OperationRepository {
  find(id: string): Promise<Operation | undefined>;
  /** All that is not finished on a domain, in the order in which it was asked for. */
  unfinished(domainId: string): Promise<readonly Operation[]>;
  /** @throws OperationInProgress if an operation has that id */
  add(operation: Operation): Promise<void>;
  save(operation: Operation): Promise<void>;
  /** Puts off the end of those leases that `owner` still holds. Needs no lock. */
  extendLeases(ids: readonly string[], owner: string, until: Date): Promise<void>;
  /** Ends all leases that expire at or before `until`, regardless of their holder. Needs no lock. */
  endLeases(until: Date, now: Date): Promise<void>;
  /** Erases what an operation had to hand over. Needs no lock. */
  eraseHandover(id: string): Promise<void>;
}

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

/** Within a unit of work. */
export interface AccountMoveRepository {
  /** Undefined if neither account is this one. */
  lock(accountId: string, id: string): Promise<AccountMove | undefined>;
  /** The one that waits for a decision, expired ones left out. The domain must be locked for it to stay the only one. */
  openOf(domainId: string, now: Date): Promise<AccountMove | undefined>;
  add(move: AccountMove): Promise<void>;
  save(move: AccountMove): Promise<void>;
}

export interface MoveFilter {
  /** `in`: to the account; `out`: away from it; absent: both. */
  readonly direction?: 'in' | 'out' | undefined;
  /** Only those that wait for a decision then. */
  readonly openAt?: Date | undefined;
}

/** Reads committed state: the moves of which an account is one of the two. */
export interface AccountMoveReader {
  find(accountId: string, id: string): Promise<AccountMove | undefined>;
  /** Newest first. */
  page(
    accountId: string,
    filter: MoveFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly AccountMoveState[]>;
  /** How many wait for a decision of the account. */
  countIncoming(accountId: string, now: Date): Promise<number>;
}
export const AccountMoveReader = token<AccountMoveReader>('AccountMoveReader');
