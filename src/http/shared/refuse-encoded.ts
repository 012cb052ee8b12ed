import type { NextFunction, Request, Response } from 'express';
import { UnsupportedMediaType } from './errors';

const MEDIA_TYPE = 'application/x-www-form-urlencoded';
const NON_UTF8_CHARSET = /;\s*charset\s*=\s*"?(?!utf-?8\b)/i;

/** Middleware for every form that is read: it is neither compressed nor in another charset. */
export function refuseEncoded(req: Request, _res: Response, next: NextFunction): void {
  if ((req.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw new UnsupportedMediaType(`${MEDIA_TYPE}, not compressed,`);
  if (NON_UTF8_CHARSET.test(req.headers['content-type'] ?? '')) throw new UnsupportedMediaType(MEDIA_TYPE);
  next();
}
