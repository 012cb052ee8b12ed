import { ServiceError } from '../../domain/shared/service-error';
import { ValidationError } from '../../domain/shared/validation-error';
import { PayloadTooLarge, UnsupportedMediaType } from './errors';

/** Translates errors of Express and body-parser about malformed requests. Undefined for a bug. */
export function serviceErrorOf(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return new PayloadTooLarge({ cause: error });
  if (status === 415) return new UnsupportedMediaType('application/x-www-form-urlencoded', { cause: error });
  if (status === 400 || error instanceof URIError)
    return new ValidationError([{ path: '', message: 'The address or the body is malformed' }], { cause: error });
  return undefined;
}
