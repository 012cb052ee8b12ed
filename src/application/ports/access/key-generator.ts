import type { ApiKeyToken } from '../../../domain/access/api-key';

export interface KeyGenerator {
  /** A new key: an id that begins with a letter or a digit, and 256 random bits. */
  next(): ApiKeyToken;
}
export const KeyGenerator = Symbol('KeyGenerator');
