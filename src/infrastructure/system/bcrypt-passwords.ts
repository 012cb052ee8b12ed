import { timingSafeEqual } from 'node:crypto';
import { compare, hash } from 'bcrypt';
import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import type { Passwords } from '../../application/ports/access/authentication';
import { MAX_PASSWORD_BYTES } from '../../domain/access/people/password';
import { ServiceError } from '../../domain/shared/service-error';
import { isWeak } from './password-strength';

/** 2^12 rounds: about 250 ms a hash. */
const COST = 12;
const UNKNOWN_PASSWORD = 'sEKpo3N.7KbquEoWG/Layui4RbTCTLrYasX5SH8gzHXoC9rjQCblC';

/** Leaves two of libuv's four threads for files, compression and DNS lookups. */
const MAX_CONCURRENT = 2;
/** As many as finish within three seconds. */
const MAX_QUEUED = 20;

class PasswordsBusy extends ServiceError {
  readonly code = 'SERVICE_UNAVAILABLE';
  override readonly retryAfterSeconds = 3;

  constructor(options: ErrorOptions) {
    super('Too many password checks are running. Try again in a few seconds.', undefined, options);
  }
}

export class BcryptPasswords implements Passwords {
  private readonly queue = bulkhead(MAX_CONCURRENT, MAX_QUEUED);
  /** Compared if a person has no hash, so that the duration does not reveal it. */
  private readonly unknownHash: string;

  /** @param cost of new hashes; lower in tests only */
  constructor(private readonly cost = COST) {
    this.unknownHash = `$2b$${String(cost).padStart(2, '0')}$${UNKNOWN_PASSWORD}`;
  }

  hash(password: string, like?: string): Promise<string> {
    return this.runQueued(() => hash(password, like === undefined ? this.cost : saltOf(like)));
  }

  async matching(password: string, hashes: readonly string[]): Promise<readonly string[]> {
    const salts = new Set([...hashes, ...(hashes.length === 0 ? [this.unknownHash] : [])].map(saltOf));
    const computed: Buffer[] = [];
    for (const salt of salts) computed.push(Buffer.from(await this.runQueued(() => hash(password, salt))));
    return hashes.filter(
      (stored) =>
        !isTooLong(password) &&
        computed.some((each) => each.length === stored.length && timingSafeEqual(each, Buffer.from(stored))),
    );
  }

  async matches(password: string, stored: string | null): Promise<boolean> {
    const isEqual = await this.runQueued(() => compare(password, stored ?? this.unknownHash));
    return isEqual && stored !== null && !isTooLong(password);
  }

  isWeak(password: string, personal: readonly string[]): boolean {
    return isWeak(password, personal);
  }

  /** @throws PasswordsBusy */
  private async runQueued<T>(work: () => Promise<T>): Promise<T> {
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

/** bcrypt ignores everything after MAX_PASSWORD_BYTES. */
function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > MAX_PASSWORD_BYTES;
}
