import { dictionary } from '@zxcvbn-ts/language-common';
import { compare, hash } from 'bcrypt';
import type { Passwords } from '../../application/ports/access/passwords';
import { MAX_PASSWORD_BYTES } from '../../domain/access/password';

/** 2^12 rounds: a quarter of a second for us, and for each guess of somebody who has the hashes. */
const COST = 12;
/** Of the same cost, compared with where there is no hash, so that this takes as long. */
const NOBODY = '$2b$12$sEKpo3N.7KbquEoWG/Layui4RbTCTLrYasX5SH8gzHXoC9rjQCblC';

export class BcryptPasswords implements Passwords {
  private readonly common: ReadonlySet<string> = new Set(dictionary['passwords-common']);

  hash(password: string): Promise<string> {
    return hash(password, COST);
  }

  async matches(password: string, stored: string | null): Promise<boolean> {
    const equal = await compare(password, stored ?? NOBODY);
    return equal && stored !== null && !isCutOff(password);
  }

  /** Digits and signs around a common password do not hide it. */
  isCommon(password: string): boolean {
    const text = password.toLowerCase();
    return this.common.has(text) || this.common.has(text.replace(/^[^a-z]+|[^a-z]+$/g, ''));
  }
}

/** bcrypt takes a longer text for its beginning. */
function isCutOff(password: string): boolean {
  return Buffer.byteLength(password) > MAX_PASSWORD_BYTES;
}
