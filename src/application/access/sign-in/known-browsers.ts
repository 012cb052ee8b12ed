import { createHmac, timingSafeEqual } from 'node:crypto';
import { inject, injectable } from 'inversify';
import type { User } from '../../../domain/access/people/user';

/** The 32-byte HMAC key of the marks; the same in all processes. */
export const BrowserMarkKey = Symbol('BrowserMarkKey');

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

  /** Whether one of the users has signed in with the browser. */
  isKnown(people: readonly User[], marks: readonly string[]): boolean {
    const digests = people.filter((user) => user.toState().passwordHash !== null).map((user) => this.digest(user));
    return digests.some((digest) => marks.some((mark) => isSame(Buffer.from(mark, 'base64url'), digest)));
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
