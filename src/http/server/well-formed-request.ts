import type { NextFunction, Request, Response } from 'express';
import { ValidationError } from '../../domain/shared/validation-error';

/** Replaces every request target that cannot be parsed; it is malformed as well. */
export const MALFORMED_TARGET = '/%';

/** @throws ValidationError */
export function requireTarget(req: Request, _res: Response, next: NextFunction): void {
  if (req.url === MALFORMED_TARGET) throw ValidationError.of('', 'The request target is malformed');
  next();
}

/** RFC 9112, section 3.2: exactly one Host header field. Of two, a proxy in front may have read the other. @throws ValidationError */
export function requireHost(req: Request, _res: Response, next: NextFunction): void {
  const hosts = req.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host',
  ).length;
  if (hosts > 1) throw ValidationError.of('', 'The Host header is repeated');
  if (req.httpVersion === '1.1' && hosts === 0) throw ValidationError.of('', 'The Host header is missing');
  next();
}
