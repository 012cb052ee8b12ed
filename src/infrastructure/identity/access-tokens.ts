import { jwtVerify, type JWTVerifyGetKey } from 'jose';
import { AccessTokenInvalid, type AccessToken } from '../../application/ports/access/authentication';
import { claimOf } from './claim-of';
import { CLOCK_TOLERANCE_SECONDS, isAboutToken, SIGNATURE_ALGORITHMS } from './logout-tokens';

/** Longer than this, a person whom the provider has signed out could go on for too long. */
const MAX_LIFETIME_SECONDS = 24 * 60 * 60;
const MAX_SCOPES = 100;
/** Of RFC 9068, section 2.1; many providers write no type, or that of any JWT. An ID token has another audience. */
const TYPES = [undefined, 'at+jwt', 'application/at+jwt', 'JWT'];

interface AccessVerification {
  readonly isIssuer: (issuer: string) => boolean;
  readonly audience: string;
  readonly keys: JWTVerifyGetKey;
}

/**
 * Verifies an access token (RFC 9068, section 4).
 * @throws AccessTokenInvalid; what `keys` throws if they cannot be fetched
 */
export async function verifyAccessToken(
  token: string,
  { isIssuer, audience, keys }: AccessVerification,
): Promise<Omit<AccessToken, 'secondFactor'> & { readonly claims: Readonly<Record<string, unknown>> }> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    audience,
    algorithms: SIGNATURE_ALGORITHMS,
    maxTokenAge: MAX_LIFETIME_SECONDS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ['iss', 'aud', 'sub', 'iat', 'exp'],
  }).catch((error: unknown) => {
    throw isAboutToken(error) ? new AccessTokenInvalid(claimOf(error) ?? error.code, { cause: error }) : error;
  });
  const { iss = '', sub, exp = 0, iat = 0 } = payload;
  if (!isIssuer(iss)) throw new AccessTokenInvalid('iss');
  if (!TYPES.includes(protectedHeader.typ)) throw new AccessTokenInvalid('typ');
  if (typeof sub !== 'string' || sub === '') throw new AccessTokenInvalid('sub');
  if (exp - iat > MAX_LIFETIME_SECONDS) throw new AccessTokenInvalid('exp');
  return { issuer: iss, subject: sub, scopes: scopesOf(payload), claims: payload };
}

/** `scope` of RFC 9068, section 2.2.3, or `scp`, which Microsoft and Okta write. */
function scopesOf(claims: Readonly<Record<string, unknown>>): readonly string[] {
  return [claims['scope'], claims['scp']]
    .flat()
    .flatMap((each) => (typeof each === 'string' ? each.split(' ') : []))
    .slice(0, MAX_SCOPES);
}
