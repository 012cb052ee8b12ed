import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import type { VNode } from 'preact';
import { StorageFailing } from '../../../application/ports/storage/storage-unavailable';
import { Log } from '../../../application/ports/system';
import type { ServiceError } from '../../../domain/shared/service-error';
import { FormExpired, RouteNotFound } from '../../shared/errors';
import { serviceErrorOf } from '../../shared/service-error-of';
import { STATUS } from '../../shared/error-codes';
import { ResubmitFormPage } from '../layout/forms/resubmit-form-page';
import { readRefusedFields } from '../middleware/form-body';
import { readOwner, readReturnPath, readSubmittedFields, SavedForms } from '../middleware/saved-forms';
import { PageRenderer } from '../page-renderer';
import type { UserSession } from '../user-session';
import { ErrorPage } from './error-page';

/** Renders issues as pages. Clients that prefer JSON get the API's error body. */
@injectable()
export class ErrorPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(SavedForms) private readonly savedForms: SavedForms,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Middleware: leaves a client that prefers JSON to the API's router. */
  leaveToApi(): RequestHandler {
    return (req, _res, next) => {
      if (req.method === 'GET' && req.accepts(['json', 'html']) === 'html') next();
      else next('router');
    };
  }

  /** Middleware. @throws RouteNotFound always */
  notFound(): RequestHandler {
    return () => {
      throw new RouteNotFound();
    };
  }

  renderError(): ErrorRequestHandler {
    return (error: unknown, req, res, next) => {
      if (res.headersSent || req.accepts(['html', 'json']) !== 'html') return next(error);
      const failure = serviceErrorOf(error);
      this.logFailure(error, failure, req.path);
      const status = failure ? STATUS[failure.code] : 500;
      const expired = failure instanceof FormExpired ? this.buildExpiredForm(req, res) : undefined;
      const formPage = userSessionOf(res) && readFormPage(req, res);
      const retry = req.method === 'GET' && status === 503 ? req.originalUrl : undefined;
      this.renderer.render(
        req,
        res,
        { title: getTitle(status), issues: { status, retryAfterSeconds: failure?.retryAfterSeconds } },
        expired ?? <ErrorPage status={status} failure={failure} retry={retry} formPage={formPage} />,
      );
    };
  }

  private logFailure(error: unknown, failure: ServiceError | undefined, path: string): void {
    if (!failure) this.log.error({ err: error, path }, 'a dashboard page failed');
    if (failure instanceof StorageFailing)
      this.log.error(
        { err: failure.cause, path },
        'the database cannot write: is its disk full, or max_allowed_packet too small?',
      );
  }

  /** The form again, if it was rendered for the signed-in user in an earlier session. */
  private buildExpiredForm(req: Request, res: Response): VNode | undefined {
    const body = readRefusedFields(req, res);
    const userSession = userSessionOf(res);
    const fields = readSubmittedFields(body);
    if (!userSession || !fields || !this.savedForms.isOwner(readOwner(body), userSession.user.id)) return undefined;
    return (
      <ResubmitFormPage
        title="Send your form again?"
        reason="The form was not accepted and nothing was changed, because you have signed in again since you opened it. You can send it now."
        action={req.originalUrl}
        fields={fields}
        submit="Send"
        cancel={readReturnPath(body)}
      />
    );
  }
}

function userSessionOf({ locals }: Response): UserSession | undefined {
  return locals['userSession'] as UserSession | undefined;
}

/** Undefined for a request without a form of the dashboard. */
function readFormPage(req: Request, res: Response): string | undefined {
  const body = readRefusedFields(req, res);
  return req.method === 'POST' && readOwner(body) !== '' ? readReturnPath(body) : undefined;
}

function getTitle(status: number): string {
  if (status === 403) return 'Not allowed';
  if (status === 404) return 'Not found';
  if (status === 429) return 'Too many requests';
  if (status === 503) return 'Service unavailable';
  return status >= 500 ? 'Internal error' : 'Request refused';
}
