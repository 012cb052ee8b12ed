import { parse as parseQuery } from 'node:querystring';
import type { NextFunction, Request, Response } from 'express';
import { inject, injectable } from 'inversify';
import type { VNode } from 'preact';
import { Log } from '../../../application/ports/system/log';
import { StorageFailing } from '../../../application/ports/storage/storage-failing';
import { FormExpired, RouteNotFound } from '../../shared/errors';
import { serviceErrorOf } from '../../shared/service-error-of';
import { STATUS } from '../../shared/error-codes';
import { RepeatFormPage } from '../layout/repeat-form-page';
import { KeptForms, ownerOf, placeOf, sentFields } from '../middleware/kept-forms';
import { Pages } from '../pages';
import type { Visitor } from '../visitor';
import { ErrorPage } from './error-page';

/** Failures as pages that say what happened and where to go on. Others than browsers get the interface's envelope. */
@injectable()
export class ErrorPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(KeptForms) private readonly keptForms: KeptForms,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Leaves clients that prefer JSON to the error handler of the API. */
  skipUnlessHtml(req: Request, _res: Response, next: NextFunction): void {
    if (req.method === 'GET' && req.accepts(['json', 'html']) === 'html') next();
    else next('router');
  }

  notFound(): never {
    throw new RouteNotFound();
  }

  failed(error: unknown, req: Request, res: Response, next: NextFunction): void {
    if (res.headersSent || req.accepts(['html', 'json']) !== 'html') return next(error);
    const failure = serviceErrorOf(error);
    if (!failure) this.log.error({ err: error, path: req.path }, 'a page failed');
    if (failure instanceof StorageFailing)
      this.log.error(
        { err: failure.cause, path: req.path },
        'the database cannot write: is its disk full, or max_allowed_packet too small?',
      );
    const status = failure ? STATUS[failure.code] : 500;
    const expired = failure instanceof FormExpired ? this.expiredForm(req, res) : undefined;
    if (expired) return this.pages.send(req, res, { title: titleOf(status), issues: { status } }, expired);
    this.pages.send(
      req,
      res,
      { title: titleOf(status), issues: { status, retryAfterSeconds: failure?.retryAfterSeconds } },
      <ErrorPage
        status={status}
        failure={failure}
        retry={req.method === 'GET' && status === 503 ? req.originalUrl : undefined}
      />,
    );
  }

  /** The form again, if it is the visitor's own: from before the session that there is now. */
  private expiredForm({ body: parsed, originalUrl }: Request, { locals }: Response): VNode | undefined {
    // The token is checked before the fields are parsed.
    const body: unknown = typeof locals['form'] === 'string' ? parseQuery(locals['form']) : parsed;
    const visitor = locals['visitor'] as Visitor | undefined;
    const fields = sentFields(body);
    if (!visitor || !fields || !this.keptForms.isOwner(ownerOf(body), visitor.user.id)) return undefined;
    return (
      <RepeatFormPage
        title="Send your form again?"
        reason="You signed in again after this form was opened, so it was not accepted. Nothing was changed. You can send it now."
        action={originalUrl}
        fields={fields}
        submit="Send it"
        cancel={placeOf(body)}
      />
    );
  }
}

function titleOf(status: number): string {
  if (status === 403) return 'Not allowed';
  if (status === 404) return 'Not found';
  if (status === 429) return 'Too many attempts';
  if (status === 503) return 'Not ready';
  return status >= 500 ? 'Something went wrong' : 'That did not work';
}
