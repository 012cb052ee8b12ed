import type { RequestHandler } from 'express';
import { countAttempt } from '../../../application/access/sign-in/count-attempt';
import type { RateLimiter } from '../../../application/ports/access/rate-limiter';
import type { Visitor } from '../visitor';

/**
 * Counts a signed-in person's request against the account's rate limit. Pages are counted apart from the API: a program that
 * uses up the API's limit must not keep the owner from revoking its key.
 * @throws RateLimitExceeded
 */
export function accountLimit(limiter: RateLimiter, cost = 1): RequestHandler {
  return async (_req, res, next) => {
    const visitor = res.locals['visitor'] as Visitor | undefined;
    if (visitor) await countAttempt(limiter, `dashboard ${visitor.accountId}`, cost);
    next();
  };
}
