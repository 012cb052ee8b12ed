import type { IdempotencyRecord } from '../../../domain/access/idempotency-record';

/** Within a unit of work. Keys are told apart by account. */
export interface IdempotencyRecordRepository {
  /** Answers whether it was added: not where the account has used the key. */
  add(request: IdempotencyRecord): Promise<boolean>;
  /** Locks the request for the rest of the unit of work. */
  lock(accountId: string, key: string): Promise<IdempotencyRecord | undefined>;
  save(request: IdempotencyRecord): Promise<void>;
  /** Puts off the end of what these still hold. Needs no lock. */
  extend(holders: readonly string[], until: Date): Promise<void>;
  /** Lets go, whoever holds it, of what is held until `until` at the latest. Needs no lock. */
  letGo(until: Date): Promise<void>;
}
