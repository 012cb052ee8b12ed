import { token } from '../inject';

/** `hash` and `matches` wait in a short queue, and fail with SERVICE_UNAVAILABLE if it is full. */
export interface Passwords {
  /** Slow on purpose. Of a text of at most 72 bytes. With the salt of `like`, so that one calculation compares a text with both. */
  hash(password: string, like?: string): Promise<string>;
  /** Takes the same time for any password and without a hash. Nothing matches without a hash, nor a text of more than 72 bytes. */
  matches(password: string, hash: string | null): Promise<boolean>;
  /** Those of the hashes that the password matches. Takes as long as `matches`, if all of them have one salt. */
  matching(password: string, hashes: readonly string[]): Promise<readonly string[]>;
  /** Whether the text is easy to guess: a common password, a pattern, or one made of `personal`, words about the person. */
  isWeak(password: string, personal: readonly string[]): boolean;
}
export const Passwords = token<Passwords>('Passwords');
