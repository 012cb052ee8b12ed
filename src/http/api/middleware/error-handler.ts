import type { ErrorRequestHandler, Response } from 'express';
import type { Log } from '../../../application/ports/log';
import type { ErrorCode } from '../../../domain/shared/error-code';
import { ServiceError } from '../../../domain/shared/service-error';
import { ValidationError } from '../../../domain/shared/validation-error';
import { MethodNotAllowed } from '../../errors';
import { locateOperation } from '../presenters/operation-presenter';

export const STATUS: Record<ErrorCode, number> = {
  VALIDATION_ERROR: 400,
  INVALID_NAMESERVERS: 400,
  INVALID_RECORD_TYPE: 400,
  INVALID_RECORD_NAME: 400,
  INVALID_RECORD_CONTENT: 400,
  CNAME_AT_ROOT: 400,
  MISSING_PRIORITY: 400,
  INVALID_API_KEY: 401,
  INSUFFICIENT_SCOPE: 403,
  DOMAIN_NOT_FOUND: 404,
  OPERATION_NOT_FOUND: 404,
  RECORD_NOT_FOUND: 404,
  VERSION_NOT_FOUND: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  DOMAIN_UNAVAILABLE: 409,
  DOMAIN_STATUS_CONFLICT: 409,
  OPERATION_IN_PROGRESS: 409,
  RECORD_CONFLICT: 409,
  LIMIT_EXCEEDED: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  REGISTRY_REJECTED: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  REGISTRY_UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
};

const MAX_DETAILS = 4_000;

class InternalError extends ServiceError {
  readonly code = 'INTERNAL_ERROR';

  constructor() {
    super('Something went wrong on our side');
  }
}

/** The one place where a failure becomes an answer. What is no ServiceError is a bug: it goes to the log, not to the caller. */
export function errorHandler(log: Log): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    if (res.headersSent) {
      log.error({ err: error, path: req.path }, 'an answer was cut short');
      res.destroy();
      return;
    }
    const failure = asServiceError(error);
    if (failure instanceof InternalError) log.error({ err: error, path: req.path }, 'a request failed');
    setHeaders(res, failure);
    const details = failure.details?.slice(0, MAX_DETAILS);
    res.status(STATUS[failure.code]).json({ error: { code: failure.code, message: failure.message, ...(details !== undefined && { details }) } });
  };
}

function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400)) {
    return new ValidationError([{ field: '', problem: 'The address or the body is malformed' }], { cause: error });
  }
  return new InternalError();
}

function setHeaders(res: Response, error: ServiceError): void {
  if (error.code === 'INVALID_API_KEY') res.setHeader('WWW-Authenticate', 'Bearer');
  if (error instanceof MethodNotAllowed) res.setHeader('Allow', error.allowed.join(', '));
  if (error.operationId !== undefined) locateOperation(res, error.operationId);
  if ('retryAfterSeconds' in error) res.setHeader('Retry-After', String(error.retryAfterSeconds));
}
