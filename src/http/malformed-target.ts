import type { NextFunction, Request, Response } from 'express';
import { ValidationError } from '../domain/shared/validation-error';

/** Stands for every request target that cannot be parsed; in itself it is malformed, too. */
export const MALFORMED_TARGET = '/%';

/** @throws ValidationError */
export function requireTarget(req: Request, _res: Response, next: NextFunction): void {
  if (req.url === MALFORMED_TARGET)
    throw new ValidationError([{ path: '', message: 'The request target is malformed' }]);
  next();
}
