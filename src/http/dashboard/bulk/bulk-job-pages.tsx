import { inject, injectable } from '../../../application/ports/inject';
import { FindBulkJob, type BulkReport } from '../../../application/portfolio/bulk/find-bulk-job';
import { ReadBulkResults } from '../../../application/portfolio/bulk/read-bulk-results';
import { RetryBulkJob } from '../../../application/portfolio/bulk/retry-bulk-job';
import { MAX_REVIEWED_RENEWALS, ReviewBulkRenewal } from '../../../application/portfolio/reviews/review-bulk-renewal';
import { isBulkJobFinished, isOrder, isRetryable, type SelectedDomain } from '../../../domain/portfolio/bulk-job';
import { DEFAULT_YEARS } from '../../../domain/registration/registration-term';
import {
  BULK,
  WIDE,
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { setFlash } from '../flash';
import { readField, readParameter } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { Reauthentication } from '../reauthentication/reauthentication';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { BulkFormPage } from './bulk-form-page';
import { BulkJobPage, BulkJobsPage } from './bulk-job-page';
import { assertRepeatAllowed } from './bulk-request';
import { confirmRenewals } from './confirm-renewals';

const LATEST = 20;

/** Jobs on many domains: progress, retry and undo. */
@injectable()
export class BulkJobPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(FindBulkJob) private readonly findJob: FindBulkJob,
    @inject(RetryBulkJob) private readonly retryJob: RetryBulkJob,
    @inject(ReadBulkResults) private readonly results: ReadBulkResults,
    @inject(ReviewBulkRenewal) private readonly reviewRenewal: ReviewBulkRenewal,
  ) {}

  /** `read` is enough for the routes: each action is judged by what it needs. */
  get routes(): readonly DashboardRoute[] {
    const confirmed = this.reauthentication.require((req, res) => this.isTransferLock(req, res));
    return [
      ['get', '/bulk', 'read', this.list.bind(this), { cost: WIDE }],
      ['get', '/bulk/:jobId', 'read', this.progress.bind(this)],
      ['get', '/bulk/:jobId/retry', 'read', (req, res) => this.retryForm(req, res), { cost: BULK }],
      ['post', '/bulk/:jobId/retry', 'read', this.retry.bind(this), { cost: BULK, before: confirmed }],
      ['post', '/bulk/:jobId/undo', 'read', this.undo.bind(this), { cost: BULK, before: confirmed }],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const reports = await this.findJob.latest(getRequester(res), LATEST);
    this.renderer.render(req, res, { title: 'Bulk changes', section: 'bulk' }, <BulkJobsPage reports={reports} />);
  }

  private async progress(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const report = await this.find(req, res);
    const results = isBulkJobFinished(report.job) ? await this.results.execute(report) : undefined;
    this.renderer.render(
      req,
      res,
      { title: 'Bulk change', section: 'bulk' },
      <BulkJobPage report={report} results={results} />,
    );
  }

  private find({ params }: DashboardRequest, res: DashboardResponse): Promise<BulkReport> {
    return this.findJob.execute({ ...getRequester(res), jobId: params['jobId'] ?? '' });
  }

  /** To undo a lock, or to retry an unlock, unlocks domains, which the job refuses to members who may not. */
  private async isTransferLock(req: DashboardRequest, res: DashboardResponse): Promise<boolean> {
    return (await this.find(req, res)).job.action.kind === 'transfer_lock';
  }

  /** The total of the renewals that failed. Nothing else is confirmed before it is retried. */
  private async retryForm(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const report = await this.find(req, res);
    const path = `/bulk/${report.job.id}`;
    if (isOrder(report.job.action)) return redirect(res, path);
    assertRepeatAllowed(res, report.job.action);
    const from = readFrom(readParameter(req, 'from') || readField(req, 'from'));
    const failed = await this.failedRenewals(report, from);
    if (!failed) return redirect(res, path);
    const { domains, years } = failed;
    const review = await this.reviewRenewal.execute(getRequester(res), domains, years);
    this.renderer.render(
      req,
      res,
      { title: 'Retry renewals', section: 'bulk', issues },
      <BulkFormPage
        action="renew"
        domains={domains}
        fields={[['from', String(from)]]}
        ownNameservers={[]}
        templates={undefined}
        renewal={{ review, url: undefined }}
        values={{}}
        issues={issues}
        retried={{ path, from, failed: report.counts.failed }}
      />,
    );
  }

  private async retry(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const report = await this.find(req, res);
    const { id: jobId, action } = report.job;
    if (isOrder(action) || !isRetryable(report.job)) return redirect(res, `/bulk/${jobId}`);
    assertRepeatAllowed(res, action);
    const failed = await this.failedRenewals(report, readFrom(readField(req, 'from')));
    if (!failed && action.kind === 'renewal') return redirect(res, `/bulk/${jobId}`);
    const outcome = await attempt(async () => {
      const confirmed = failed && (await confirmRenewals(req, getRequester(res), this.reviewRenewal, failed));
      return this.retryJob.execute({ ...getRequester(res), jobId, confirmed });
    });
    if ('issues' in outcome) {
      if (failed) return this.retryForm(req, res, outcome.issues);
      const text = outcome.issues.message ?? 'No domain of this change can be retried now.';
      setFlash(req, { kind: 'warning', text });
    }
    redirect(res, `/bulk/${jobId}`);
  }

  /** What a retry renews, of those that failed, `from` on; undefined if the job is no renewal, has not finished or has no such failures. */
  private async failedRenewals(
    { job }: BulkReport,
    from: number,
  ): Promise<{ readonly domains: readonly SelectedDomain[]; readonly years: number } | undefined> {
    if (job.action.kind !== 'renewal' || !isBulkJobFinished(job)) return undefined;
    const domains = await this.findJob.failed(job.id, from, MAX_REVIEWED_RENEWALS);
    return domains.length > 0 ? { domains, years: job.action.years ?? DEFAULT_YEARS } : undefined;
  }

  private async undo(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { id: jobId, action } = (await this.find(req, res)).job;
    if (isOrder(action)) return redirect(res, `/bulk/${jobId}`);
    assertRepeatAllowed(res, action);
    const outcome = await attempt(() => this.retryJob.undo({ ...getRequester(res), jobId }));
    if ('issues' in outcome) setFlash(req, { kind: 'warning', text: 'Nothing of this change can be undone.' });
    redirect(res, `/bulk/${'result' in outcome ? outcome.result.id : jobId}`);
  }
}

function readFrom(text: string): number {
  return /^\d{1,5}$/.test(text) ? Number(text) : 0;
}
