import { createHmac, timingSafeEqual } from 'node:crypto';
import { inject, injectable } from 'inversify';
import type { User } from '../../../domain/access/user';

/** The 32 bytes that marks are made with; every process of the service has the same. */
export const BrowserMarkKey = Symbol('BrowserMarkKey');

/**
 * Tells the browsers in which a person has signed in from all others, by a mark that the browser keeps. Only we can make
 * it, for one e-mail, and it ends with the password. It opens nothing: it says where an attempt to sign in is counted (docs/decisions/0010).
 */
@injectable()
export class KnownBrowsers {
  constructor(@inject(BrowserMarkKey) private readonly key: Buffer) {}

  markOf(user: User): string {
    return this.digest(user).toString('base64url');
  }

  /** Whether one of the people of an e-mail has signed in with the browser. */
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
