import { randomBytes, randomInt } from 'node:crypto';
import type { TokenGenerator } from '../../../application/ports/access/users';

/** Without 0, O, 1, l and I, which look alike. */
const READABLE = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 5;
const GROUP_LENGTH = 4;

export class RandomTokens implements TokenGenerator {
  token(): string {
    return randomBytes(32).toString('base64url');
  }

  password(): string {
    return Array.from({ length: GROUPS }, () =>
      Array.from({ length: GROUP_LENGTH }, () => READABLE[randomInt(READABLE.length)]).join(''),
    ).join('-');
  }
}
