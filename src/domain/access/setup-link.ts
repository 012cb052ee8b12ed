import { createHash } from 'node:crypto';
import { DAY_MS } from '../shared/calendar';

const LIFE_MS = 3 * DAY_MS;

/** A link by which a person sets a password, once. Only the digest of its token is kept. */
export interface SetupLink {
  readonly tokenDigest: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export function setupLink(token: string, userId: string, now: Date): SetupLink {
  return { tokenDigest: tokenDigest(token), userId, createdAt: now, expiresAt: new Date(now.getTime() + LIFE_MS) };
}

/** SHA-256 and not a slow hash: tokens are 256 random bits (docs/decisions/0003). */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
