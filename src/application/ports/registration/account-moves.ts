import { token } from '../inject';
import type { AccountMove, AccountMoveState } from '../../../domain/registration/account-move';
import type { ListPosition } from '../storage/page';

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
