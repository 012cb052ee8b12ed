import type { NextFunction, Request, RequestHandler, Response } from 'express';
import session from 'express-session';
import type { User } from '../../../domain/access/people/user';
import { SESSION_MAX_AGE_MS } from '../../../domain/access/people/session';
import type { Flash } from '../flash';
import { cookieName } from './cookies';
import type { SessionStore } from './session-store';

const COOKIE = 'namewright';

/** Cookie sessions for signed-in users only; the cookie is Secure over TLS. */
export function sessions(store: SessionStore, secret: string): RequestHandler[] {
  const createSession = (name: string) =>
    session({
      name,
      secret,
      store,
      resave: false,
      saveUninitialized: false,
      unset: 'destroy',
      cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto', maxAge: SESSION_MAX_AGE_MS, path: '/' },
    });
  const [secure, plain] = [createSession(cookieName({ secure: true }, COOKIE)), createSession(COOKIE)];
  return [
    (req: Request, res: Response, next: NextFunction) => {
      (req.secure ? secure : plain)(req, res, next);
    },
    (req: Request, _res: Response, next: NextFunction) => {
      req.session.cookie.secure = req.secure;
      next();
    },
  ];
}

/** A sign-in with a provider. */
interface ProviderStart {
  readonly id: string;
  /** The id of the identity. */
  readonly identity: string;
  /** `providerSessionOf` the session there, if it is known. */
  readonly session?: string | undefined;
  /** When the user authenticated there, in milliseconds; null if that is not known. */
  readonly authenticatedAt: number | null;
  /** `SessionStore.lastLogout` when the browser went there. */
  readonly lastLogout: number;
}

/** How the user has signed in. */
export interface SessionStart {
  readonly hasUsedSecondFactor?: boolean;
  readonly provider?: ProviderStart | undefined;
  readonly flash?: Flash | undefined;
  /** Whether the user has not signed in with this browser before. */
  readonly isNewBrowser?: boolean;
}

/**
 * Starts a session with a new id, which prevents session fixation.
 * @throws WrongCredentials if the user's password has changed in the meantime, IdentityUnknown if the identity was unlinked,
 * SignedOutAtProvider
 */
export async function openSession(
  req: Request,
  user: User,
  { hasUsedSecondFactor = false, provider, flash, isNewBrowser = false }: SessionStart,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    req.session.regenerate((error: unknown) => (error ? reject(asError(error)) : resolve()));
  });
  req.session.userId = user.id;
  req.session.passwordHash = user.toState().passwordHash;
  req.session.accountId = user.toState().accountId;
  req.session.secondFactor = hasUsedSecondFactor;
  req.session.newBrowser = isNewBrowser;
  req.session.provider = provider?.id;
  req.session.providerSession = provider?.session;
  req.session.identity = provider?.identity;
  req.session.authenticatedAt = provider?.authenticatedAt;
  req.session.lastLogout = provider?.lastLogout;
  req.session.flash = flash;
  req.session.clientAddress = (req.ip ?? '').slice(0, 64);
  req.session.userAgent = (req.get('user-agent') ?? '').slice(0, 255);
  await new Promise<void>((resolve, reject) => {
    req.session.save((error: unknown) => (error ? reject(asError(error)) : resolve()));
  }).catch((error: unknown) => {
    Reflect.deleteProperty(req.session, 'userId');
    throw error;
  });
}

export async function closeSession(req: Request, res: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    req.session.destroy((error: unknown) => (error ? reject(asError(error)) : resolve()));
  });
  res.clearCookie(cookieName(req, COOKIE), { path: '/', httpOnly: true, sameSite: 'lax', secure: req.secure });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
