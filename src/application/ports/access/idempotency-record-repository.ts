import type { IdempotencyRecord, IdempotencyRecordState } from '../../../domain/access/idempotency-record';

/** Within a unit of work. Each account has its own keys. */
export interface IdempotencyRecordRepository {
  /** Returns whether it was added: false if the account has used the key before. */
  add(request: IdempotencyRecord): Promise<boolean>;
  /** Locks the request for the rest of the unit of work. */
  lock(accountId: string, key: string): Promise<IdempotencyRecord | undefined>;
  save(request: IdempotencyRecord): Promise<void>;
  /**
   * Stores the response of the run with this holder. `isFinal` also ends the run; otherwise it may still replace the response.
   * Returns whether the run held the record.
   */
  respond(
    run: Pick<IdempotencyRecordState, 'accountId' | 'key'> & { readonly holder: string },
    response: string,
    options: { readonly isFinal: boolean },
  ): Promise<boolean>;
  /** Puts off the end of what these still hold. Needs no lock. */
  extend(holders: readonly string[], until: Date): Promise<void>;
  /** Releases all records that are held until `until` or earlier, regardless of their holder. Needs no lock. */
  endLeases(until: Date): Promise<void>;
}
