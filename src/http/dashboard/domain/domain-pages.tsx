import { inject, injectable } from 'inversify';
import type { OperationOutcome } from '../../../application/operations/operation-outcome';
import { GlueAddresses } from '../../../application/dns/publishing/glue-addresses';
import { LifecyclePlan } from '../../../application/lifecycle/lifecycle-plan';
import { LifecycleClock, type Clock } from '../../../application/ports/system/clock';
import { ChangeAutoRenewal } from '../../../application/registration/change-auto-renewal';
import { ChangeNameservers } from '../../../application/registration/change-nameservers';
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
import { addressOf } from '../address-of';
import { displayName } from '../domains/domain-words';
import { attempt, type FormIssues } from '../form-issues';
import { field, parameter } from '../form-fields';
import type { FormValues } from '../layout/forms';
import { unusedParameters } from '../list-parameters';
import { readPosition, writePosition } from '../list-position';
import { setFlash } from '../notice';
import { Reauthentication } from '../middleware/reauthentication';
import { Pages } from '../pages';
import { readRegistrant, registrantValues } from '../registrant/registrant-fields';
import { readHosts } from '../register/registration-form';
import {
  requesterOf,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../visitor';
import { AuthCodePage } from './auth-code-page';
import { DomainPage } from './domain-page';
import { NameserversPage } from './nameservers-page';
import { OperationsPage } from './operations-page';
import { RegistrantPage } from './registrant-page';
import { seeOther } from '../see-other';

const LATEST = 5;
const PAGE_SIZE = 50;
/** What a new delegation means for the records kept here. */
const AFTER_DELEGATION: Readonly<Record<Delegation, string>> = {
  ours: 'Resolvers get the records kept here, within two days at the latest.',
  partly: 'Some resolvers get the records kept here, others those of the other nameservers.',
  elsewhere:
    'The records kept here have no effect any more: resolvers ask the new nameservers, within two days at the latest.',
};

/** One domain, and what can be set on it. */
@injectable()
export class DomainPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ListOperations) private readonly operations: ListOperations,
    @inject(ChangeAutoRenewal) private readonly changeAutoRenewal: ChangeAutoRenewal,
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
        this.reauthentication.beforeTransfer(this.putTransferLock.bind(this), (req) => field(req, 'on') !== 'yes'),
      ],
      ['post', '/domains/:id/auth-code', 'member', this.reauthentication.beforeTransfer(this.postAuthCode.bind(this))],
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
    this.pages.send(
      req,
      res,
      { title: displayName(domain.name), section: 'domains' },
      <DomainPage
        domain={domain}
        dates={this.plan.dates(domain)}
        operations={operations}
        deletable={deletable}
        ours={this.settings.defaultNameservers}
      />,
    );
  }

  private async listOperations(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const before = readPosition(parameter(req, 'before'));
    const found = await this.operations.page(domain.accountId, domain.id, PAGE_SIZE + 1, before);
    const operations = found.slice(0, PAGE_SIZE);
    const last = found.length > PAGE_SIZE ? operations.at(-1) : undefined;
    const path = `/domains/${domain.id}/operations`;
    const ways = { older: last && addressOf(path, { before: writePosition(last) }), first: before && path };
    this.pages.send(
      req,
      res,
      {
        title: `Operations of ${displayName(domain.name)}`,
        section: 'domains',
        warning: unusedParameters(req, { before: before !== undefined }),
      },
      <OperationsPage domain={domain} operations={operations} {...ways} />,
    );
  }

  private async putAutoRenewal(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const autoRenew = field(req, 'on') === 'yes';
    const outcome = await attempt(() =>
      this.changeAutoRenewal.execute({ ...requesterOf(res), domainId: idOf(req), autoRenew }),
    );
    this.backToDomain(
      req,
      res,
      outcome,
      autoRenew ? 'It will be renewed automatically.' : 'It will not be renewed automatically.',
    );
  }

  private async putTransferLock(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const locked = field(req, 'on') === 'yes';
    const outcome = await attempt(() =>
      this.changeTransferLock.execute({ ...requesterOf(res), domainId: idOf(req), locked }),
    );
    this.backToDomain(
      req,
      res,
      outcome,
      locked ? 'It is locked against transfers.' : 'It can be transferred away with an auth code.',
    );
  }

  private async postAuthCode(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() => this.issueAuthCode.execute({ ...requesterOf(res), domainId: idOf(req) }));
    if ('issues' in outcome || !outcome.result.authCode)
      return this.backToDomain(
        req,
        res,
        outcome,
        'The auth code was issued but could not be shown. Ask for another one.',
      );
    const domain = outcome.result.domain.toState();
    this.pages.send(
      req,
      res,
      { title: `Auth code for ${displayName(domain.name)}`, section: 'domains' },
      <AuthCodePage domain={domain} authCode={outcome.result.authCode} />,
    );
  }

  private async editNameservers(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    this.nameserversForm(
      req,
      res,
      domain,
      domain.nameservers.join('\n'),
      undefined,
      await this.glue.missing(Domain.fromState(domain), domain.nameservers),
    );
  }

  private async putNameservers(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const text = field(req, 'nameservers');
    const outcome = await attempt(
      () => this.changeNameservers.execute({ ...requesterOf(res), domainId: idOf(req), hosts: readHosts(text) }),
      { codes: { INVALID_NAMESERVERS: 'nameservers' } },
    );
    if ('issues' in outcome) return this.nameserversForm(req, res, await this.find(req, res), text, outcome.issues);
    const { domain } = outcome.result;
    const { nameservers } = domain.toState();
    const done = `The nameservers are changed. ${AFTER_DELEGATION[delegationOf(nameservers, this.settings.defaultNameservers)]}`;
    const missing = await this.glue.missing(domain, nameservers);
    if (missing.length === 0) return this.backToDomain(req, res, outcome, done);
    setFlash(req, {
      kind: 'warning',
      text: `${done} ${missing.map(glueWarning).join('. ')}. Add A or AAAA records for them.`,
    });
    seeOther(res, `/domains/${idOf(req)}`);
  }

  private async editRegistrant(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    this.registrantForm(req, res, domain, registrantValues(domain.registrant));
  }

  private async putRegistrant(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const registrant = readRegistrant(req);
    const outcome = await attempt(
      () => this.changeRegistrant.execute({ ...requesterOf(res), domainId: idOf(req), registrant }),
      { prefix: 'registrant.' },
    );
    if ('issues' in outcome)
      return this.registrantForm(req, res, await this.find(req, res), registrantValues(registrant), outcome.issues);
    this.backToDomain(req, res, outcome, 'The registrant is changed.');
  }

  private async find(req: DashboardRequest, res: DashboardResponse): Promise<DomainState> {
    return (await this.findDomain.byId({ accountId: res.locals.visitor.accountId, domainId: idOf(req) })).toState();
  }

  private nameserversForm(
    req: DashboardRequest,
    res: DashboardResponse,
    domain: DomainState,
    text: string,
    issues?: FormIssues,
    missingGlue: readonly string[] = [],
  ): void {
    const head = { title: `Nameservers of ${displayName(domain.name)}`, section: 'domains', issues } as const;
    this.pages.send(
      req,
      res,
      head,
      <NameserversPage
        domain={domain}
        text={text}
        issues={issues}
        missingGlue={missingGlue}
        ours={this.settings.defaultNameservers}
      />,
    );
  }

  private registrantForm(
    req: DashboardRequest,
    res: DashboardResponse,
    domain: DomainState,
    values: FormValues,
    issues?: FormIssues,
  ): void {
    const head = { title: `Registrant of ${displayName(domain.name)}`, section: 'domains', issues } as const;
    this.pages.send(req, res, head, <RegistrantPage domain={domain} values={values} issues={issues} />);
  }

  /** Tells there what came of it. */
  private backToDomain(
    req: DashboardRequest,
    res: DashboardResponse,
    outcome: { result: OperationOutcome | object } | { issues: FormIssues },
    done: string,
  ): void {
    setFlash(
      req,
      'issues' in outcome ? { kind: 'warning', text: inOneLine(outcome.issues) } : { kind: 'done', text: done },
    );
    seeOther(res, `/domains/${idOf(req)}`);
  }
}

function idOf(req: DashboardRequest): string {
  return req.params['id'] ?? '';
}

function inOneLine({ message, fields }: FormIssues): string {
  return message ?? [...fields.values()].join('. ');
}
