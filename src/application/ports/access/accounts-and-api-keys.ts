import { token } from '../inject';
import type { Account } from '../../../domain/access/account';
import type { Actor } from '../../../domain/access/actor';
import type { ApiKey, ApiKeyToken } from '../../../domain/access/api-key';
import type { Money } from '../../../domain/shared/money';
import type { ListPosition } from '../storage/page';

export interface ApiKeyFilter {
  /** Only keys that are active at that instant. */
  readonly activeAt?: Date | undefined;
  /** Only keys that are expired or revoked at that instant. */
  readonly inactiveAt?: Date | undefined;
}

/** Reads committed state. */
export interface ApiKeyReader {
  find(keyId: string): Promise<ApiKey | undefined>;
  /** Oldest first. */
  ofAccount(accountId: string): Promise<readonly ApiKey[]>;
  /** Newest first, starting after (older than) `after`, whose id is a key id. */
  page(accountId: string, filter: ApiKeyFilter, limit: number, after?: ListPosition): Promise<readonly ApiKey[]>;
  /** Keys of all accounts that expire after `after` and until `until`, also for lack of use. Reads all keys, in parts. */
  expiring(after: Date, until: Date): AsyncIterable<readonly ApiKey[]>;
}
export const ApiKeyReader = token<ApiKeyReader>('ApiKeyReader');

/** Within a unit of work. */
export interface ApiKeyRepository {
  /** Locks the key for the rest of the unit of work. */
  lock(keyId: string): Promise<ApiKey | undefined>;
  /**
   * The keys of the account that `keysCreatedBy` finds for `creator` and that are not revoked, oldest first, locked for the rest
   * of the unit of work.
   */
  lockCreatedBy(accountId: string, creator: Actor): Promise<readonly ApiKey[]>;
  /** The active keys that jobs got by a trust rule of the account, locked for the rest of the unit of work. */
  lockActiveOfRule(accountId: string, ruleId: string, now: Date): Promise<readonly ApiKey[]>;
  /** How many keys of the account are active. The account must be locked for the number to stay true. */
  countActive(accountId: string, now: Date): Promise<number>;
  add(key: ApiKey): Promise<void>;
  /** All but the last use. */
  save(key: ApiKey): Promise<void>;
  /** The last use of each key by its id; an earlier one changes nothing. */
  markUsed(uses: ReadonlyMap<string, Date>): Promise<void>;
}

/** Reads committed state. */
export interface AccountReader {
  find(id: string): Promise<Account | undefined>;
  /** Oldest first. */
  all(): Promise<readonly Account[]>;
}
export const AccountReader = token<AccountReader>('AccountReader');

/** Within a unit of work. */
export interface AccountRepository {
  add(account: Account): Promise<void>;
  save(account: Account): Promise<void>;
  /**
   * Makes every other unit of work that locks the account wait until this one ends, on all nodes of a database cluster:
   * the account's row is written. Taken before the rows of its users, links and keys. Undefined: no such account.
   */
  lock(id: string): Promise<Account | undefined>;
}

export interface KeyGenerator {
  /** A new key: an id that begins with a letter or a digit, and 256 random bits. */
  next(): ApiKeyToken;
  /** The complete key as its owner sees it, with the prefix of this installation. */
  textOf(token: ApiKeyToken): string;
}
export const KeyGenerator = token<KeyGenerator>('KeyGenerator');

/** An order of a key with a limit on spend. */
export interface KeyOrder {
  /** The id of the operation or transfer. */
  readonly orderId: string;
  readonly keyId: string;
  readonly at: Date;
  readonly price: Money;
}

/** What keys with a limit on spend have ordered. Within a unit of work; the unit that has locked the key sees all its orders. */
export interface KeySpending {
  add(order: KeyOrder): Promise<void>;
  /** The sum of the key's orders since then, in minor units. */
  total(keyId: string, since: Date): Promise<number>;
  /** Removes an order that failed. Does nothing if there is none. */
  release(orderId: string): Promise<void>;
}
