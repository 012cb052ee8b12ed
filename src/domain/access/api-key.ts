import { addDays, addYears } from '../shared/calendar';
import { ValidationError } from '../shared/validation-error';
import { displayName } from './account';
import type { Actor } from './actor';
import type { ApiKeyToken } from './api-key-token';
import type { Scope } from './scope';

export interface ApiKeyState {
  readonly keyId: string;
  readonly accountId: string;
  readonly name: string;
  readonly scope: Scope;
  /** SHA-256 of the secret, in hex. */
  readonly secretDigest: string;
  readonly createdAt: Date;
  /** Null: not known. */
  readonly createdBy: Actor | null;
  readonly revokedAt: Date | null;
  /** From then on it opens nothing. Null: never. */
  readonly expiresAt: Date | null;
  /** Written in batches: up to a minute behind. */
  readonly lastUsedAt: Date | null;
}

/** How many keys of an account may work at a time. */
export const MAX_ACTIVE_KEYS = 200;

/** What a key is good for now. */
export type ApiKeyStanding = 'active' | 'expired' | 'revoked';

/** Keys that are older should be rotated. */
const ROTATE_AFTER_DAYS = 90;
const MAX_LIFE_YEARS = 10;

/** A caller's key: what it may do and whether it still opens. The secret itself is known only at its issue. */
export class ApiKey {
  private constructor(private state: ApiKeyState) {}

  /** @throws ValidationError for a bad name, and for an expiry that is past or more than ten years ahead */
  static issue(
    token: ApiKeyToken,
    key: { accountId: string; name: string; scope: Scope; createdBy?: Actor; expiresAt?: Date | null | undefined },
    now: Date,
  ): ApiKey {
    const { accountId, scope, createdBy = null, expiresAt = null } = key;
    if (expiresAt && !(expiresAt > now && expiresAt <= latestExpiry(now)))
      throw ValidationError.of('expires_at', 'must be a date in the future, ten years ahead at most');
    return new ApiKey({
      accountId,
      scope,
      createdBy,
      expiresAt,
      name: displayName(key.name),
      keyId: token.keyId,
      secretDigest: token.digest(),
      createdAt: now,
      revokedAt: null,
      lastUsedAt: null,
    });
  }

  static fromState(state: ApiKeyState): ApiKey {
    return new ApiKey(state);
  }

  opensWith(token: ApiKeyToken, now: Date): boolean {
    return token.matches(this.state.secretDigest) && this.standing(now) === 'active';
  }

  standing(now: Date): ApiKeyStanding {
    if (this.state.revokedAt !== null) return 'revoked';
    return this.state.expiresAt !== null && this.state.expiresAt <= now ? 'expired' : 'active';
  }

  /** Whether it still opens and is old enough to be replaced. */
  isDueForRotation(now: Date): boolean {
    return this.standing(now) === 'active' && addDays(this.state.createdAt, ROTATE_AFTER_DAYS) <= now;
  }

  /** Until when a key that is issued `now` to take its place may open: for as long as this one was to, and that is the longest there is where ten years have fewer days now. */
  expiryOfSuccessor(now: Date): Date | null {
    const { createdAt, expiresAt } = this.state;
    if (!expiresAt) return null;
    const asLong = new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
    return asLong < latestExpiry(now) ? asLong : latestExpiry(now);
  }

  /** Revoking twice keeps the first time. */
  revoke(now: Date): void {
    if (this.state.revokedAt === null) this.state = { ...this.state, revokedAt: now };
  }

  toState(): ApiKeyState {
    return this.state;
  }
}

function latestExpiry(now: Date): Date {
  return addYears(now, MAX_LIFE_YEARS);
}
