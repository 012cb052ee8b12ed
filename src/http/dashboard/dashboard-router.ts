import compression from 'compression';
import cookieParser from 'cookie-parser';
import { Router, urlencoded, type NextFunction, type Request, type Response } from 'express';
import { inject, injectable, multiInject } from 'inversify';
import { assetRoutes } from './assets';
import { DashboardSettings } from './dashboard-settings';
import { ErrorPages } from './errors/error-pages';
import { Doorkeeper } from './middleware/doorkeeper';
import { FormTokens } from './middleware/form-tokens';
import { securityHeaders } from './middleware/security-headers';
import { SessionStore } from './middleware/session-store';
import { sessions } from './middleware/sessions';
import { DashboardPages, type DashboardRequest, type DashboardResponse } from './visitor';

const FORM_LIMIT = '256kb';
/** A zone file of 8 MiB, as forms write it. */
const LARGE_FORM_LIMIT = '24mb';

/** The dashboard's pages: known route, session, form token, who may come, page. */
@injectable()
export class DashboardRouter {
  readonly router = Router({ caseSensitive: true });

  constructor(
    @inject(DashboardSettings) { cookieSecret }: DashboardSettings,
    @inject(SessionStore) store: SessionStore,
    @inject(Doorkeeper) doorkeeper: Doorkeeper,
    @inject(FormTokens) tokens: FormTokens,
    @inject(ErrorPages) errors: ErrorPages,
    @multiInject(DashboardPages) pages: readonly DashboardPages[],
  ) {
    const known = [compression(), securityHeaders(), neverKept, cookieParser(), sessions(store, cookieSecret), doorkeeper.recognise];
    this.router.use(pathsOnly);
    this.router.use(assetRoutes());
    for (const [method, path, access, handler, size] of pages.flatMap(({ routes }) => routes)) {
      const limit = size === 'large' ? LARGE_FORM_LIMIT : FORM_LIMIT;
      const body = method === 'post' ? [urlencoded({ extended: false, limit }), tokens.check] : [];
      this.router[method](path, ...known, doorkeeper.admitting(access), ...body, (req: Request, res: Response) => handler(req as DashboardRequest, res as DashboardResponse));
    }
    this.router.use(errors.leaveToInterface, ...known, errors.notFound);
    this.router.use(errors.failed);
  }
}

function neverKept(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Cache-Control', 'no-store');
  next();
}

/** `OPTIONS *` asks for no page, and has no path for a cookie. */
function pathsOnly(req: Request, _res: Response, next: NextFunction): void {
  next(req.path.startsWith('/') ? undefined : 'router');
}
