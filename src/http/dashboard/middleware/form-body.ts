import { parse as parseQuery } from 'node:querystring';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { PayloadTooLarge } from '../../shared/errors';
import { refuseEncoded } from '../../shared/refuse-encoded';
import { TOKEN_FIELD, type FormTokens } from './form-tokens';

const MEDIA_TYPE = 'application/x-www-form-urlencoded';
const MAX_FIELDS = 1_000;
const TOKEN = new RegExp(`(?:^|&)${TOKEN_FIELD}=([^&]*)`);

/**
 * Parses a urlencoded form of at most `maxBytes`. Size and CSRF token are checked before the fields are decoded, and a
 * compressed form is refused unread: 24 KB of gzip can hold 24 MB.
 * @throws PayloadTooLarge, UnsupportedMediaType, FormExpired
 */
export function formBody(tokens: FormTokens, maxBytes: number): readonly RequestHandler[] {
  return [
    refuseEncoded,
    express.raw({ type: MEDIA_TYPE, limit: maxBytes, inflate: false }),
    readToken,
    tokens.check,
    parseFields,
  ];
}

function readToken(req: Request, res: Response, next: NextFunction): void {
  const text = Buffer.isBuffer(req.body) ? req.body.toString() : '';
  res.locals['form'] = text;
  req.body = parseQuery(TOKEN.exec(text)?.[0] ?? '');
  next();
}

/** The fields of a form whose CSRF token was refused: the token is checked before they are parsed. */
export function readRefusedFields({ body }: Pick<Request, 'body'>, { locals }: Pick<Response, 'locals'>): unknown {
  return typeof locals['form'] === 'string' ? parseQuery(locals['form']) : body;
}

function parseFields(req: Request, res: Response, next: NextFunction): void {
  const text = res.locals['form'] as string;
  delete res.locals['form'];
  let separators = 0;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) separators += 1;
  if (separators >= MAX_FIELDS) throw new PayloadTooLarge();
  req.body = parseQuery(text);
  next();
}
