import type { NextFunction, Request, Response } from 'express';
import { ValidationError } from '../../../domain/shared/validation-error';

/** RFC 9112, section 3.2: HTTP/1.1 has one Host header, not none and not two, of which a proxy in front may have read the other. */
export function requireHost(req: Request, _res: Response, next: NextFunction): void {
  const hosts = req.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host',
  ).length;
  if (hosts > 1) throw new ValidationError([{ path: '', message: 'The Host header is there more than once' }]);
  if (req.httpVersion === '1.1' && hosts === 0)
    throw new ValidationError([{ path: '', message: 'The Host header is missing' }]);
  next();
}
