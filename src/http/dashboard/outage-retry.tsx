import type { ErrorRequestHandler } from 'express';
import { inject, injectable } from '../../application/ports/inject';
import { ServiceError } from '../../domain/shared/service-error';
import { STATUS } from '../shared/error-codes';
import type { DashboardRequest, DashboardResponse } from './dashboard-route';
import { OUTAGE, type FormIssues } from './form-issues';
import { ResubmitFormPage } from './layout/forms/resubmit-form-page';
import { readReturnPath, readSubmittedFields } from './middleware/saved-forms';
import { PageRenderer } from './page-renderer';

interface RetryForm {
  readonly title: string;
  /** Label of the button that sends the form again. */
  readonly submit: string;
}

/** Keeps a submitted form while the registry is unavailable: renders it again with a retry button. */
@injectable()
export class OutageRetry {
  constructor(@inject(PageRenderer) private readonly renderer: PageRenderer) {}

  /** Error middleware for a route: handles an outage, passes on all other issues. */
  onOutage(getForm: (req: DashboardRequest) => RetryForm): ErrorRequestHandler {
    return (error: unknown, req, res, next) => {
      if (res.headersSent || !(error instanceof ServiceError) || STATUS[error.code] !== OUTAGE) return next(error);
      const { message, retryAfterSeconds } = error;
      const issues = { status: OUTAGE, message, retryAfterSeconds, fields: new Map() };
      if (!this.offerRetry(req as DashboardRequest, res as DashboardResponse, issues, getForm(req as DashboardRequest)))
        next(error);
    };
  }

  /** Renders the retry page if `issues` are an outage. Returns whether it did. */
  offerRetry(req: DashboardRequest, res: DashboardResponse, issues: FormIssues, { title, submit }: RetryForm): boolean {
    const fields = readSubmittedFields(req.body);
    if (issues.status !== OUTAGE || !fields) return false;
    const reason = `${issues.message ?? 'The registry is unavailable'}. Your entries are kept and nothing was ordered twice. Try again in a moment.`;
    this.renderer.render(
      req,
      res,
      { title, issues },
      <ResubmitFormPage
        title={title}
        reason={reason}
        action={req.originalUrl}
        fields={fields}
        submit={submit}
        cancel={readReturnPath(req.body)}
      />,
    );
    return true;
  }
}
