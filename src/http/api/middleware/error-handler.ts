import type { ErrorRequestHandler, Response } from 'express';
import { levelOf } from '../../../application/level-of';
import type { Log } from '../../../application/ports/system/log';
import { StorageFailing } from '../../../application/ports/storage/storage-failing';
import { ServiceError } from '../../../domain/shared/service-error';
import { MethodNotAllowed } from '../../errors';
import { serviceErrorOf } from '../../service-error-of';
import { STATUS } from '../../status';
import { locateOperation } from '../presenters/operation-presenter';

const MAX_DETAILS = 4_000;
/** What reading a request or writing a response fails with after the client has closed its connection. */
const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_DESTROYED']);

class InternalError extends ServiceError {
  readonly code = 'INTERNAL_ERROR';

  constructor() {
    super('Something went wrong on our side');
  }
}

/** The one place where a failure becomes an answer. What is no ServiceError is a bug: it goes to the log, not to the caller. */
export function errorHandler(log: Log): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    if (res.writableEnded) {
      // Who was refused before all of the request had come has no other answer to expect.
      if (!req.complete) return;
      log[levelOf(error)]({ err: error, path: req.path }, 'what was to follow an answer failed');
      return;
    }
    if (res.headersSent) {
      if (!isHangUp(error, res)) log.error({ err: error, path: req.path }, 'an answer was cut short');
      res.destroy();
      return;
    }
    const failure = serviceErrorOf(error) ?? new InternalError();
    if (failure instanceof InternalError && !isHangUp(error, res))
      log.error({ err: error, path: req.path }, 'a request failed');
    if (failure instanceof StorageFailing)
      log.error(
        { err: failure.cause, path: req.path },
        'the database cannot write: is its disk full, or max_allowed_packet too small?',
      );
    setHeaders(res, failure);
    const details = failure.details?.slice(0, MAX_DETAILS);
    res
      .status(STATUS[failure.code])
      .json({ error: { code: failure.code, message: failure.message, ...(details !== undefined && { details }) } });
  };
}

/** The client has gone while it sent a request or read a response; the request's own line in the log says so. */
function isHangUp(error: unknown, { socket }: Response): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return error.code === 'ERR_STREAM_PREMATURE_CLOSE' || (HANG_UPS.has(error.code) && (socket?.destroyed ?? true));
}

function setHeaders(res: Response, error: ServiceError): void {
  if (error.code === 'INVALID_API_KEY') res.setHeader('WWW-Authenticate', 'Bearer');
  if (error instanceof MethodNotAllowed) res.setHeader('Allow', error.allowed.join(', '));
  if (error.operationId !== undefined) locateOperation(res, error.operationId);
  if (error.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(error.retryAfterSeconds));
}
