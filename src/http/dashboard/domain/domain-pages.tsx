import { inject, injectable } from 'inversify';
import type { OperationOutcome } from '../../../application/operations/operation-outcome';
import { GlueAddresses } from '../../../application/dns/publishing/glue-addresses';
import { LifecyclePlan } from '../../../application/lifecycle/lifecycle-plan';
import { LifecycleClock, type Clock } from '../../../application/ports/system/clock';
import { ChangeAutoRenewal } from '../../../application/registration/change-auto-renewal';
import { ChangeNameservers } from '../../../application/registration/change-nameservers';
import { TakeOverRenewal } from '../../../application/registrar/take-over-renewal';
import { ChangeRegistrant } from '../../../application/registration/change-registrant';
import { ChangeTransferLock } from '../../../application/registration/change-transfer-lock';
import { DeleteDomain } from '../../../application/registration/delete-domain';
import { FindDomain } from '../../../application/registration/find-domain';
import { IssueAuthCode } from '../../../application/registration/issue-auth-code';
import { ListOperations } from '../../../application/registration/list-operations';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { delegationOf, type Delegation } from '../../../domain/dns/delegation';
import { glueWarning } from '../../../domain/dns/zone-warnings';
import { Domain, type DomainState } from '../../../domain/registration/domain';
import type { OperationState } from '../../../domain/registration/operation';
import { buildUrl } from '../build-url';
import { displayName } from '../domains/domain-labels';
import { attempt, type FormIssues } from '../form-issues';
import { readField, readParameter } from '../form-fields';
import type { FormValues } from '../layout/forms';
import { describeUnusedParameters } from '../unused-parameters';
import { parseCursor, formatCursor } from '../cursor';
import { loadListPage } from '../list-page';
import { setFlash } from '../flash';
import { Reauthentication } from '../middleware/reauthentication';
import { PageRenderer } from '../page-renderer';
import { readRegistrant, toRegistrantValues } from '../registrant/registrant-fields';
import { readHosts } from '../register/registration-form';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { AuthCodePage } from './auth-code-page';
import { DomainPage } from './domain-page';
import { NameserversPage } from './nameservers-page';
import { OperationsPage } from './operations-page';
import { RegistrantPage } from './registrant-page';
import { redirect } from '../redirect';

const LATEST = 5;
const PAGE_SIZE = 50;
/** The effect of a new delegation on the DNS records in this service. */
const AFTER_DELEGATION: Readonly<Record<Delegation, string>> = {
  ours: 'Resolvers will use the DNS records here within two days.',
  partly: 'Some resolvers will use the DNS records here, others those of the other nameservers.',
  elsewhere: 'The DNS records here are no longer used: resolvers will switch to the new nameservers within two days.',
};

/** The page of a domain and its settings. */
@injectable()
export class DomainPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ListOperations) private readonly operations: ListOperations,
    @inject(ChangeAutoRenewal) private readonly changeAutoRenewal: ChangeAutoRenewal,
    @inject(TakeOverRenewal) private readonly takeOverRenewal: TakeOverRenewal,
    @inject(ChangeTransferLock) private readonly changeTransferLock: ChangeTransferLock,
    @inject(ChangeNameservers) private readonly changeNameservers: ChangeNameservers,
    @inject(ChangeRegistrant) private readonly changeRegistrant: ChangeRegistrant,
    @inject(IssueAuthCode) private readonly issueAuthCode: IssueAuthCode,
    @inject(DeleteDomain) private readonly deleteDomain: DeleteDomain,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(LifecycleClock) private readonly clock: Clock,
    @inject(GlueAddresses) private readonly glue: GlueAddresses,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id', 'member', this.show.bind(this)],
      ['get', '/domains/:id/operations', 'member', this.listOperations.bind(this)],
      ['post', '/domains/:id/auto-renewal', 'member', this.putAutoRenewal.bind(this)],
      [
        'post',
        '/domains/:id/transfer-lock',
        'member',
        this.putTransferLock.bind(this),
        { before: this.reauthentication.requireForTransfer(isUnlock) },
      ],
      [
        'post',
        '/domains/:id/auth-code',
        'member',
        this.postAuthCode.bind(this),
        { before: this.reauthentication.requireForTransfer() },
      ],
      ['get', '/domains/:id/nameservers', 'member', this.editNameservers.bind(this)],
      ['post', '/domains/:id/nameservers', 'member', this.putNameservers.bind(this)],
      ['get', '/domains/:id/registrant', 'member', this.editRegistrant.bind(this)],
      ['post', '/domains/:id/registrant', 'member', this.putRegistrant.bind(this)],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const operations = await this.operations.page(domain.accountId, domain.id, LATEST);
    const deletable = domain.status === 'active' && this.deleteDomain.possibleUntil(domain) > this.clock.now();
    this.renderer.render(
      req,
      res,
      { title: displayName(domain.name), section: 'domains' },
      <DomainPage
        domain={domain}
        dates={this.plan.dates(domain)}
        operations={operations}
        deletable={deletable}
        ownNameservers={this.settings.defaultNameservers}
      />,
    );
  }

  private async listOperations(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const cursor = parseCursor(readParameter(req, 'before'));
    const page = await loadListPage({
      size: PAGE_SIZE,
      cursor,
      load: (limit, before) => this.operations.page(domain.accountId, domain.id, limit, before),
      url: (last?: OperationState) =>
        buildUrl(`/domains/${domain.id}/operations`, { before: last && formatCursor(last) }),
    });
    this.renderer.render(
      req,
      res,
      {
        title: `Operations of ${displayName(domain.name)}`,
        section: 'domains',
        warning: describeUnusedParameters(req, { before: cursor !== undefined }),
      },
      <OperationsPage domain={domain} page={page} />,
    );
  }

  private async putAutoRenewal(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const autoRenew = readField(req, 'on') === 'yes';
    const command = { ...getRequester(res), domainId: readDomainId(req), autoRenew };
    const { registrarRenews } = await this.find(req, res);
    const isTakenOver = registrarRenews && (!autoRenew || readField(req, 'renewed_by') === 'service');
    const outcome = isTakenOver
      ? await attempt(() => this.takeOverRenewal.execute(command))
      : await attempt(async () => ({ domain: await this.changeAutoRenewal.execute(command) }));
    this.redirectToDomain(
      req,
      res,
      outcome,
      autoRenew
        ? 'Auto-renewal is on. The domain is renewed before it expires.'
        : 'Auto-renewal is off. The domain expires unless you renew it.',
    );
  }

  private async putTransferLock(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const locked = readField(req, 'on') === 'yes';
    const outcome = await attempt(() =>
      this.changeTransferLock.execute({ ...getRequester(res), domainId: readDomainId(req), locked }),
    );
    this.redirectToDomain(
      req,
      res,
      outcome,
      locked
        ? 'The transfer lock is on. The domain cannot be transferred.'
        : 'The transfer lock is off. The domain can be transferred with an auth code.',
    );
  }

  private async postAuthCode(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() =>
      this.issueAuthCode.execute({ ...getRequester(res), domainId: readDomainId(req) }),
    );
    if ('issues' in outcome || !outcome.result.authCode)
      return this.redirectToDomain(
        req,
        res,
        outcome,
        'The auth code was issued but cannot be shown again. Request a new one.',
      );
    const domain = outcome.result.domain.toState();
    this.renderer.render(
      req,
      res,
      { title: `Auth code for ${displayName(domain.name)}`, section: 'domains' },
      <AuthCodePage domain={domain} authCode={outcome.result.authCode} />,
    );
  }

  private async editNameservers(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    this.renderNameservers(
      req,
      res,
      domain,
      domain.nameservers.join('\n'),
      undefined,
      await this.glue.missing(Domain.fromState(domain), domain.nameservers),
    );
  }

  private async putNameservers(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const text = readField(req, 'nameservers');
    const outcome = await attempt(
      () =>
        this.changeNameservers.execute({ ...getRequester(res), domainId: readDomainId(req), hosts: readHosts(text) }),
      { codes: { INVALID_NAMESERVERS: 'nameservers' } },
    );
    if ('issues' in outcome) return this.renderNameservers(req, res, await this.find(req, res), text, outcome.issues);
    const { domain } = outcome.result;
    const { nameservers } = domain.toState();
    const message = `The nameservers were changed. ${AFTER_DELEGATION[delegationOf(nameservers, this.settings.defaultNameservers)]}`;
    const missing = await this.glue.missing(domain, nameservers);
    if (missing.length === 0) return this.redirectToDomain(req, res, outcome, message);
    setFlash(req, {
      kind: 'warning',
      text: `${message} ${missing.map(glueWarning).join('. ')}. Add A or AAAA records for them.`,
    });
    redirect(res, `/domains/${readDomainId(req)}`);
  }

  private async editRegistrant(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    this.renderRegistrant(req, res, domain, domain.registrant ? toRegistrantValues(domain.registrant) : {});
  }

  private async putRegistrant(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const registrant = readRegistrant(req);
    const outcome = await attempt(
      () => this.changeRegistrant.execute({ ...getRequester(res), domainId: readDomainId(req), registrant }),
      { prefix: 'registrant.' },
    );
    if ('issues' in outcome)
      return this.renderRegistrant(req, res, await this.find(req, res), toRegistrantValues(registrant), outcome.issues);
    this.redirectToDomain(req, res, outcome, 'The registrant was changed.');
  }

  private async find(req: DashboardRequest, res: DashboardResponse): Promise<DomainState> {
    return (
      await this.findDomain.byId({ accountId: res.locals.userSession.accountId, domainId: readDomainId(req) })
    ).toState();
  }

  private renderNameservers(
    req: DashboardRequest,
    res: DashboardResponse,
    domain: DomainState,
    text: string,
    issues?: FormIssues,
    missingGlue: readonly string[] = [],
  ): void {
    const head = { title: `Nameservers of ${displayName(domain.name)}`, section: 'domains', issues } as const;
    this.renderer.render(
      req,
      res,
      head,
      <NameserversPage
        domain={domain}
        text={text}
        issues={issues}
        missingGlue={missingGlue}
        ownNameservers={this.settings.defaultNameservers}
      />,
    );
  }

  private renderRegistrant(
    req: DashboardRequest,
    res: DashboardResponse,
    domain: DomainState,
    values: FormValues,
    issues?: FormIssues,
  ): void {
    const head = { title: `Registrant of ${displayName(domain.name)}`, section: 'domains', issues } as const;
    this.renderer.render(req, res, head, <RegistrantPage domain={domain} values={values} issues={issues} />);
  }

  /** Redirects to the domain page with the issues or the success message. */
  private redirectToDomain(
    req: DashboardRequest,
    res: DashboardResponse,
    outcome: { result: OperationOutcome | object } | { issues: FormIssues },
    message: string,
  ): void {
    setFlash(
      req,
      'issues' in outcome ? { kind: 'warning', text: joinIssues(outcome.issues) } : { kind: 'success', text: message },
    );
    redirect(res, `/domains/${readDomainId(req)}`);
  }
}

function isUnlock(req: DashboardRequest): boolean {
  return readField(req, 'on') !== 'yes';
}

function readDomainId(req: DashboardRequest): string {
  return req.params['id'] ?? '';
}

function joinIssues({ message, fields }: FormIssues): string {
  return message ?? [...fields.values()].join('. ');
}
