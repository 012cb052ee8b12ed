import type { Request, RequestHandler, Response } from 'express';
import { inject, injectable } from 'inversify';
import { Authenticate, type Credentials } from '../../../application/access/api-keys/authenticate';
import { AccountRateLimiter, type RateLimiter } from '../../../application/ports/access/rate-limiter';
import { InsufficientScope, RateLimitExceeded } from '../../../domain/access/errors';
import { includesScope, type Scope } from '../../../domain/access/scope';

const BEARER = /^Bearer +(\S+)$/i;

/** Lets a request in: key, then rate limit, then scope. */
@injectable()
export class ApiAuthentication {
  constructor(
    @inject(Authenticate) private readonly authenticate: Authenticate,
    @inject(AccountRateLimiter) private readonly limiter: RateLimiter,
  ) {}

  /** `cost` is in units of the account's rate limit. */
  requiring(scope: Scope, cost = 1): RequestHandler {
    return async (req, res, next) => {
      const key = await this.authenticate.execute(credentialsOf(req));
      res.locals['caller'] = {
        accountId: key.accountId,
        actor: { kind: 'key', id: key.keyId },
        keyId: key.keyId,
        scope: key.scope,
      };
      await this.count(key.accountId, cost, res);
      if (!includesScope(key.scope, scope)) throw new InsufficientScope(scope);
      next();
    };
  }

  private async count(accountId: string, cost: number, res: Response): Promise<void> {
    const state = await this.limiter.consume(accountId, cost);
    if (!state) return;
    res.setHeader('RateLimit-Limit', String(state.limit));
    res.setHeader('RateLimit-Remaining', String(state.remaining));
    res.setHeader('RateLimit-Reset', String(state.resetSeconds));
    if (state.exceeded) throw new RateLimitExceeded(state.resetSeconds);
  }
}

/** Express looks for the address among the proxies' headers whenever it is asked. */
function credentialsOf(req: Request): Credentials {
  return { token: tokenOf(req), clientAddress: () => req.ip ?? '' };
}

/** The header wins, even where it holds no key. */
function tokenOf(req: Request): string | undefined {
  const header = req.headers.authorization;
  if (header !== undefined) return BEARER.exec(header)?.[1];
  const { token } = req.query;
  return typeof token === 'string' ? token : undefined;
}
