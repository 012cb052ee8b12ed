import { inject, injectable } from '../../../application/ports/inject';
import { TemplateLibrary } from '../../../application/dns/templates/template-library';
import { DomainFilters } from '../../../application/portfolio/domain-filters';
import { ReviewBulkNameservers } from '../../../application/portfolio/reviews/review-bulk-nameservers';
import { ReviewBulkRenewal } from '../../../application/portfolio/reviews/review-bulk-renewal';
import { ReviewBulkTemplate } from '../../../application/portfolio/reviews/review-bulk-template';
import { SavedContacts } from '../../../application/portfolio/saved-contacts';
import { StartBulkJob } from '../../../application/portfolio/bulk/start-bulk-job';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import type { BulkJob } from '../../../domain/portfolio/bulk-job';
import { ValidationError } from '../../../domain/shared/validation-error';
import {
  BULK,
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { setFlash } from '../flash';
import { listFormFields, readField } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { Reauthentication } from '../reauthentication/reauthentication';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { contactValues, isFillingIn, readContact } from '../registrant/contact-choice';
import { hasEveryDomain } from '../user-session';
import { BulkFormPage } from './bulk-form-page';
import { ACTION_LABELS, countDomains, isActionName, isReviewed, type ActionName } from '../domains/bulk-labels';
import {
  actionFields,
  assertBulkActionAllowed,
  assertShownTemplate,
  csvParameters,
  describeSelectionIssue,
  listParameters,
  readAction,
  readSelection,
  readShownSelection,
  selectionFields,
  shownField,
  shownTemplateField,
  withTagFields,
} from './bulk-request';
import { INCLUDE_SIGNED, NameserverReviewPage, TemplateReviewPage } from './bulk-review-page';
import { confirmRenewals } from './confirm-renewals';

const ISSUES = { codes: { INVALID_NAMESERVERS: 'nameservers' }, prefix: 'contacts.registrant.' } as const;

/** What the actions do to each domain. */
@injectable()
class BulkReviews {
  constructor(
    @inject(ReviewBulkRenewal) readonly renewal: ReviewBulkRenewal,
    @inject(ReviewBulkNameservers) readonly nameservers: ReviewBulkNameservers,
    @inject(ReviewBulkTemplate) readonly template: ReviewBulkTemplate,
  ) {}
}

/** The forms of the actions on many domains, the review of what they do, and their start. */
@injectable()
export class BulkFormPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(DomainFilters) private readonly filters: DomainFilters,
    @inject(StartBulkJob) private readonly startJob: StartBulkJob,
    @inject(BulkReviews) private readonly reviews: BulkReviews,
    @inject(TemplateLibrary) private readonly library: TemplateLibrary,
    @inject(SavedContacts) private readonly contacts: SavedContacts,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  /** `read` is enough for the routes: each action is judged by what it needs. */
  get routes(): readonly DashboardRoute[] {
    const mayUnlock = this.reauthentication.requireForTransfer((req) => readField(req, 'action') === 'unlock');
    return [
      ['get', '/bulk/new', 'read', this.show.bind(this), { cost: BULK }],
      ['post', '/bulk/new', 'settings', this.show.bind(this), { cost: BULK }],
      ['post', '/bulk/review', 'read', this.review.bind(this), { cost: BULK }],
      ['post', '/bulk', 'read', this.start.bind(this), { cost: BULK, before: mayUnlock }],
    ];
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
    assertBulkActionAllowed(res, action);
    const requester = getRequester(res);
    const selection = await readSelection(action, given, requester, this.filters);
    const selecting = await attempt(() => this.startJob.select(requester, selection));
    if ('issues' in selecting) {
      setFlash(req, { kind: 'warning', text: describeSelectionIssue(selecting.issues) });
      return redirect(res, '/domains');
    }
    const fields = selectionFields(given);
    if (action === 'csv') return redirect(res, `/domains.csv?${new URLSearchParams(csvParameters(fields)).toString()}`);
    const domains = selecting.result;
    const years = Number(new Map(given).get('years') ?? 0) || undefined;
    const reviewing =
      action === 'renew' ? await attempt(() => this.reviews.renewal.execute(requester, domains, years)) : undefined;
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
      { title: `${ACTION_LABELS[action].verb} ${countDomains(domains.length)}`, section: 'bulk', issues },
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

  /** Shows what the form would change, before it is confirmed. */
  private async review(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const name = readActionName(req, res);
    if (!isReviewed(name)) throw ValidationError.of('action', 'must be an action that is reviewed');
    const given = listFormFields(req);
    const requester = getRequester(res);
    const outcome = await attempt(async () => {
      const action = await this.startJob.validate(requester, readAction(name, req));
      const selection = await readShownSelection(name, given, requester, this.filters, this.startJob);
      const domains = await this.startJob.select(requester, selection);
      const fields = [...selectionFields(given), shownField(domains), ...actionFields(given)];
      if (action.kind === 'nameservers')
        return (
          <NameserverReviewPage
            hosts={action.hosts}
            fields={fields}
            review={await this.reviews.nameservers.execute(requester, domains, action.hosts)}
          />
        );
      if (action.kind !== 'template') throw new TypeError(`no review of ${action.kind}`);
      const template = await this.library.find(requester, action.templateId);
      const review = await this.reviews.template.execute(requester, domains, action);
      const shown = [...fields, shownTemplateField(template)];
      return <TemplateReviewPage template={template.name} total={domains.length} fields={shown} review={review} />;
    }, ISSUES);
    if ('issues' in outcome) return this.form(req, res, given, name, outcome.issues);
    this.renderer.render(req, res, { title: ACTION_LABELS[name].label, section: 'bulk' }, outcome.result);
  }

  private async start(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const name = readActionName(req, res);
    const given = listFormFields(req);
    const outcome = await attempt(() => this.begin(req, res, name), ISSUES);
    if ('issues' in outcome) return this.form(req, res, given, name, withTagFields(outcome.issues, name));
    redirect(res, `/bulk/${outcome.result.id}`);
  }

  private async begin(
    req: DashboardRequest,
    res: DashboardResponse,
    name: Exclude<ActionName, 'csv'>,
  ): Promise<BulkJob> {
    const requester = getRequester(res);
    const given = listFormFields(req);
    if (name === 'renew') {
      const selected = await this.startJob.select(requester, await readSelection(name, given, requester, this.filters));
      const years = Number(readField(req, 'years'));
      const domains = await confirmRenewals(req, requester, this.reviews.renewal, { domains: selected, years });
      return this.startJob.start({ ...requester, action: { kind: 'renewal', years }, domains });
    }
    const action = readAction(name, req);
    const selection = await readShownSelection(name, given, requester, this.filters, this.startJob);
    if (action.kind === 'template') assertShownTemplate(req, await this.library.find(requester, action.templateId));
    if (action.kind !== 'nameservers') return this.startJob.execute({ ...requester, action, selection });
    const selected = await this.startJob.select(requester, selection);
    const { groups, signed } = await this.reviews.nameservers.execute(requester, selected, action.hosts);
    const included = readField(req, INCLUDE_SIGNED) === 'on' ? signed : [];
    const ids = [...groups.flatMap(({ domains }) => domains), ...included].map(({ domainId }) => domainId);
    if (ids.length === 0) throw ValidationError.of('', 'None of these domains would change');
    return this.startJob.execute({ ...requester, action, selection: { ids } });
  }
}

/** @throws ValidationError, RoleForbids */
function readActionName(req: DashboardRequest, res: DashboardResponse): Exclude<ActionName, 'csv'> {
  const name = readField(req, 'action');
  if (!isActionName(name) || name === 'csv') throw ValidationError.of('action', 'must be an action on domains');
  assertBulkActionAllowed(res, name);
  return name;
}
