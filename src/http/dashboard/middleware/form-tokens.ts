import { doubleCsrf } from 'csrf-csrf';
import type { Request, RequestHandler, Response } from 'express';
import { FormExpired } from '../../errors';

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
  const { generateCsrfToken, validateRequest } = doubleCsrf({
    getSecret: () => secret,
    getSessionIdentifier: ({ session, sessionID }) => (session.userId ? sessionID : 'signed out'),
    cookieName: COOKIE,
    cookieOptions,
    getCsrfTokenFromRequest: ({ body }) => {
      const token: unknown = (body as Record<string, unknown> | undefined)?.[TOKEN_FIELD];
      return typeof token === 'string' ? token : undefined;
    },
  });
  return {
    of: (req, res) => generateCsrfToken(req, res, { cookieOptions: { ...cookieOptions, secure: req.secure } }),
    check: (req, _res, next) => {
      if (req.method === 'POST' && !validateRequest(req)) throw new FormExpired();
      next();
    },
  };
}
