import compression from 'compression';
import cookieParser from 'cookie-parser';
import { Router, type NextFunction, type Request, type Response } from 'express';
import { inject, injectable, multiInject } from 'inversify';
import { AccountRateLimiter, type RateLimiter } from '../../application/ports/access/rate-limiter';
import { assetRoutes } from './assets';
import { DashboardSettings } from './dashboard-settings';
import { ErrorPages } from './errors/error-pages';
import { accountLimit } from './middleware/account-limit';
import { securedBy } from './middleware/cookies';
import { SessionAuthentication } from './middleware/session-authentication';
import { formBody } from './middleware/form-body';
import { FormTokens } from './middleware/form-tokens';
import { securityHeaders } from './middleware/security-headers';
import { SessionStore } from './middleware/session-store';
import { sessions } from './middleware/sessions';
import { uploadBody } from './middleware/upload-body';
import { DashboardPages, type DashboardRequest, type DashboardResponse } from './visitor';

const MAX_FORM_BYTES = 262_144;
/** Of forms that anyone may send, signed in or not. */
const MAX_PUBLIC_FORM_BYTES = 16_384;

/** The dashboard's pages: known route, session, access, rate limit, size of the body, CSRF token, the body's fields, page. */
@injectable()
export class DashboardRouter {
  readonly router = Router({ caseSensitive: true });

  constructor(
    @inject(DashboardSettings) { cookieSecret, publicUrl }: DashboardSettings,
    @inject(SessionStore) store: SessionStore,
    @inject(SessionAuthentication) sessionAuthentication: SessionAuthentication,
    @inject(FormTokens) tokens: FormTokens,
    @inject(AccountRateLimiter) limiter: RateLimiter,
    @inject(ErrorPages) errors: ErrorPages,
    @multiInject(DashboardPages) pages: readonly DashboardPages[],
  ) {
    const known = [
      compression(),
      securityHeaders(),
      noStore,
      securedBy(publicUrl),
      cookieParser(),
      sessions(store, cookieSecret),
      sessionAuthentication.identify.bind(sessionAuthentication),
    ];
    this.router.use(pathsOnly);
    this.router.use(assetRoutes());
    for (const [method, path, access, handler, { upload = false, cost } = {}] of pages.flatMap(
      ({ routes }) => routes,
    )) {
      const form = upload
        ? uploadBody(tokens)
        : formBody(tokens, access === 'public' ? MAX_PUBLIC_FORM_BYTES : MAX_FORM_BYTES);
      this.router[method](
        path,
        ...known,
        sessionAuthentication.admitting(access),
        accountLimit(limiter, cost),
        ...(method === 'post' ? form : []),
        (req: Request, res: Response) => handler(req as DashboardRequest, res as DashboardResponse),
      );
    }
    this.router.use(errors.skipUnlessHtml.bind(errors), ...known, errors.notFound.bind(errors));
    this.router.use(errors.failed.bind(errors));
  }
}

function noStore(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Cache-Control', 'no-store');
  next();
}

/** `OPTIONS *` asks for no page, and has no path for a cookie. */
function pathsOnly(req: Request, _res: Response, next: NextFunction): void {
  next(req.path.startsWith('/') ? undefined : 'router');
}
