import type { Request, Response } from 'express';
import { DAY_MS } from '../../../domain/shared/time/calendar';
import { cookieName } from './cookies';

/** Prefix; one cookie for each user who signs in with the browser. */
const COOKIE = 'namewright-known-';
const MAX_AGE_MS = 365 * DAY_MS;
const MAX_USERS = 20;

/** The marks that `rememberBrowser` has set, not verified. */
export function readBrowserMarks({ cookies, secure }: Pick<Request, 'cookies' | 'secure'>): readonly string[] {
  return Object.entries(cookies as Readonly<Record<string, unknown>>)
    .flatMap(([name, value]) =>
      name.startsWith(cookieName({ secure }, COOKIE)) && typeof value === 'string' ? [value] : [],
    )
    .slice(0, MAX_USERS);
}

/** Sets the cookie that marks a browser as known to the user. It outlives the session. */
export function rememberBrowser(
  req: Pick<Request, 'secure'>,
  res: Pick<Response, 'cookie'>,
  userId: string,
  mark: string,
): void {
  res.cookie(`${cookieName(req, COOKIE)}${userId}`, mark, {
    path: '/',
    maxAge: MAX_AGE_MS,
    httpOnly: true,
    sameSite: 'lax',
    secure: req.secure,
  });
}
