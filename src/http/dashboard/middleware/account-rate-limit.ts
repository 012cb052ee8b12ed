import type { RequestHandler } from 'express';
import { countAttempt } from '../../../application/access/sign-in/count-attempt';
import type { RateLimiter } from '../../../application/ports/access/rate-limiter';
import type { UserSession } from '../user-session';

/**
 * Middleware: counts the request against the account's rate limit. The dashboard has its own counter, so that a program
 * that uses up the API's limit cannot keep the owner from revoking its key.
 * @throws RateLimitExceeded
 */
export function limitAccountRequests(limiter: RateLimiter, cost = 1): RequestHandler {
  return async (_req, res, next) => {
    const userSession = res.locals['userSession'] as UserSession | undefined;
    if (userSession) await countAttempt(limiter, `dashboard ${userSession.accountId}`, cost);
    next();
  };
}
