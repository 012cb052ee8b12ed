import { createHash } from 'node:crypto';
import type { Passwords } from '../../../src/application/ports/access/authentication';
import { MAX_PASSWORD_BYTES } from '../../../src/domain/access/people/password';

/** Hashes that cost nothing. Weak are one password and those made of the person's own words. */
export class PlainPasswords implements Passwords {
  async hash(password: string): Promise<string> {
    return digestOf(password);
  }

  async matching(password: string, hashes: readonly string[]): Promise<readonly string[]> {
    return Buffer.byteLength(password) <= MAX_PASSWORD_BYTES
      ? hashes.filter((hash) => hash === digestOf(password))
      : [];
  }

  async matches(password: string, hash: string | null): Promise<boolean> {
    return hash === digestOf(password) && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
  }

  isWeak(password: string, personal: readonly string[]): boolean {
    return password === 'correct horse' || personal.includes(password);
  }
}

function digestOf(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}
