import compression from 'compression';
import cookieParser from 'cookie-parser';
import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { inject, injectable, multiInject } from '../../application/ports/inject';
import { observe } from '../../application/shared/observation';
import {
  AccountRateLimiter,
  costOfOctets,
  type RateLimiter,
} from '../../application/ports/access/rate-limits-and-usage';
import { assetRoutes } from './assets';
import { DashboardPages, type DashboardRequest, type DashboardResponse, type DashboardRoute } from './dashboard-route';
import { DashboardSettings } from './dashboard-settings';
import { ErrorPages } from './errors/error-pages';
import { overrideSecure } from './middleware/cookies';
import { getUpload, getUploadedFiles } from './middleware/upload-body';
import { ProposedForms } from './proposed-forms';
import { FormGuards } from './reauthentication/form-guards';
import { securityHeaders } from './middleware/security-headers';
import { SessionAuthentication } from './sign-in/session-authentication';
import { SessionStore } from './middleware/session-store';
import { sessions } from './middleware/sessions';
import type { UserSession } from './user-session';
import { countAttempt } from '../../application/access/sign-in/count-attempt';

/** Middleware order of a page: headers, session, access, rate limit, form guards, handler. */
@injectable()
export class DashboardRouter {
  readonly router = Router({ caseSensitive: true });

  constructor(
    @inject(DashboardSettings) { cookieSecret, publicUrl }: DashboardSettings,
    @inject(SessionStore) store: SessionStore,
    @inject(SessionAuthentication) private readonly authentication: SessionAuthentication,
    @inject(FormGuards) private readonly forms: FormGuards,
    @inject(AccountRateLimiter) private readonly limiter: RateLimiter<'account'>,
    @inject(ProposedForms) private readonly proposedForms: ProposedForms,
    @inject(ErrorPages) errorPages: ErrorPages,
    @multiInject(DashboardPages) allPages: readonly DashboardPages[],
  ) {
    // As one handler, because a router compiles a pattern for each handler of each route.
    const common = Router().use(
      compression(),
      securityHeaders(),
      noStore,
      overrideSecure(publicUrl),
      cookieParser(),
      sessions(store, cookieSecret),
      authentication.loadSession(),
    );
    this.router.use(skipAsteriskForm);
    this.router.use(assetRoutes());
    for (const route of allPages.flatMap(({ routes }) => routes)) this.addRoute(common, route);
    this.router.use(errorPages.leaveToApi(), common, errorPages.notFound());
    this.router.use(errorPages.renderError());
  }

  private addRoute(common: RequestHandler, route: DashboardRoute): void {
    const [
      method,
      path,
      access,
      handler,
      { upload = false, isSigned = false, everyDomain = false, cost, before, onError } = {},
    ] = route;
    const handle: RequestHandler = (req, res) =>
      observe({ kind: 'use case', name: `${method} ${path}` }, async () =>
        this.proposedForms.handle(req as DashboardRequest, res as DashboardResponse, () =>
          handler(req as DashboardRequest, res as DashboardResponse),
        ),
      );
    this.router[method](
      path,
      common,
      this.authentication.requireAccess(access, { everyDomain }),
      limitAccountRequests(this.limiter, cost),
      ...(method === 'post' && !isSigned ? this.forms.of(access, { upload }) : []),
      ...(upload ? [limitUploads(this.limiter, cost)] : []),
      ...(before ? [before] : []),
      handle,
      ...(onError ? [onError] : []),
    );
  }
}

function noStore(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Cache-Control', 'no-store');
  next();
}

/** `OPTIONS *` names no page, and a cookie needs a path (RFC 9112, section 3.2.4). */
function skipAsteriskForm(req: Request, _res: Response, next: NextFunction): void {
  next(req.path.startsWith('/') ? undefined : 'router');
}

/**
 * Middleware: counts the request against the account's rate limit. The dashboard has its own counter, so that a program
 * that uses up the API's limit cannot keep the owner from revoking its key.
 * @throws RateLimitExceeded
 */
function limitAccountRequests(limiter: RateLimiter, cost = 1): RequestHandler {
  return async (_req, res, next) => {
    const userSession = res.locals['userSession'] as UserSession | undefined;
    if (userSession) await countAttempt(limiter, `dashboard ${userSession.accountId}`, cost);
    next();
  };
}

/** Middleware: counts the octets of an upload as well. @throws RateLimitExceeded */
function limitUploads(limiter: RateLimiter, spent = 1): RequestHandler {
  return async (_req, res, next) => {
    const userSession = res.locals['userSession'] as UserSession | undefined;
    const chunks = [...getUpload(res), ...getUploadedFiles(res).flatMap((file) => file.chunks)];
    const cost = costOfOctets(chunks.reduce((sum, { length }) => sum + length, 0));
    if (userSession && cost > 0) await countAttempt(limiter, `dashboard ${userSession.accountId}`, cost, spent);
    next();
  };
}
