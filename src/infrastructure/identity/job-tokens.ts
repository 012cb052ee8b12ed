import { errors, jwtVerify } from 'jose';
import {
  IssuerUnavailable,
  TokenRefused,
  type JobToken,
  type JobTokens,
} from '../../application/ports/access/trust-rules';
import type { TrustRule } from '../../domain/access/trust/trust-rule';
import { claimOf } from './claim-of';
import type { IssuerKeys } from './issuer-keys';
import { CLOCK_TOLERANCE_SECONDS, isClaimedBy, SIGNATURE_ALGORITHMS } from './logout-tokens';

const MAX_TOKEN_LENGTH = 16_384;
/** GitLab's tokens live as long as the job may run. Longer than a day, a `jti` would have to be remembered for too long. */
const MAX_LIFETIME_SECONDS = 24 * 60 * 60;
const MAX_JTI_LENGTH = 255;
const TYPES = [undefined, 'JWT'];

/** Tokens of OpenID Connect issuers (JWT, RFC 7519; RFC 8725 for what is checked). */
export class OpenIdJobTokens implements JobTokens {
  constructor(
    private readonly keys: Pick<IssuerKeys, 'of'>,
    readonly allowsHttp: boolean,
  ) {}

  async verify(token: string, { issuer, audience }: Pick<TrustRule, 'issuer' | 'audience'>): Promise<JobToken> {
    if (token.length > MAX_TOKEN_LENGTH)
      throw new TokenRefused(`the token is longer than ${MAX_TOKEN_LENGTH} characters`);
    // Before the issuer is contacted.
    if (!isClaimedBy(token, (claimed) => claimed === issuer))
      throw new TokenRefused('the token is not a JWT, or its issuer (iss) is not exactly that of the trust rule');
    const { payload, protectedHeader } = await jwtVerify(token, this.keys.of(issuer), {
      issuer,
      audience,
      algorithms: SIGNATURE_ALGORITHMS,
      maxTokenAge: MAX_LIFETIME_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['iss', 'aud', 'iat', 'exp', 'jti'],
    }).catch((error: unknown) => {
      if (error instanceof IssuerUnavailable) throw error;
      // A key of the issuer that cannot be used is a TypeError or a DOMException.
      const reason = error instanceof errors.JOSEError ? (claimOf(error) ?? error.code) : 'its key cannot be used';
      throw new TokenRefused(`the token is invalid: ${reason}`, { cause: error });
    });
    const { jti, exp = 0, iat = 0 } = payload;
    if (!TYPES.includes(protectedHeader.typ)) throw new TokenRefused('the token is invalid: typ');
    if (exp - iat > MAX_LIFETIME_SECONDS) throw new TokenRefused('the token lives for longer than a day');
    if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_LENGTH)
      throw new TokenRefused('the token is invalid: jti');
    return { claims: payload, id: jti, expiresAt: new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1_000) };
  }
}
