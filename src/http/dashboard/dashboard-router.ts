import compression from 'compression';
import cookieParser from 'cookie-parser';
import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { inject, injectable, multiInject } from 'inversify';
import { observed } from '../../application/observation';
import { AccountRateLimiter, type RateLimiter } from '../../application/ports/access/rate-limiter';
import { assetRoutes } from './assets';
import {
  DashboardPages,
  type Access,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from './dashboard-route';
import { DashboardSettings } from './dashboard-settings';
import { FormOfOtherAccount } from '../shared/errors';
import { ErrorPages } from './errors/error-pages';
import { overrideSecure } from './middleware/cookies';
import { formBody } from './middleware/form-body';
import { FormTokens } from './middleware/form-tokens';
import { Reauthentication } from './middleware/reauthentication';
import { readOwner, SavedForms } from './middleware/saved-forms';
import { securityHeaders } from './middleware/security-headers';
import { SessionAuthentication } from './middleware/session-authentication';
import { SessionStore } from './middleware/session-store';
import { sessions } from './middleware/sessions';
import { uploadBody } from './middleware/upload-body';
import type { UserSession } from './user-session';
import { countAttempt } from '../../application/access/sign-in/count-attempt';

const MAX_FORM_BYTES = 262_144;
/** For forms that can be sent without signing in. */
const MAX_PUBLIC_FORM_BYTES = 16_384;
const MAX_LISTENERS = 20;

/** Middleware order of a page: headers, session, access, rate limit, body size, CSRF token, form fields, re-authentication, handler. */
@injectable()
export class DashboardRouter {
  readonly router = Router({ caseSensitive: true });
  private readonly confirmOrder: RequestHandler;

  constructor(
    @inject(DashboardSettings) { cookieSecret, publicUrl }: DashboardSettings,
    @inject(SessionStore) store: SessionStore,
    @inject(SessionAuthentication) private readonly authentication: SessionAuthentication,
    @inject(FormTokens) private readonly tokens: FormTokens,
    @inject(SavedForms) private readonly savedForms: SavedForms,
    @inject(AccountRateLimiter) private readonly limiter: RateLimiter,
    @inject(Reauthentication) reauthentication: Reauthentication,
    @inject(ErrorPages) errorPages: ErrorPages,
    @multiInject(DashboardPages) allPages: readonly DashboardPages[],
  ) {
    this.confirmOrder = reauthentication.requireForOrder();
    const common = [
      allowListeners,
      compression(),
      securityHeaders(),
      noStore,
      overrideSecure(publicUrl),
      cookieParser(),
      sessions(store, cookieSecret),
      authentication.loadSession(),
    ].flat();
    this.router.use(skipAsteriskForm);
    this.router.use(assetRoutes());
    for (const route of allPages.flatMap(({ routes }) => routes)) this.addRoute(common, route);
    this.router.use(errorPages.leaveToApi(), ...common, errorPages.notFound());
    this.router.use(errorPages.renderError());
  }

  private addRoute(common: readonly RequestHandler[], route: DashboardRoute): void {
    const [method, path, access, handler, { upload = false, everyDomain = false, cost, before, onError } = {}] = route;
    const form = upload
      ? uploadBody(this.tokens)
      : formBody(this.tokens, access === 'public' ? MAX_PUBLIC_FORM_BYTES : MAX_FORM_BYTES);
    const handle: RequestHandler = (req, res) =>
      observed({ kind: 'use case', name: `${method} ${path}` }, async () =>
        handler(req as DashboardRequest, res as DashboardResponse),
      );
    this.router[method](
      path,
      ...common,
      this.authentication.requireAccess(access, { everyDomain }),
      limitAccountRequests(this.limiter, cost),
      ...(method === 'post' ? form : []),
      ...(method === 'post' && isOfAccount(access) ? [this.refuseOtherAccounts.bind(this)] : []),
      ...(method === 'post' && isOfAccount(access) ? [this.confirmOrder] : []),
      ...(before ? [before] : []),
      handle,
      ...(onError ? [onError] : []),
    );
  }

  /** A form of a page that was opened before the person switched accounts must not change the account of now. @throws FormOfOtherAccount */
  private refuseOtherAccounts(req: Request, res: Response, next: NextFunction): void {
    const { userSession } = (res as DashboardResponse).locals as { userSession?: UserSession };
    const owner = readOwner(req.body);
    const isOther = userSession && owner !== '' && !this.savedForms.isOwner(owner, userSession.user.id);
    if (isOther && userSession.user.linked) throw new FormOfOtherAccount();
    next();
  }
}

/** Others are about the person in all of their accounts, such as sign-out. */
function isOfAccount(access: Access): boolean {
  return access !== 'public' && access !== 'signed-in';
}

function noStore(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Cache-Control', 'no-store');
  next();
}

/** `OPTIONS *` names no page, and a cookie needs a path (RFC 9112, section 3.2.4). */
function skipAsteriskForm(req: Request, _res: Response, next: NextFunction): void {
  next(req.path.startsWith('/') ? undefined : 'router');
}

/** Compression, streams, the log and the metrics listen to the end of a response; Node warns of more than ten. */
function allowListeners(_req: Request, res: Response, next: NextFunction): void {
  res.setMaxListeners(MAX_LISTENERS);
  next();
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
