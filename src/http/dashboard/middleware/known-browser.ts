import type { Request, Response } from 'express';
import { DAY_MS } from '../../../domain/shared/calendar';
import { cookieName } from './cookies';

/** One for each person who signs in with the browser. */
const COOKIE = 'namewright-known-';
const KEPT_MS = 365 * DAY_MS;
const MAX_PEOPLE = 20;

/** What the browser has been given by `rememberBrowser`, or says that it has. */
export function marksOf({ cookies, secure }: Pick<Request, 'cookies' | 'secure'>): readonly string[] {
  return Object.entries(cookies as Readonly<Record<string, unknown>>)
    .flatMap(([name, value]) =>
      name.startsWith(cookieName({ secure }, COOKIE)) && typeof value === 'string' ? [value] : [],
    )
    .slice(0, MAX_PEOPLE);
}

/** Has the browser keep the mark of a person who is in. It stays when they sign out. */
export function rememberBrowser(
  req: Pick<Request, 'secure'>,
  res: Pick<Response, 'cookie'>,
  userId: string,
  mark: string,
): void {
  res.cookie(`${cookieName(req, COOKIE)}${userId}`, mark, {
    path: '/',
    maxAge: KEPT_MS,
    httpOnly: true,
    sameSite: 'lax',
    secure: req.secure,
  });
}
