import { inject, injectable } from '../../../application/ports/inject';
import { LeavingWarnings } from '../../../application/ports/dns/hosted-names';
import { GlueAddresses } from '../../../application/publishing/glue-addresses';
import { RecordReader } from '../../../application/ports/dns/zone-queries';
import { ChangeNameservers } from '../../../application/registration/settings/change-nameservers';
import { FindDomain } from '../../../application/registration/find-domain';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { delegationOf, type Delegation } from '../../../domain/dns/delegation/delegation';
import { glueWarning } from '../../../domain/dns/zone-warnings';
import { Domain, type DomainState } from '../../../domain/registration/domain';
import { displayName } from '../layout/domain/domain-labels';
import { attempt, type FormIssues } from '../form-issues';
import { readField, readParameter } from '../form-fields';
import { setFlash, type Flash } from '../flash';
import { PageRenderer } from '../page-renderer';
import { readHosts } from '../register/registration-form';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { NameserversPage } from './nameservers-page';
import { ReviewNameserversPage } from './review-nameservers-page';
import { redirect } from '../redirect';
import { findDomainOf, readDomainId } from '../layout/domain/domain-request';

/** The effect of a new delegation on the DNS records in this service. */
const AFTER_DELEGATION: Readonly<Record<Delegation, string>> = {
  ours: 'Resolvers will use the DNS records here within two days.',
  partly: 'Some resolvers will use the DNS records here, others those of the other nameservers.',
  elsewhere: 'The DNS records here are no longer used: resolvers will switch to the new nameservers within two days.',
};

/** The nameservers of a domain. */
@injectable()
export class NameserverPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ChangeNameservers) private readonly changeNameservers: ChangeNameservers,
    @inject(LeavingWarnings) private readonly leaving: LeavingWarnings,
    @inject(GlueAddresses) private readonly glue: GlueAddresses,
    @inject(RecordReader) private readonly records: RecordReader,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/nameservers', 'settings', this.editNameservers.bind(this)],
      ['post', '/domains/:id/nameservers', 'settings', this.putNameservers.bind(this)],
    ];
  }

  private async editNameservers(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await findDomainOf(req, res, this.findDomain);
    const proposed = readParameter(req, 'nameservers');
    if (proposed !== '') return this.reviewNameservers(req, res, domain, proposed);
    await this.renderNameservers(
      req,
      res,
      domain,
      domain.nameservers.join('\n'),
      undefined,
      await this.glue.missing(Domain.fromState(domain), domain.nameservers),
    );
  }

  private async reviewNameservers(
    req: DashboardRequest,
    res: DashboardResponse,
    domain: DomainState,
    text: string,
  ): Promise<void> {
    const outcome = await attempt(() => this.changeNameservers.review(domain, readHosts(text)), {
      codes: { INVALID_NAMESERVERS: 'nameservers' },
    });
    if ('issues' in outcome) return this.renderNameservers(req, res, domain, text, outcome.issues);
    const { hosts, warnings } = outcome.result;
    const { defaultNameservers } = this.settings;
    this.renderer.render(
      req,
      res,
      { title: `New nameservers of ${displayName(domain.name)}`, section: 'domains' },
      <ReviewNameserversPage
        domain={domain}
        hosts={hosts}
        before={delegationOf(domain.nameservers, defaultNameservers)}
        after={delegationOf(hosts, defaultNameservers)}
        recordCount={(await this.records.find(domain.id))?.recordCount ?? 0}
        warnings={warnings}
        missingGlue={await this.glue.missing(Domain.fromState(domain), hosts)}
      />,
    );
  }

  private async putNameservers(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const text = readField(req, 'nameservers');
    const before = (await findDomainOf(req, res, this.findDomain)).nameservers;
    const outcome = await attempt(
      () =>
        this.changeNameservers.execute({ ...getRequester(res), domainId: readDomainId(req), hosts: readHosts(text) }),
      { codes: { INVALID_NAMESERVERS: 'nameservers' } },
    );
    if ('issues' in outcome)
      return this.renderNameservers(req, res, await findDomainOf(req, res, this.findDomain), text, outcome.issues);
    const { domain, warnings = [] } = outcome.result;
    const { nameservers } = domain.toState();
    const message = `The nameservers were changed. ${AFTER_DELEGATION[delegationOf(nameservers, this.settings.defaultNameservers)]}`;
    const missing = await this.glue.missing(domain, nameservers);
    const undo = undoNameservers(domain.id, before, nameservers);
    const glue = missing.length > 0 ? [`${missing.map(glueWarning).join('. ')}. Add A or AAAA records for them`] : [];
    const notes = [...warnings, ...glue];
    setFlash(req, {
      kind: notes.length === 0 ? 'success' : 'warning',
      text: notes.length === 0 ? message : `${[message.slice(0, -1), ...notes].join('. ')}.`,
      ...(undo && { undo }),
    });
    redirect(res, `/domains/${readDomainId(req)}`);
  }

  private async renderNameservers(
    req: DashboardRequest,
    res: DashboardResponse,
    domain: DomainState,
    text: string,
    issues?: FormIssues,
    missingGlue: readonly string[] = [],
  ): Promise<void> {
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
        warnings={await this.leaving.ofNameservers(domain.id, [])}
        ownNameservers={this.settings.defaultNameservers}
      />,
    );
  }
}

/** The form behind the Undo button; undefined if nothing has changed or there is nothing to go back to. */
export function undoNameservers(
  domainId: string,
  before: readonly string[],
  after: readonly string[],
): Flash['undo'] | undefined {
  if (before.length === 0 || after.join() === before.join()) return undefined;
  return { action: `/domains/${domainId}/nameservers`, fields: { nameservers: before.join(' ') } };
}
