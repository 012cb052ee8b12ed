import type { Request, RequestHandler, Response } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { RequiredSecondFactor } from '../../../application/access/second-factor/remove-factors';
import { AccountReader } from '../../../application/ports/access/accounts-and-api-keys';
import { MailSettingsReader } from '../../../application/ports/notices/mails-and-notices';
import { UserReader } from '../../../application/ports/access/users';
import type { Account } from '../../../domain/access/account';
import { actorOfUser, type UserState } from '../../../domain/access/people/user';
import { RoleForbids } from '../../../domain/access/access-errors';
import { assertEveryTagAllowed, roleForbids } from '../../../domain/access/key-permissions';
import { needsSecondFactor, type SecondFactorRule } from '../../../domain/access/factors/second-factor-rule';
import type { Access } from '../dashboard-route';
import { redirect } from '../redirect';
import { toLocalPath } from '../middleware/local-path';
import { allows, type UserSession } from '../user-session';
import { CountNotifications } from './count-notifications';
import { CountProposals } from './count-proposals';
import { ExpiredSessionForms } from './expired-session-forms';
import { sessionDigest } from '../middleware/session-store';

/** Loads the signed-in user and refuses requests that the route's access does not allow. */
@injectable()
export class SessionAuthentication {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(MailSettingsReader) private readonly mailSettings: MailSettingsReader,
    @inject(RequiredSecondFactor) private readonly rule: SecondFactorRule,
    @inject(CountNotifications) private readonly notifications: CountNotifications,
    @inject(CountProposals) private readonly proposals: CountProposals,
    @inject(ExpiredSessionForms) private readonly expiredSessionForms: ExpiredSessionForms,
  ) {}

  /** Middleware: sets `res.locals.userSession` for a signed-in user. */
  loadSession(): RequestHandler {
    return async (req, res, next) => {
      await this.setUserSession(req, res);
      const userSession = res.locals['userSession'] as UserSession | undefined;
      if (userSession)
        [res.locals['newNotifications'], res.locals['undecidedProposals']] = await Promise.all([
          this.notifications.forPage(req, userSession),
          this.proposals.forPage(req, userSession),
        ]);
      next();
    };
  }

  /** Reads the user on every request, so that a removed user is signed out at once. */
  async setUserSession(req: Request, res: Response): Promise<void> {
    const userSession = await this.findUserSession(req);
    if (userSession) res.locals['userSession'] = userSession;
  }

  /** Middleware: redirects to sign-in without a session, and to the set-up of a second factor if the user's role needs one. @throws RoleForbids if the user's role does not allow it */
  requireAccess(access: Access, { everyDomain = false } = {}): RequestHandler {
    return (req, res, next) => {
      if (access === 'public') return next();
      const userSession = res.locals['userSession'] as UserSession | undefined;
      if (!userSession)
        return req.method === 'POST' && !isHtmxRequest(req)
          ? this.expiredSessionForms.renderSignIn(req, res)
          : redirectToSignIn(req, res);
      if (access !== 'signed-in' && this.lacksSecondFactor(userSession))
        return redirect(res, '/settings/second-factor');
      if (access === 'owner') {
        if (userSession.user.role !== 'owner') throw new RoleForbids();
      } else if (access !== 'signed-in' && !allows(userSession, access)) throw roleForbids(access);
      if (everyDomain) assertEveryTagAllowed(actorOfUser(userSession.user, userSession.account));
      next();
    };
  }

  private lacksSecondFactor({ user, hasUsedSecondFactor }: UserSession): boolean {
    return !hasUsedSecondFactor && needsSecondFactor(this.rule, user.role);
  }

  private async findOtherAccounts({ accountId, linked, personId }: UserState): Promise<readonly Account[]> {
    if (!linked) return [];
    const ids = (await this.users.ofPerson(personId)).map((user) => user.toState().accountId);
    const accounts = await Promise.all(ids.filter((id) => id !== accountId).map((id) => this.accounts.find(id)));
    return accounts.filter((account) => account !== undefined);
  }

  private async findUserSession({ session, sessionID }: Request): Promise<UserSession | undefined> {
    if (!session.userId) return undefined;
    const user = (await this.users.find(session.userId))?.toState();
    const account = user && (await this.accounts.find(user.accountId));
    return (
      user &&
      account && {
        user,
        account,
        accountId: user.accountId,
        otherAccounts: await this.findOtherAccounts(user),
        timeZone: (await this.mailSettings.of(user.personId)).timeZone,
        sessionDigest: sessionDigest(sessionID),
        authenticatedAt: typeof session.authenticatedAt === 'number' ? new Date(session.authenticatedAt) : null,
        hasUsedSecondFactor: session.secondFactorAt !== undefined,
      }
    );
  }
}

/** Sign-in returns to the current page. An htmx request makes the browser load the sign-in page as a whole. */
function redirectToSignIn(req: Request, res: Response): void {
  const page = toLocalPath(getCurrentPage(req));
  const signIn = page === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(page)}`;
  if (!isHtmxRequest(req)) return redirect(res, signIn);
  res.setHeader('HX-Redirect', signIn);
  res.status(401).send();
}

/** The page that the user sees. For an htmx request, the browser sends its URL in a header. */
function getCurrentPage(req: Request): string {
  if (!isHtmxRequest(req)) return req.method === 'GET' ? req.originalUrl : '/';
  const url = req.get('HX-Current-URL') ?? '';
  if (!URL.canParse(url)) return '/';
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

function isHtmxRequest(req: Request): boolean {
  return req.get('HX-Request') === 'true';
}
