import { createRemoteJWKSet, decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { claimOf } from './claim-of';
import { LogoutTokenInvalid, type Logout } from '../../application/ports/access/authentication';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** `none` and the algorithms with a shared secret are not among them. */
export const SIGNATURE_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const TYPES = [undefined, 'JWT', 'logout+jwt'];
const MAX_AGE_SECONDS = 300;
export const CLOCK_TOLERANCE_SECONDS = 60;
const MAX_TEXT = 255;

interface LogoutVerification {
  readonly isIssuer: (issuer: string) => boolean;
  readonly audience: string;
  /** As the provider publishes them (`id_token_signing_alg_values_supported`). */
  readonly algorithms: readonly string[] | undefined;
  readonly keys: JWTVerifyGetKey;
}

/** Keys are fetched when a token has an unknown key id, at most once in 30 seconds: anyone can send a token. */
export function remoteKeys(jwksUri: string, timeoutMs: number): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: timeoutMs, cooldownDuration: 30_000 });
}

/** Whether the token claims to be of the issuer, not verified: others need no request to the provider. */
export function isClaimedBy(token: string, isIssuer: (issuer: string) => boolean): boolean {
  try {
    return isIssuer(decodeJwt(token).iss ?? '');
  } catch {
    return false;
  }
}

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6), except that its `jti` is new.
 * @throws LogoutTokenInvalid; what `keys` throws if they cannot be fetched
 */
export async function verifyLogoutToken(
  token: string,
  { isIssuer, audience, algorithms = ['RS256'], keys }: LogoutVerification,
): Promise<Logout> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    audience,
    algorithms: algorithms.filter((each) => SIGNATURE_ALGORITHMS.includes(each)),
    maxTokenAge: MAX_AGE_SECONDS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ['iss', 'aud', 'iat', 'exp', 'jti', 'events'],
  }).catch((error: unknown) => {
    throw isAboutToken(error) ? new LogoutTokenInvalid(claimOf(error) ?? error.code, { cause: error }) : error;
  });
  const { iss = '', jti, exp = 0 } = payload;
  const [subject, session] = [textOf(payload.sub), textOf(payload['sid'])];
  const isRight: Readonly<Record<string, boolean>> = {
    iss: isIssuer(iss),
    typ: TYPES.includes(protectedHeader.typ),
    events: isLogout(payload),
    nonce: !('nonce' in payload),
    jti: typeof jti === 'string' && jti !== '',
    sub: (subject ?? session) !== undefined,
  };
  const [wrong] = Object.keys(isRight).filter((claim) => !isRight[claim]);
  if (wrong !== undefined || jti === undefined) throw new LogoutTokenInvalid(wrong ?? 'jti');
  const expiresAt = new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1_000);
  return { issuer: iss, subject, session, id: jti, expiresAt };
}

/** What is wrong with the token; other errors are about the provider's keys, which could not be fetched. */
export function isAboutToken(error: unknown): error is errors.JOSEError {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  );
}

function isLogout({ events }: JWTPayload): boolean {
  const event: unknown = typeof events === 'object' && events !== null ? Reflect.get(events, EVENT) : undefined;
  return typeof event === 'object' && event !== null;
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && claim.length <= MAX_TEXT ? claim : undefined;
}
