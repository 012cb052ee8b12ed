import { token } from '../inject';
import type { ApiKeyToken } from '../../../domain/access/api-key';

export interface KeyGenerator {
  /** A new key: an id that begins with a letter or a digit, and 256 random bits. */
  next(): ApiKeyToken;
  /** The complete key as its owner sees it, with the prefix of this installation. */
  textOf(token: ApiKeyToken): string;
}
export const KeyGenerator = token<KeyGenerator>('KeyGenerator');
