import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { inject, injectable } from 'inversify';
import { AccountReader } from '../../../application/ports/access/access-repositories';
import { UserReader } from '../../../application/ports/access/user-repository';
import { RoleForbids } from '../../../domain/access/errors';
import { ownPath } from '../sign-in/own-path';
import type { Access, Visitor } from '../visitor';
import { LostSessions } from './lost-sessions';
import { sessionDigest } from './session-store';
import { seeOther } from '../see-other';

/** Knows who is signed in, and sends away whoever may not come. */
@injectable()
export class SessionAuthentication {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(LostSessions) private readonly lostSessions: LostSessions,
  ) {}

  /** Reads the user on every request, so that a removed person loses access at once. */
  async identify(req: Request, res: Response, next: NextFunction): Promise<void> {
    const visitor = await this.visitorOf(req);
    if (visitor) res.locals['visitor'] = visitor;
    next();
  }

  admitting(access: Access): RequestHandler {
    return (req, res, next) => {
      if (access === 'public') return next();
      const visitor = res.locals['visitor'] as Visitor | undefined;
      if (!visitor)
        return req.method === 'POST' && !isForPart(req) ? this.lostSessions.handle(req, res) : toSignIn(req, res);
      if (access === 'owner' && visitor.user.role !== 'owner') throw new RoleForbids();
      next();
    };
  }

  private async visitorOf({ session, sessionID }: Request): Promise<Visitor | undefined> {
    if (!session.userId) return undefined;
    const user = (await this.users.find(session.userId))?.toState();
    const account = user && (await this.accounts.find(user.accountId));
    return (
      user &&
      account && {
        user,
        account,
        accountId: user.accountId,
        sessionDigest: sessionDigest(sessionID),
        authenticatedAt: session.authenticatedAt === undefined ? null : new Date(session.authenticatedAt),
      }
    );
  }
}

/** Comes back to the page after signing in. What a part of a page asks for is loaded as a whole one. */
function toSignIn(req: Request, res: Response): void {
  const page = ownPath(pageOf(req));
  const signIn = page === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(page)}`;
  if (!isForPart(req)) return seeOther(res, signIn);
  res.setHeader('HX-Redirect', signIn);
  res.status(401).send();
}

/** Where the person is; for a part of a page, that is the page around it, as the browser says. */
function pageOf(req: Request): string {
  if (!isForPart(req)) return req.method === 'GET' ? req.originalUrl : '/';
  const around = req.get('HX-Current-URL') ?? '';
  if (!URL.canParse(around)) return '/';
  const { pathname, search } = new URL(around);
  return `${pathname}${search}`;
}

function isForPart(req: Request): boolean {
  return req.get('HX-Request') === 'true';
}
