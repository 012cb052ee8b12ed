import type { Passwords } from '../../src/application/ports/passwords';

/** Hashes that cost nothing, and one common password. */
export class PlainPasswords implements Passwords {
  async hash(password: string): Promise<string> {
    return `hash of ${password}`;
  }

  async matches(password: string, hash: string | null): Promise<boolean> {
    return hash === `hash of ${password}`;
  }

  isCommon(password: string): boolean {
    return password === 'correct horse';
  }
}
