import { createHash } from 'node:crypto';
import { DAY_MS } from '../../shared/time/calendar';
import type { Actor } from '../actor';
import type { User } from './user';

const LIFE_MS = 3 * DAY_MS;
/** Of a link that anyone can ask for. */
const RESET_LIFE_MS = 60 * 60_000;

/** A single-use link to set a password. Only the digest of its token is stored. */
export interface SetupLink {
  readonly tokenDigest: string;
  readonly userId: string;
  /** Null if unknown; the service, if the person asked for it by the mail of a forgotten password. */
  readonly issuedBy: Actor | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export function setupLink(
  token: string,
  { userId, issuedBy }: Pick<SetupLink, 'userId' | 'issuedBy'>,
  now: Date,
): SetupLink {
  return {
    tokenDigest: tokenDigest(token),
    userId,
    issuedBy,
    createdAt: now,
    expiresAt: new Date(now.getTime() + (issuedBy?.kind === 'service' ? RESET_LIFE_MS : LIFE_MS)),
  };
}

/** Whether the mail proves that the link's person has all of the users: it went to the address that all of them have. */
export function isOwnReset({ issuedBy }: SetupLink, user: User, others: readonly User[]): boolean {
  return issuedBy?.kind === 'service' && others.every(({ email }) => email === user.email);
}

export function isOpen({ expiresAt }: SetupLink, now: Date): boolean {
  return now < expiresAt;
}

/** SHA-256 is sufficient because tokens are 256 random bits (docs/decisions/0003). */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
