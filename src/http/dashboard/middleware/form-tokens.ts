import { token } from '../../../application/ports/inject';
import { doubleCsrf } from 'csrf-csrf';
import type { Request, RequestHandler, Response } from 'express';
import { FormExpired } from '../../shared/errors';
import { cookieName } from './cookies';

const COOKIE = 'namewright-form';
export const TOKEN_FIELD = '_token';

export interface FormTokens {
  /** The CSRF token for the forms of this response; sets its cookie. */
  create(req: Request, res: Response): string;
  /** Middleware. @throws FormExpired for a POST without the session's token */
  readonly check: RequestHandler;
}

export const FormTokens = token<FormTokens>('FormTokens');

/** CSRF protection by signed double-submit cookies (OWASP): the token is bound to the session, in a cookie and in every form. */
export function formTokens(secret: string): FormTokens {
  const cookieOptions = { httpOnly: true, sameSite: 'lax', path: '/' } as const;
  const createCsrf = (secure: boolean) =>
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
  const [overTls, plain] = [createCsrf(true), createCsrf(false)];
  const selectCsrf = ({ secure }: Request) => (secure ? overTls : plain);
  return {
    create: (req, res) => selectCsrf(req).generateCsrfToken(req, res),
    check: (req, _res, next) => {
      if (req.method === 'POST' && !selectCsrf(req).validateRequest(req)) throw new FormExpired();
      next();
    },
  };
}
