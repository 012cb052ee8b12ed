import express, { type NextFunction, type Request, type Response } from 'express';
import { ValidationError } from '../../../domain/shared/validation-error';
import { PayloadTooLarge, UnsupportedMediaType } from '../../errors';

const parse = express.json({ limit: '256kb', strict: false });

/** Reads a JSON body of at most 256 KiB; none at all leaves `req.body` undefined. */
export function jsonBody(req: Request, res: Response, next: NextFunction): void {
  if (hasBody(req) && !req.is('application/json')) throw new UnsupportedMediaType();
  parse(req, res, (error?: unknown) => next(error === undefined ? undefined : inOurWords(error)));
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** By status, as body-parser sets it. */
function inOurWords(error: unknown): unknown {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return new PayloadTooLarge({ cause: error });
  if (status === 415) return new UnsupportedMediaType({ cause: error });
  if (status === 400) return new ValidationError([{ field: '', problem: 'The body must be well-formed JSON' }], { cause: error });
  return error;
}
