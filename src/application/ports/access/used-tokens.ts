import { token } from '../inject';

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
