import { doubleCsrf } from 'csrf-csrf';
import type { Request, RequestHandler, Response } from 'express';
import { FormExpired } from '../../shared/errors';
import { cookieName } from './cookies';

const COOKIE = 'namewright-form';
export const TOKEN_FIELD = '_token';

export interface FormTokens {
  /** The token that belongs into every form of this answer. */
  of(req: Request, res: Response): string;
  /** Refuses what does not come from a form of ours. */
  readonly check: RequestHandler;
}

export const FormTokens = Symbol('FormTokens');

/** Against requests forged on other sites: a token signed for the session stands in a cookie and in every form. */
export function formTokens(secret: string): FormTokens {
  const cookieOptions = { httpOnly: true, sameSite: 'lax', path: '/' } as const;
  const named = (secure: boolean) =>
    doubleCsrf({
      getSecret: () => secret,
      getSessionIdentifier: ({ session, sessionID }) => (session.userId ? sessionID : 'signed out'),
      cookieName: cookieName({ secure }, COOKIE),
      cookieOptions: { ...cookieOptions, secure },
      getCsrfTokenFromRequest: ({ body }) => {
        const token: unknown = (body as Record<string, unknown> | undefined)?.[TOKEN_FIELD];
        return typeof token === 'string' ? token : undefined;
      },
    });
  const [overTls, plain] = [named(true), named(false)];
  const tokens = ({ secure }: Request) => (secure ? overTls : plain);
  return {
    of: (req, res) => tokens(req).generateCsrfToken(req, res),
    check: (req, _res, next) => {
      if (req.method === 'POST' && !tokens(req).validateRequest(req)) throw new FormExpired();
      next();
    },
  };
}
