import { timingSafeEqual } from 'node:crypto';
import { compare, hash } from 'bcrypt';
import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import type { Passwords } from '../../application/ports/access/passwords';
import { MAX_PASSWORD_BYTES } from '../../domain/access/password';
import { ServiceError } from '../../domain/shared/service-error';
import { isWeak } from './password-strength';

/** 2^12 rounds: a quarter of a second for us, and for each guess of somebody who has the hashes. */
const COST = 12;
/** Of the same cost, compared with where there is no hash, so that this takes as long. */
const UNKNOWN_HASH = '$2b$12$sEKpo3N.7KbquEoWG/Layui4RbTCTLrYasX5SH8gzHXoC9rjQCblC';

/** Of the four threads that files, compression and DNS look-ups share with bcrypt. */
const AT_A_TIME = 2;
/** As many as are done within three seconds. */
const MAX_WAITING = 20;

class PasswordsBusy extends ServiceError {
  readonly code = 'SERVICE_UNAVAILABLE';
  override readonly retryAfterSeconds = 3;

  constructor(options: ErrorOptions) {
    super('Too many passwords are being checked at the moment', undefined, options);
  }
}

export class BcryptPasswords implements Passwords {
  private readonly queue = bulkhead(AT_A_TIME, MAX_WAITING);

  hash(password: string, like?: string): Promise<string> {
    return this.inTurn(() => hash(password, like === undefined ? COST : saltOf(like)));
  }

  async matching(password: string, hashes: readonly string[]): Promise<readonly string[]> {
    const salts = new Set([...hashes, ...(hashes.length === 0 ? [UNKNOWN_HASH] : [])].map(saltOf));
    const calculated: Buffer[] = [];
    for (const salt of salts) calculated.push(Buffer.from(await this.inTurn(() => hash(password, salt))));
    return hashes.filter(
      (stored) =>
        !isCutOff(password) &&
        calculated.some((each) => each.length === stored.length && timingSafeEqual(each, Buffer.from(stored))),
    );
  }

  async matches(password: string, stored: string | null): Promise<boolean> {
    const equal = await this.inTurn(() => compare(password, stored ?? UNKNOWN_HASH));
    return equal && stored !== null && !isCutOff(password);
  }

  isWeak(password: string, personal: readonly string[]): boolean {
    return isWeak(password, personal);
  }

  /** @throws PasswordsBusy */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.queue.execute(work);
    } catch (error) {
      throw error instanceof BulkheadRejectedError ? new PasswordsBusy({ cause: error }) : error;
    }
  }
}

/** `$2b$12$` and 22 characters. */
function saltOf(stored: string): string {
  return stored.slice(0, 29);
}

/** bcrypt takes a longer text for its beginning. */
function isCutOff(password: string): boolean {
  return Buffer.byteLength(password) > MAX_PASSWORD_BYTES;
}
