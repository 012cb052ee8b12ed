import type { IdempotencyRecord, IdempotencyRecordState } from '../../../domain/access/idempotency-record';
import { token } from '../inject';

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

/** Tokens that are sealed or signed instead of stored until they are used, by their digests. Reads committed state. */
export interface UsedTokenReader {
  /** When the last of those of the tokens expires that were used. */
  usedUntil(digests: readonly string[]): Promise<Date | undefined>;
}
export const UsedTokenReader = token<UsedTokenReader>('UsedTokenReader');

/** Within a unit of work. A digest is SHA-256, in hexadecimal. */
export interface UsedTokens {
  /** Whether the token has not been used before. Until the unit of work ends, others that use it wait. */
  use(digest: string, expiresAt: Date): Promise<boolean>;
  /** The same for a token that may have been used before: it expires then. */
  useAgain(digest: string, expiresAt: Date): Promise<void>;
  /** The same, but it expires at least a millisecond after the time of its earlier use. Returns when: a number that only grows. */
  useLater(digest: string, expiresAt: Date): Promise<Date>;
}
