import type { IdempotencyRecord } from '../../../domain/access/idempotency-record';

/** Within a unit of work. Each account has its own keys. */
export interface IdempotencyRecordRepository {
  /** Returns whether it was added: false if the account has used the key before. */
  add(request: IdempotencyRecord): Promise<boolean>;
  /** Locks the request for the rest of the unit of work. */
  lock(accountId: string, key: string): Promise<IdempotencyRecord | undefined>;
  save(request: IdempotencyRecord): Promise<void>;
  /** Puts off the end of what these still hold. Needs no lock. */
  extend(holders: readonly string[], until: Date): Promise<void>;
  /** Releases all records that are held until `until` or earlier, regardless of their holder. Needs no lock. */
  letGo(until: Date): Promise<void>;
}
