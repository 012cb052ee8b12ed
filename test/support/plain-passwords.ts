import { createHash } from 'node:crypto';
import type { Passwords } from '../../src/application/ports/access/passwords';

/** Hashes that cost nothing, and one common password. */
export class PlainPasswords implements Passwords {
  async hash(password: string): Promise<string> {
    return digestOf(password);
  }

  async matches(password: string, hash: string | null): Promise<boolean> {
    return hash === digestOf(password);
  }

  isCommon(password: string): boolean {
    return password === 'correct horse';
  }
}

function digestOf(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}
