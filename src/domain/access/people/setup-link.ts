import { createHash } from 'node:crypto';
import { DAY_MS } from '../../shared/calendar';
import type { Actor } from '../actor';

const LIFE_MS = 3 * DAY_MS;

/** A single-use link to set a password. Only the digest of its token is stored. */
export interface SetupLink {
  readonly tokenDigest: string;
  readonly userId: string;
  /** Null if unknown. */
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
    expiresAt: new Date(now.getTime() + LIFE_MS),
  };
}

export function isOpen({ expiresAt }: SetupLink, now: Date): boolean {
  return now < expiresAt;
}

/** SHA-256 is sufficient because tokens are 256 random bits (docs/decisions/0003). */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
