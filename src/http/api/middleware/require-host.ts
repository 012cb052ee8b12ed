import type { NextFunction, Request, Response } from 'express';
import { ValidationError } from '../../../domain/shared/validation-error';

/** RFC 9112, section 3.2: HTTP/1.1 without a Host header is refused. */
export function requireHost(req: Request, _res: Response, next: NextFunction): void {
  if (req.httpVersion === '1.1' && req.headers.host === undefined) throw new ValidationError([{ field: '', problem: 'The Host header is missing' }]);
  next();
}
