import express, { Router, type Request, type Response } from 'express';
import { inject, injectable } from '../../application/ports/inject';
import { ExchangeToken, ScopeNotGranted, UnknownTrustRule } from '../../application/access/trust/exchange-token';
import { countAttempt } from '../../application/access/sign-in/count-attempt';
import { IssuerUnavailable, TokenRefused } from '../../application/ports/access/trust-rules';
import { FailedAuthLimiter, type RateLimiter } from '../../application/ports/access/rate-limits-and-usage';
import { Clock, Log } from '../../application/ports/system';
import { isScope, type Scope } from '../../domain/access/api-key';
import { refuseEncoded } from '../shared/refuse-encoded';

const MAX_BYTES = 32_768;
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const SUBJECT_TYPES = ['urn:ietf:params:oauth:token-type:jwt', 'urn:ietf:params:oauth:token-type:id_token'];

/** Of RFC 6749, section 5.2, and RFC 8693, section 2.2.2. */
class OAuthError extends Error {
  override readonly name = 'OAuthError';

  constructor(
    readonly code: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

/** Gives a job of CI an API key for its OpenID Connect token (RFC 8693). No key is needed: the token is what proves the job. */
@injectable()
export class TokenExchange {
  readonly router = Router({ caseSensitive: true });

  constructor(
    @inject(ExchangeToken) private readonly exchangeToken: ExchangeToken,
    @inject(FailedAuthLimiter) private readonly failures: RateLimiter<'failed-auth'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {
    const body = express.urlencoded({ extended: false, limit: MAX_BYTES, inflate: false, parameterLimit: 20 });
    this.router.post('/oauth/token', refuseEncoded, body, this.exchange.bind(this));
  }

  private async exchange(req: Request, res: Response): Promise<void> {
    res.setHeader('Cache-Control', 'no-store');
    try {
      const { key, text } = await this.exchangeToken.execute(readCommand(req.body));
      const { scope, expiresAt } = key.toState();
      const seconds = expiresAt ? Math.floor((expiresAt.getTime() - this.clock.now().getTime()) / 1_000) : 0;
      const issued = { access_token: text, issued_token_type: ACCESS_TOKEN, token_type: 'Bearer' };
      res.json({ ...issued, expires_in: seconds, scope });
    } catch (error) {
      const { code, status, message } = toOAuthError(error);
      await countAttempt(this.failures, req.ip ?? '');
      this.log.warn({ error: code, reason: message }, 'a token of a job was refused');
      res.status(status).json({ error: code, error_description: message });
    }
  }
}

/** @throws OAuthError */
function readCommand(body: unknown): { ruleId: string; token: string; scope: Scope | undefined } {
  const form = (body ?? {}) as Readonly<Record<string, unknown>>;
  const repeated = Object.keys(form).find((name) => typeof form[name] !== 'string');
  if (repeated !== undefined) throw new OAuthError('invalid_request', 'a parameter is there twice');
  const read = (name: string): string => {
    const value = form[name];
    return typeof value === 'string' ? value : '';
  };
  if (read('grant_type') !== EXCHANGE) throw new OAuthError('unsupported_grant_type', `grant_type must be ${EXCHANGE}`);
  if (!SUBJECT_TYPES.includes(read('subject_token_type')))
    throw new OAuthError('invalid_request', `subject_token_type must be ${SUBJECT_TYPES.join(' or ')}`);
  if (!['', ACCESS_TOKEN].includes(read('requested_token_type')))
    throw new OAuthError('invalid_request', `requested_token_type must be ${ACCESS_TOKEN}`);
  if (read('actor_token') !== '') throw new OAuthError('invalid_request', 'actor_token is not supported');
  const scope = read('scope');
  if (scope !== '' && !isScope(scope)) throw new OAuthError('invalid_scope', 'scope must be READ, WRITE or ADMIN');
  return { ruleId: read('client_id'), token: read('subject_token'), scope: isScope(scope) ? scope : undefined };
}

/** @throws `error` itself if it is not about the request */
function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (error instanceof TokenRefused) return new OAuthError('invalid_request', error.message);
  if (error instanceof UnknownTrustRule) return new OAuthError('invalid_client', error.message, 401);
  if (error instanceof ScopeNotGranted) return new OAuthError('invalid_scope', error.message);
  if (error instanceof IssuerUnavailable) return new OAuthError('temporarily_unavailable', error.message, 503);
  throw error;
}
