import type { Request, Response } from 'express';
import { inject, injectable } from '../../application/ports/inject';
import { Authenticate, type Credentials } from '../../application/access/api-keys/authenticate';
import {
  AccountRateLimiter,
  costOfOctets,
  type RateLimiter,
} from '../../application/ports/access/rate-limits-and-usage';
import type { Actor } from '../../domain/access/actor';
import { InsufficientScope, RateLimitExceeded } from '../../domain/access/access-errors';
import { includesScope, type Scope } from '../../domain/access/api-key';

const BEARER = /^Bearer +(\S+)$/i;

/** Who makes a request: by an API key, or as a person by a token of their identity provider. */
export interface Caller {
  readonly accountId: string;
  readonly actor: Actor;
  readonly scope: Scope;
}

/** API key, then rate limit, then scope. */
@injectable()
export class ApiAuthentication {
  constructor(
    @inject(Authenticate) private readonly authenticate: Authenticate,
    @inject(AccountRateLimiter) private readonly limiter: RateLimiter<'account'>,
  ) {}

  /**
   * Sets the RateLimit header fields, and `res.locals.caller` for the request log. `cost` is in units of the account's limit.
   * `keyOf` finds the key in the request.
   * @throws InvalidApiKey, RateLimitExceeded, InsufficientScope, LimitedKey
   */
  async authenticateCaller(
    req: Request,
    res: Response,
    required: Scope,
    cost: number,
    keyOf: (req: Request) => string | undefined = tokenOf,
  ): Promise<Caller> {
    return this.admit(req, res, await this.authenticate.execute(credentials(req, keyOf)), required, cost);
  }

  /** As `authenticateCaller`, for who has been authenticated. @throws RateLimitExceeded, InsufficientScope */
  async admit(
    req: Request,
    res: Response,
    { accountId, actor, scope }: Caller,
    required: Scope,
    cost: number,
  ): Promise<Caller> {
    const caller: Caller = { accountId, actor: withAddress(actor, req.ip), scope };
    res.locals['caller'] = caller;
    await this.count(res, accountId, cost);
    if (!includesScope(scope, required)) throw new InsufficientScope(required);
    return caller;
  }

  /** Counts the octets of a body, when it is not compressed any more. @param spent what the request has cost already @throws RateLimitExceeded */
  async countOctets(
    res: Response,
    { accountId }: Pick<Caller, 'accountId'>,
    octets: number,
    spent: number,
  ): Promise<void> {
    const cost = costOfOctets(octets);
    if (cost > 0) await this.count(res, accountId, cost, spent);
  }

  /** Of a response that has begun, the fields stay as they are. @param spent what the request has cost already @throws RateLimitExceeded */
  async count(res: Response, accountId: string, cost: number, spent = 0): Promise<void> {
    const state = await this.limiter.consume(accountId, cost, spent);
    if (!state) return;
    if (!res.headersSent) {
      res.setHeader('RateLimit-Limit', String(state.limit));
      res.setHeader('RateLimit-Remaining', String(state.remaining));
      res.setHeader('RateLimit-Reset', String(state.resetSeconds));
    }
    if (state.exceeded) throw new RateLimitExceeded(state.resetSeconds);
  }
}

function withAddress(actor: Actor, address: string | undefined): Actor {
  return 'id' in actor && address !== undefined ? { ...actor, address } : actor;
}

/** The address is a function, because Express computes `req.ip` from the proxies' headers on every access. */
function credentials(req: Request, keyOf: (req: Request) => string | undefined): Credentials {
  return { token: keyOf(req), clientAddress: () => req.ip ?? '' };
}

/** Of the header field Authorization (RFC 6750, section 2.1). */
export function bearerOf({ headers: { authorization = '' } }: Request): string | undefined {
  return BEARER.exec(authorization)?.[1];
}

/** The header wins, even if it holds no key. */
function tokenOf(req: Request): string | undefined {
  if (req.headers.authorization !== undefined) return bearerOf(req);
  const { token } = req.query;
  return typeof token === 'string' ? token : undefined;
}
