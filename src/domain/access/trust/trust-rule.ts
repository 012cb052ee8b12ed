import { validateAll, ValidationError } from '../../shared/validation-error';
import { parseDisplayName } from '../account';
import type { Actor } from '../actor';
import type { Scope } from '../api-key';
import { parseKeyLimits, type GivenLimits, type KeyLimits } from '../key-limits';

export const MAX_TRUST_RULES = 50;
export const MAX_KEY_MINUTES = 15;
const MAX_URL_LENGTH = 500;
const MAX_AUDIENCE_LENGTH = 255;
const MAX_CLAIMS = 20;
const MAX_VALUES = 20;
const MAX_VALUE_LENGTH = 500;
/** Of all claims together, as JSON. */
const MAX_CLAIMS_LENGTH = 16_000;
const CLAIM_NAME = /^[A-Za-z_][\w.:/-]{0,99}$/;
/** The rule has other members for them, or they differ from token to token (RFC 7519, section 4.1). */
const NOT_CLAIMS = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'];

/** Issuers whose tokens are for anyone: names of repositories can be taken over by others, ids cannot. */
const PUBLIC_ISSUERS: readonly { readonly begin: string; readonly ids: readonly string[] }[] = [
  { begin: 'https://token.actions.githubusercontent.com', ids: ['repository_id', 'repository_owner_id'] },
  { begin: 'https://gitlab.com', ids: ['project_id', 'namespace_id'] },
];

/** Which values each claim may have. */
export type RequiredClaims = Readonly<Record<string, readonly string[]>>;

export interface TrustRuleSettings {
  readonly name: string;
  /** Compared octet by octet (OpenID Connect Core 1.0, section 3.1.3.7). */
  readonly issuer: string;
  readonly audience: string;
  readonly claims: RequiredClaims;
  /** What a key may do. */
  readonly scope: Scope;
  readonly limits: KeyLimits | null;
  /** How long a key lives. */
  readonly minutes: number;
}

/** Jobs whose token (a JWT of an OpenID Connect issuer) meets the rule get an API key for a few minutes. */
export interface TrustRule extends TrustRuleSettings {
  readonly id: string;
  readonly accountId: string;
  /** Who created it or changed it last: its keys may do no more. */
  readonly madeBy: Actor;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface GivenTrustRule {
  readonly name: string;
  readonly issuer: string;
  readonly audience: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly scope?: Scope | undefined;
  readonly limits?: GivenLimits | null | undefined;
  readonly minutes?: number | undefined;
}

/** @param allowsHttp whether the operator permits issuers without TLS @throws ValidationError with all issues */
export function parseTrustRule(given: GivenTrustRule, { allowsHttp }: { allowsHttp: boolean }): TrustRuleSettings {
  const [name, issuer, audience, claims, limits, minutes] = validateAll(
    () => parseDisplayName(given.name),
    () => parseIssuer(given.issuer, allowsHttp),
    () => parseAudience(given.audience),
    () => parseClaims(given.claims, given.issuer),
    () => (given.limits ? parseKeyLimits(given.limits) : null),
    () => parseMinutes(given.minutes ?? MAX_KEY_MINUTES),
  );
  return { name, issuer, audience, claims, scope: given.scope ?? 'READ', limits, minutes };
}

/** The first claim that the token lacks, or that has another value. */
export function unmetClaim(
  { claims }: Pick<TrustRule, 'claims'>,
  token: Readonly<Record<string, unknown>>,
): string | undefined {
  return Object.keys(claims).find((name) => {
    const found: unknown = Object.hasOwn(token, name) ? token[name] : undefined;
    const values: readonly unknown[] = Array.isArray(found) ? found : [found];
    return !values.some((value) => isPlain(value) && claims[name]?.includes(String(value)));
  });
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function parseIssuer(text: string, allowsHttp: boolean): string {
  const url = text.length <= MAX_URL_LENGTH && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !(url.protocol === 'https:' || (allowsHttp && url.protocol === 'http:')) || /[?#\s]/.test(text))
    throw ValidationError.of(
      'issuer',
      `must be a URL that begins with https://, without query and fragment, of at most ${MAX_URL_LENGTH} characters`,
    );
  if (url.username !== '' || url.password !== '')
    throw ValidationError.of('issuer', 'must not have a user name or password');
  return text;
}

function parseAudience(text: string): string {
  if (text === '' || text.length > MAX_AUDIENCE_LENGTH || /\p{Cc}|\s/u.test(text))
    throw ValidationError.of(
      'audience',
      `must have 1 to ${MAX_AUDIENCE_LENGTH} characters without spaces, such as the URL of this service`,
    );
  return text;
}

function parseClaims(given: Readonly<Record<string, unknown>>, issuer: string): RequiredClaims {
  const names = Object.keys(given);
  if (names.length === 0 || names.length > MAX_CLAIMS)
    throw ValidationError.of('claims', `must have 1 to ${MAX_CLAIMS} claims`);
  const ids = PUBLIC_ISSUERS.find(({ begin }) => issuer === begin || issuer.startsWith(`${begin}/`))?.ids;
  if (ids && !ids.some((id) => names.includes(id)))
    throw ValidationError.of('claims', `must have ${ids.join(' or ')}: others can take a name over, but not an id`);
  const values = validateAll(...names.map((name) => () => parseValues(name, given[name])));
  const claims = Object.fromEntries(names.map((name, index) => [name, values[index] ?? []]));
  if (JSON.stringify(claims).length > MAX_CLAIMS_LENGTH)
    throw ValidationError.of('claims', `must have at most ${MAX_CLAIMS_LENGTH} characters, all together`);
  return claims;
}

function parseValues(name: string, given: unknown): readonly string[] {
  const path = `claims.${name}`;
  if (!CLAIM_NAME.test(name) || NOT_CLAIMS.includes(name))
    throw ValidationError.of('claims', `must be named like claims other than ${NOT_CLAIMS.join(', ')}`);
  const values: readonly unknown[] = Array.isArray(given) ? given : [given];
  const isValue = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= MAX_VALUE_LENGTH && !/\p{Cc}/u.test(value);
  if (values.length === 0 || values.length > MAX_VALUES || !values.every(isValue))
    throw ValidationError.of(
      path,
      `must be a text or 1 to ${MAX_VALUES} texts of at most ${MAX_VALUE_LENGTH} characters`,
    );
  return [...new Set(values)];
}

function parseMinutes(minutes: number): number {
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MAX_KEY_MINUTES)
    throw ValidationError.of('minutes', `must be 1 to ${MAX_KEY_MINUTES}`);
  return minutes;
}
