import type { NextFunction, Request, Response } from 'express';
import { levelOf } from '../../application/shared/level-of';
import type { Log } from '../../application/ports/system';
import { StorageFailing, StorageUnavailable } from '../../application/ports/storage/storage-unavailable';
import { ServiceError } from '../../domain/shared/service-error';
import { STATUS } from './error-codes';
import { MethodNotAllowed } from './errors';
import { respondJson } from './respond';
import type { JsonResult } from './result';
import { serviceErrorOf } from './service-error-of';
import { warnOfUnavailability } from './unavailable-warnings';

const MAX_DETAILS = 4_000;
/** Errors of reading a request or writing a response after the client has closed its connection. */
const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_DESTROYED']);

class InternalError extends ServiceError {
  readonly code = 'INTERNAL_ERROR';

  constructor() {
    super('Something went wrong on our side');
  }
}

type ErrorHandler = (error: unknown, req: Request, res: Response, next: NextFunction) => void;

/** Express's error handler: sends what was thrown as a response, with the API's envelope unless `send` has another. */
export function errorHandler(
  log: Log,
  send: (res: Response, error: ServiceError) => void = sendEnvelope,
): ErrorHandler {
  // Express recognizes error handlers by their four parameters.
  return function handleError(error, req, res, _next) {
    if (res.writableEnded) {
      // A request refused before it had arrived in full has its response already.
      if (req.complete) log[levelOf(error)]({ err: error, path: req.path }, 'failed after the response was sent');
    } else if (res.headersSent) {
      if (!isHangUp(error, res)) {
        log.error({ err: error, path: req.path }, 'response aborted');
        // For the request log: the client has read another status.
        res.statusCode = 500;
      }
      res.destroy();
    } else {
      send(res, asServiceError(error, req.path, isHangUp(error, res) ? undefined : log));
    }
  };
}

/** The response to a thrown error. What is no ServiceError is a bug: it goes to the log, and the caller gets INTERNAL_ERROR. */
export function errorResult(error: unknown, path: string, log: Log | undefined): JsonResult {
  return resultOf(asServiceError(error, path, log));
}

function sendEnvelope(res: Response, error: ServiceError): void {
  respondJson(res, resultOf(error));
}

function asServiceError(error: unknown, path: string, log: Log | undefined): ServiceError {
  const failure = serviceErrorOf(error);
  if (!failure) log?.error({ err: error, path }, 'request failed');
  if (failure instanceof StorageFailing)
    log?.error(
      { err: failure.cause, path },
      'the database cannot write: is its disk full, or max_allowed_packet too small?',
    );
  else if (failure instanceof StorageUnavailable && log) warnOfUnavailability(log, failure.cause, path);
  return failure ?? new InternalError();
}

function resultOf(error: ServiceError): JsonResult {
  const { code, message } = error;
  const details = error.details?.slice(0, MAX_DETAILS);
  return {
    status: STATUS[code],
    headers: errorHeaders(error),
    body: { error: { code, message, ...(details !== undefined && { details }) } },
  };
}

export function errorHeaders(error: ServiceError): Record<string, string> {
  return {
    ...(error.code === 'INVALID_API_KEY' && { 'WWW-Authenticate': 'Bearer' }),
    ...(error instanceof MethodNotAllowed && { Allow: error.allowed.join(', ') }),
    ...(error.operationId !== undefined && operationLocation(error.operationId)),
    ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
  };
}

export function operationLocation(operationId: string): Record<string, string> {
  return { 'Operation-Location': `/api/operations/${operationId}` };
}

/** The request log already says that the client has closed its connection. */
function isHangUp(error: unknown, { socket }: Response): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return error.code === 'ERR_STREAM_PREMATURE_CLOSE' || (HANG_UPS.has(error.code) && (socket?.destroyed ?? true));
}
