import { hash, timingSafeEqual } from 'node:crypto';
import { addDays, addYears } from '../shared/time/calendar';
import { ValidationError } from '../shared/validation-error';
import { parseDisplayName } from './account';
import type { Actor } from './actor';
import type { ApprovalRule } from './approvals/approval-rule';
import { limitsBeyond, parseKeyLimits, type GivenLimits, type KeyLimits } from './key-limits';

const KEY_ID = /^[A-Za-z0-9_-]{12}$/;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** A complete API key, `<prefix>_live_<keyid>.<secret>`: shown once, and sent with every request. */
export class ApiKeyToken {
  constructor(
    readonly keyId: string,
    private readonly secret: string,
  ) {
    if (!KEY_ID.test(keyId) || !SECRET.test(secret))
      throw new TypeError('an API key has an id of 12 and a secret of 43 base64url characters');
  }

  /** Returns undefined unless `text` is a complete key with this prefix. */
  static parse(text: string, prefix: string): ApiKeyToken | undefined {
    const lead = `${prefix}_live_`;
    const dot = lead.length + 12;
    if (!text.startsWith(lead) || text[dot] !== '.') return undefined;
    const keyId = text.slice(lead.length, dot);
    const secret = text.slice(dot + 1);
    return KEY_ID.test(keyId) && SECRET.test(secret) ? new ApiKeyToken(keyId, secret) : undefined;
  }

  /**
   * The stored hash of the secret. SHA-256 is sufficient because 256 random bits cannot be guessed
   * (docs/decisions/0003).
   */
  digest(): string {
    return hash('sha256', this.secret);
  }

  matches(digest: string): boolean {
    return timingSafeEqual(hash('sha256', this.secret, 'buffer'), Buffer.from(digest, 'hex'));
  }

  toText(prefix: string): string {
    return `${prefix}_live_${this.keyId}.${this.secret}`;
  }
}

export const SCOPES = ['READ', 'WRITE', 'ADMIN'] as const;
export type Scope = (typeof SCOPES)[number];
export const DEFAULT_SCOPE: Scope = 'ADMIN';

/** A higher scope includes all lower scopes. */
export function includesScope(granted: Scope, required: Scope): boolean {
  return SCOPES.indexOf(granted) >= SCOPES.indexOf(required);
}

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

export interface ApiKeyState {
  readonly keyId: string;
  readonly accountId: string;
  readonly name: string;
  readonly scope: Scope;
  /** SHA-256 of the secret, in hex. */
  readonly secretDigest: string;
  /** The secret of a TSIG key, sealed; null for a key of the REST API. */
  readonly sealedTsigSecret: string | null;
  /** Null: none. */
  readonly limits: KeyLimits | null;
  /** The rule by which a job got it for its token; null for other keys. */
  readonly trustRuleId: string | null;
  /** Those of the account; only of a key that was found by its id to be used. */
  readonly approvalRules?: readonly ApprovalRule[] | undefined;
  readonly createdAt: Date;
  /** Null: not known. */
  readonly createdBy: Actor | null;
  readonly revokedAt: Date | null;
  /** Null: never. */
  readonly expiresAt: Date | null;
  /** Written in batches: up to a minute behind. */
  readonly lastUsedAt: Date | null;
}

/** Maximum number of active keys per account. */
export const MAX_ACTIVE_KEYS = 200;

export type ApiKeyStatus = 'active' | 'expired' | 'revoked';

/** Age at which a rotation is recommended. */
const ROTATE_AFTER_DAYS = 90;
const MAX_LIFE_YEARS = 10;

/** A new TSIG key (RFC 8945) with which programs of the account send DNS updates. */
export interface NewTsigKey {
  readonly sealedSecret: string;
}

/** A key of an account: its scope and its validity. The secret of an API key is not stored; that of a TSIG key is sealed. */
export class ApiKey {
  private constructor(private state: ApiKeyState) {}

  /** @throws ValidationError for an invalid name or limits, or an expiry in the past or more than ten years ahead */
  static issue(
    token: ApiKeyToken,
    key: {
      accountId: string;
      name: string;
      scope: Scope;
      createdBy?: Actor;
      expiresAt?: Date | null | undefined;
      limits?: GivenLimits | undefined;
      tsig?: NewTsigKey | undefined;
      trustRuleId?: string | undefined;
    },
    now: Date,
  ): ApiKey {
    const { accountId, scope, createdBy = null, expiresAt = null, limits, tsig, trustRuleId = null } = key;
    if (expiresAt && !(expiresAt > now && expiresAt <= latestExpiry(now)))
      throw ValidationError.of('expires_at', 'must be in the future and at most ten years ahead');
    return new ApiKey({
      accountId,
      scope,
      createdBy,
      expiresAt,
      trustRuleId,
      name: parseDisplayName(key.name),
      keyId: token.keyId,
      secretDigest: token.digest(),
      sealedTsigSecret: tsig?.sealedSecret ?? null,
      limits: limits ? parseKeyLimits(limits) : null,
      createdAt: now,
      revokedAt: null,
      lastUsedAt: null,
    });
  }

  static fromState(state: ApiKeyState): ApiKey {
    return new ApiKey(state);
  }

  authenticates(token: ApiKeyToken, now: Date): boolean {
    return !this.isTsigKey && token.matches(this.state.secretDigest) && this.status(now) === 'active';
  }

  /** Signs DNS updates, and does not open the REST API. */
  get isTsigKey(): boolean {
    return this.state.sealedTsigSecret !== null;
  }

  /** Whether this key may list and revoke the other one: itself, and keys that may do no more. */
  manages(other: ApiKey): boolean {
    const { keyId, scope, limits } = other.state;
    if (keyId === this.state.keyId) return true;
    return includesScope(this.state.scope, scope) && limitsBeyond(limits ?? {}, this.state.limits ?? {}).length === 0;
  }

  status(now: Date): ApiKeyStatus {
    if (this.state.revokedAt !== null) return 'revoked';
    const end = this.expiresAt;
    return end && end <= now ? 'expired' : 'active';
  }

  /** When it expires if it is not used until then. */
  get expiresAt(): Date | null {
    const { createdAt, expiresAt, lastUsedAt, limits } = this.state;
    if (limits?.unusedAfterDays === undefined) return expiresAt;
    const unusedAt = addDays(lastUsedAt ?? createdAt, limits.unusedAfterDays);
    return expiresAt && expiresAt < unusedAt ? expiresAt : unusedAt;
  }

  /** Whether it is active and old enough to be rotated. */
  isDueForRotation(now: Date): boolean {
    return this.status(now) === 'active' && addDays(this.state.createdAt, ROTATE_AFTER_DAYS) <= now;
  }

  /** Expiry of a key that replaces this one `now`: the same validity period, limited to ten years from now. */
  rotatedKeyExpiry(now: Date): Date | null {
    const { createdAt, expiresAt } = this.state;
    if (!expiresAt) return null;
    const samePeriod = new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
    return samePeriod < latestExpiry(now) ? samePeriod : latestExpiry(now);
  }

  /** A second call keeps the time of the first. */
  revoke(now: Date): void {
    if (this.state.revokedAt === null) this.state = { ...this.state, revokedAt: now };
  }

  toState(): ApiKeyState {
    return this.state;
  }
}

/** A key as the actor of its requests, with its limits and the rules of its account. */
export function actorOfKey({
  keyId,
  limits,
  approvalRules,
}: Pick<ApiKeyState, 'keyId' | 'limits' | 'approvalRules'>): Actor {
  return { kind: 'key', id: keyId, ...(limits && { limits }), ...(approvalRules && { approvalRules }) };
}

/** The name of a TSIG key in DNS messages: its key id in hexadecimal, because names ignore case. */
export function tsigNameOf(keyId: string): string {
  return Buffer.from(keyId, 'base64url').toString('hex');
}

/** Undefined for a name that no TSIG key of an account has. */
export function keyIdOfTsigName(name: string): string | undefined {
  return /^[0-9a-f]{18}$/.test(name) ? Buffer.from(name, 'hex').toString('base64url') : undefined;
}

function latestExpiry(now: Date): Date {
  return addYears(now, MAX_LIFE_YEARS);
}
