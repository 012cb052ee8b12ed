import type { Request, Response } from 'express';
import { DAY_MS } from '../../../domain/shared/calendar';

/** One for each person who signs in with the browser. */
const COOKIE = 'namewright-known-';
const KEPT_MS = 365 * DAY_MS;
/** Nobody else is shown it. */
const PATH = '/sign-in';
const MAX_PEOPLE = 20;

/** What the browser has been given by `rememberBrowser`, or says that it has. */
export function marksOf({ cookies }: Pick<Request, 'cookies'>): readonly string[] {
  return Object.entries(cookies as Readonly<Record<string, unknown>>)
    .flatMap(([name, value]) => (name.startsWith(COOKIE) && typeof value === 'string' ? [value] : []))
    .slice(0, MAX_PEOPLE);
}

/** Has the browser keep the mark of a person who is in. It stays when they sign out. */
export function rememberBrowser(req: Pick<Request, 'secure'>, res: Pick<Response, 'cookie'>, userId: string, mark: string): void {
  res.cookie(`${COOKIE}${userId}`, mark, { path: PATH, maxAge: KEPT_MS, httpOnly: true, sameSite: 'lax', secure: req.secure });
}
