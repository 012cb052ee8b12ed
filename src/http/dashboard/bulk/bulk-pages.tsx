import { inject, injectable } from 'inversify';
import { TemplateLibrary } from '../../../application/dns/templates/template-library';
import { DomainFilters } from '../../../application/portfolio/domain-filters';
import { FindBulkJob, type BulkReport } from '../../../application/portfolio/find-bulk-job';
import { RetryBulkJob } from '../../../application/portfolio/retry-bulk-job';
import { MAX_REVIEWED_RENEWALS, ReviewBulkRenewal } from '../../../application/portfolio/review-bulk-renewal';
import { SavedContacts } from '../../../application/portfolio/saved-contacts';
import { StartBulkJob, type SelectedDomain } from '../../../application/portfolio/start-bulk-job';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { isFinished } from '../../../domain/portfolio/bulk-job';
import { DEFAULT_YEARS } from '../../../domain/registration/registration-term';
import { ValidationError } from '../../../domain/shared/validation-error';
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
import { listFormFields, readField, readParameter } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { formatPrice, readAgreedPrice } from '../layout/money';
import { Reauthentication } from '../middleware/reauthentication';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { BulkFormPage } from './bulk-form-page';
import { BulkJobPage, BulkJobsPage } from './bulk-job-page';
import { assertEveryTagAllowed, roleForbids } from '../../../domain/access/key-permissions';
import { contactValues, isFillingIn, readContact } from '../registrant/contact-choice';
import { actorOfUser, allows, hasEveryDomain } from '../user-session';
import {
  ACTION_LABELS,
  needsEveryDomain,
  actionNameOf,
  countDomains,
  isActionName,
  type ActionName,
} from './bulk-labels';
import {
  csvParameters,
  listParameters,
  readAction,
  readSelection,
  readShownSelection,
  selectionFields,
  shownField,
  withTagFields,
} from './bulk-request';

const LATEST = 20;

/** Starts, reads, repeats and undoes jobs. */
@injectable()
class BulkJobUseCases {
  constructor(
    @inject(StartBulkJob) readonly start: StartBulkJob,
    @inject(ReviewBulkRenewal) readonly reviewRenewal: ReviewBulkRenewal,
    @inject(FindBulkJob) readonly find: FindBulkJob,
    @inject(RetryBulkJob) readonly retry: RetryBulkJob,
  ) {}
}

/** Actions on many domains: form, progress, retry and undo. */
@injectable()
export class BulkPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(DomainFilters) private readonly filters: DomainFilters,
    @inject(BulkJobUseCases) private readonly jobs: BulkJobUseCases,
    @inject(TemplateLibrary) private readonly library: TemplateLibrary,
    @inject(SavedContacts) private readonly contacts: SavedContacts,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  /** `read` is enough for the routes: each action is judged by what it needs. */
  get routes(): readonly DashboardRoute[] {
    const mayUnlock = this.reauthentication.requireForTransfer((req) => readField(req, 'action') === 'unlock');
    const confirmed = this.reauthentication.require((req, res) => this.isTransferLock(req, res));
    return [
      ['get', '/bulk', 'read', this.list.bind(this), { cost: WIDE }],
      ['get', '/bulk/new', 'read', this.show.bind(this), { cost: BULK }],
      ['post', '/bulk/new', 'settings', this.show.bind(this), { cost: BULK }],
      ['post', '/bulk', 'read', this.start.bind(this), { cost: BULK, before: mayUnlock }],
      ['get', '/bulk/:jobId', 'read', this.progress.bind(this)],
      ['get', '/bulk/:jobId/retry', 'read', (req, res) => this.retryForm(req, res), { cost: BULK }],
      ['post', '/bulk/:jobId/retry', 'read', this.retry.bind(this), { cost: BULK, before: confirmed }],
      ['post', '/bulk/:jobId/undo', 'read', this.undo.bind(this), { cost: BULK, before: confirmed }],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const reports = await this.jobs.find.latest(getRequester(res), LATEST);
    this.renderer.render(req, res, { title: 'Bulk changes', section: 'domains' }, <BulkJobsPage reports={reports} />);
  }

  /** As POST, to fill in a saved contact. */
  private show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const given = req.method === 'POST' ? listFormFields(req) : listParameters(req);
    return this.form(req, res, given, new Map(given).get('action') ?? '');
  }

  private async form(
    req: DashboardRequest,
    res: DashboardResponse,
    given: readonly (readonly [name: string, value: string])[],
    action: string,
    issues?: FormIssues,
  ): Promise<void> {
    if (!isActionName(action)) throw ValidationError.of('action', 'must be an action on domains');
    assertAllowed(res, action);
    const requester = getRequester(res);
    const selection = await readSelection(given, requester, this.filters);
    const selecting = await attempt(() => this.jobs.start.select(requester, selection));
    if ('issues' in selecting) {
      setFlash(req, { kind: 'warning', text: describeSelectionIssue(selecting.issues) });
      return redirect(res, '/domains');
    }
    const fields = selectionFields(given);
    if (action === 'csv') return redirect(res, `/domains.csv?${new URLSearchParams(csvParameters(fields)).toString()}`);
    const domains = selecting.result;
    const years = Number(new Map(given).get('years') ?? 0) || undefined;
    const reviewing =
      action === 'renew' ? await attempt(() => this.jobs.reviewRenewal.execute(requester, domains, years)) : undefined;
    if (reviewing && 'issues' in reviewing) {
      setFlash(req, { kind: 'warning', text: describeSelectionIssue(reviewing.issues) });
      return redirect(res, '/domains');
    }
    const url = `/bulk/new?${new URLSearchParams([['action', action], ...fields.map(([name, value]) => [name, value])]).toString()}`;
    const templates = action === 'template' ? await this.library.list(requester) : undefined;
    const chosen = templates?.find(({ id }) => id === new Map(given).get('template'));
    const hasContacts = action === 'registrant' && hasEveryDomain(res.locals.userSession);
    const contacts = hasContacts ? readContact(req, await this.contacts.of(requester.accountId)) : undefined;
    this.renderer.render(
      req,
      res,
      { title: `${ACTION_LABELS[action].verb} ${countDomains(domains.length)}`, section: 'domains', issues },
      <BulkFormPage
        action={action}
        domains={domains}
        fields={[...fields, shownField(domains)]}
        ownNameservers={this.settings.defaultNameservers}
        templates={templates && { all: templates, chosen, url }}
        renewal={reviewing && { review: reviewing.result, url }}
        contacts={contacts}
        values={issues ? Object.fromEntries(given) : contacts && isFillingIn(req) ? contactValues(contacts) : {}}
        issues={issues}
      />,
    );
  }

  private async start(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const name = readField(req, 'action');
    if (!isActionName(name) || name === 'csv') throw ValidationError.of('action', 'must be an action on domains');
    assertAllowed(res, name);
    const given = listFormFields(req);
    const requester = getRequester(res);
    const outcome = await attempt(
      async () =>
        name === 'renew'
          ? this.startRenewal(req, res)
          : this.jobs.start.execute({
              ...requester,
              action: readAction(name, req),
              selection: await readShownSelection(given, requester, this.filters, this.jobs.start),
            }),
      { codes: { INVALID_NAMESERVERS: 'nameservers' }, prefix: 'contacts.registrant.' },
    );
    if ('issues' in outcome) return this.form(req, res, given, name, withTagFields(outcome.issues, name));
    redirect(res, `/bulk/${outcome.result.id}`);
  }

  private async startRenewal(req: DashboardRequest, res: DashboardResponse) {
    const requester = getRequester(res);
    const selection = await readSelection(listFormFields(req), requester, this.filters);
    const years = Number(readField(req, 'years'));
    const domains = await this.confirmedRenewals(req, res, await this.jobs.start.select(requester, selection), years);
    return this.jobs.start.start({ ...requester, action: { kind: 'renewal', years }, domains });
  }

  /** Those that can be renewed. @throws ValidationError unless the form showed them, with their expiries, and their total */
  private async confirmedRenewals(
    req: DashboardRequest,
    res: DashboardResponse,
    domains: readonly SelectedDomain[],
    years: number,
  ): Promise<readonly SelectedDomain[]> {
    const { renewable, total, digest } = await this.jobs.reviewRenewal.execute(getRequester(res), domains, years);
    const agreed = readAgreedPrice(req);
    const isSame = total?.minor === agreed.minor && total.currency === agreed.currency;
    if (!total || !isSame || digest !== readField(req, 'renewals'))
      throw new ValidationError([
        {
          path: '',
          message: `The prices or the domains have changed: ${countDomains(renewable.length)}${total ? ` for ${formatPrice(total)}` : ''}. Check the total and confirm again`,
        },
      ]);
    return renewable.map(({ agreed: each, ...domain }) => ({
      ...domain,
      ownAction: { kind: 'renewal', years, agreed: each },
    }));
  }

  private async progress(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const report = await this.find(req, res);
    this.renderer.render(req, res, { title: 'Bulk change', section: 'domains' }, <BulkJobPage report={report} />);
  }

  private find({ params }: DashboardRequest, res: DashboardResponse): Promise<BulkReport> {
    return this.jobs.find.execute({ ...getRequester(res), jobId: params['jobId'] ?? '' });
  }

  /** To undo a lock, or to retry an unlock, unlocks domains, which the job refuses to members who may not. */
  private async isTransferLock(req: DashboardRequest, res: DashboardResponse): Promise<boolean> {
    return (await this.find(req, res)).job.action.kind === 'transfer_lock';
  }

  /** The total of the renewals that failed. Nothing else is confirmed before it is retried. */
  private async retryForm(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const report = await this.find(req, res);
    assertAllowed(res, actionNameOf(report.job.action));
    const path = `/bulk/${report.job.id}`;
    const from = readFrom(readParameter(req, 'from') || readField(req, 'from'));
    const failed = await this.failedRenewals(report, from);
    if (!failed) return redirect(res, path);
    const { domains, years } = failed;
    const review = await this.jobs.reviewRenewal.execute(getRequester(res), domains, years);
    this.renderer.render(
      req,
      res,
      { title: 'Retry renewals', section: 'domains', issues },
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
    assertAllowed(res, actionNameOf(action));
    const failed = await this.failedRenewals(report, readFrom(readField(req, 'from')));
    if (!failed && action.kind === 'renewal') return redirect(res, `/bulk/${jobId}`);
    const outcome = await attempt(async () => {
      const confirmed = failed && (await this.confirmedRenewals(req, res, failed.domains, failed.years));
      return this.jobs.retry.execute({ ...getRequester(res), jobId, confirmed });
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
    if (job.action.kind !== 'renewal' || !isFinished(job)) return undefined;
    const domains = await this.jobs.find.failed(job.id, from, MAX_REVIEWED_RENEWALS);
    return domains.length > 0 ? { domains, years: job.action.years ?? DEFAULT_YEARS } : undefined;
  }

  private async undo(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { id: jobId, action } = (await this.find(req, res)).job;
    assertAllowed(res, actionNameOf(action));
    const outcome = await attempt(() => this.jobs.retry.undo({ ...getRequester(res), jobId }));
    if ('issues' in outcome) setFlash(req, { kind: 'warning', text: 'Nothing of this change can be undone.' });
    redirect(res, `/bulk/${'result' in outcome ? outcome.result.id : jobId}`);
  }
}

function readFrom(text: string): number {
  return /^\d{1,5}$/.test(text) ? Number(text) : 0;
}

/** @throws RoleForbids if the user's role has not what the action needs */
function assertAllowed({ locals: { userSession } }: DashboardResponse, name: ActionName): void {
  const { needs } = ACTION_LABELS[name];
  if (!allows(userSession, needs)) throw roleForbids(needs);
  if (needsEveryDomain(name)) assertEveryTagAllowed(actorOfUser(userSession));
}

function describeSelectionIssue({ message, fields }: FormIssues): string {
  const [text = message] = fields.values();
  return text === undefined || text.startsWith('Must select')
    ? 'Select at least one domain first.'
    : `These domains cannot be changed together: ${text}.`;
}
