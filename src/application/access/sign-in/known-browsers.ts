import { createHmac, timingSafeEqual } from 'node:crypto';
import { inject, injectable, token } from '../../ports/inject';
import type { User } from '../../../domain/access/people/user';

/** The 32-byte HMAC key of the marks; the same in all processes. */
export const BrowserMarkKey = token<Buffer>('BrowserMarkKey');

/**
 * Recognizes browsers in which a user has signed in, by an HMAC mark in a cookie that is valid until the password changes. It
 * authenticates nothing; it only selects the rate limit of sign-in attempts (docs/decisions/0010).
 */
@injectable()
export class KnownBrowsers {
  constructor(@inject(BrowserMarkKey) private readonly key: Buffer) {}

  markOf(user: User): string {
    return this.digest(user).toString('base64url');
  }

  /** Ids of the people who have signed in with the browser: an e-mail may belong to several. */
  knownPersonIds(users: readonly User[], marks: readonly string[]): ReadonlySet<string> {
    const known = users.filter((user) => user.toState().passwordHash !== null && this.isKnown(user, marks));
    return new Set(known.map((user) => user.toState().personId));
  }

  /** Whether the user has signed in with the browser, also without a password: by a passkey or a provider. */
  isKnown(user: User, marks: readonly string[]): boolean {
    const digest = this.digest(user);
    return marks.some((mark) => isSame(Buffer.from(mark, 'base64url'), digest));
  }

  private digest(user: User): Buffer {
    const { id, email, passwordHash } = user.toState();
    return createHmac('sha256', this.key)
      .update(JSON.stringify([id, email, passwordHash]))
      .digest();
  }
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
