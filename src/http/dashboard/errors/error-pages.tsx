import type { ErrorRequestHandler, RequestHandler } from 'express';
import { inject, injectable } from 'inversify';
import { Log } from '../../../application/ports/system/log';
import { StorageFailing } from '../../../application/ports/storage/storage-failing';
import { RouteNotFound } from '../../errors';
import { serviceErrorOf } from '../../service-error-of';
import { STATUS } from '../../status';
import { Pages } from '../pages';
import { ErrorPage } from './error-page';

/** Failures as pages that say what happened and where to go on. Others than browsers get the interface's envelope. */
@injectable()
export class ErrorPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Lets pass whoever would rather have JSON. */
  readonly leaveToInterface: RequestHandler = (req, _res, next) => {
    if (req.method === 'GET' && req.accepts(['json', 'html']) === 'html') next();
    else next('router');
  };

  readonly notFound: RequestHandler = () => {
    throw new RouteNotFound();
  };

  readonly failed: ErrorRequestHandler = (error: unknown, req, res, next) => {
    if (res.headersSent || req.accepts(['html', 'json']) !== 'html') return next(error);
    const failure = serviceErrorOf(error);
    if (!failure) this.log.error({ err: error, path: req.path }, 'a page failed');
    if (failure instanceof StorageFailing) this.log.error({ err: failure.cause, path: req.path }, 'the database cannot write: is its disk full, or max_allowed_packet too small?');
    const status = failure ? STATUS[failure.code] : 500;
    this.pages.send(req, res, { title: titleOf(status), faults: { status, retryAfterSeconds: failure?.retryAfterSeconds } }, <ErrorPage status={status} failure={failure} />);
  };
}

function titleOf(status: number): string {
  if (status === 403) return 'Not allowed';
  if (status === 404) return 'Not found';
  if (status === 429) return 'Too many attempts';
  if (status === 503) return 'Not ready';
  return status >= 500 ? 'Something went wrong' : 'That did not work';
}
