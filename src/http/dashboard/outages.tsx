import { inject, injectable } from 'inversify';
import { ServiceError } from '../../domain/shared/service-error';
import { STATUS } from '../shared/error-codes';
import type { FormIssues } from './form-issues';
import { RepeatFormPage } from './layout/repeat-form-page';
import { placeOf, sentFields } from './middleware/kept-forms';
import { Pages } from './pages';
import type { DashboardHandler, DashboardRequest, DashboardResponse } from './visitor';

const OUTAGE = 503;

interface RepeatedForm {
  readonly title: string;
  /** The button that sends the form again. */
  readonly submit: string;
}

/** Keeps what was filled in while a registry does not answer. */
@injectable()
export class Outages {
  constructor(@inject(Pages) private readonly pages: Pages) {}

  /** Answers an outage during `handler` with the form, to be sent again. */
  keeping(handler: DashboardHandler, formOf: (req: DashboardRequest) => RepeatedForm): DashboardHandler {
    return async (req, res) => {
      try {
        await handler(req, res);
      } catch (error) {
        if (res.headersSent || !(error instanceof ServiceError) || STATUS[error.code] !== OUTAGE) throw error;
        const { message, retryAfterSeconds } = error;
        if (
          !this.offersRepeat(req, res, { status: OUTAGE, message, retryAfterSeconds, fields: new Map() }, formOf(req))
        )
          throw error;
      }
    };
  }

  /** Whether `issues` are an outage, which is then answered with the form. */
  offersRepeat(
    req: DashboardRequest,
    res: DashboardResponse,
    issues: FormIssues,
    { title, submit }: RepeatedForm,
  ): boolean {
    const fields = sentFields(req.body);
    if (issues.status !== OUTAGE || !fields) return false;
    const reason = `${issues.message ?? 'The registry is not available at the moment'}. What you filled in is kept: try again in a moment. Nothing is ordered twice.`;
    this.pages.send(
      req,
      res,
      { title, issues },
      <RepeatFormPage
        title={title}
        reason={reason}
        action={req.originalUrl}
        fields={fields}
        submit={submit}
        cancel={placeOf(req.body)}
      />,
    );
    return true;
  }
}
