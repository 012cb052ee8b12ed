import { inject, injectable } from '../../../application/ports/inject';
import type { NameserverCheck } from '../../../application/ports/dns/other-nameservers';
import { CheckDelegation, type DelegationCheck } from '../../../application/registrar/check-delegation';
import { ChangeNameservers } from '../../../application/registration/settings/change-nameservers';
import { FindDomain } from '../../../application/registration/find-domain';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { delegationOf } from '../../../domain/dns/delegation/delegation';
import type { DomainState } from '../../../domain/registration/domain';
import {
  getRequester,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { DomainLayout } from '../layout/domain/domain-layout';
import { displayName } from '../layout/domain/domain-labels';
import { setFlash } from '../flash';
import { attempt, type FormIssues } from '../form-issues';
import { Badge, Card, Cell, Row, Table } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { PostForm } from '../layout/forms/forms';
import { MayDo } from '../layout/may-do';
import { undoNameservers } from '../nameservers/nameserver-pages';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';

/** Switches a domain to this service's nameservers, after a check. */
@injectable()
export class SwitchPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(CheckDelegation) private readonly checkDelegation: CheckDelegation,
    @inject(ChangeNameservers) private readonly changeNameservers: ChangeNameservers,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/switch', 'read', this.show.bind(this), { cost: WIDE }],
      ['post', '/domains/:id/switch', 'settings', this.apply.bind(this)],
    ];
  }

  private show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    return this.render(req, res);
  }

  private async apply(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domainId = req.params['id'] ?? '';
    const hosts = this.settings.defaultNameservers;
    const before = (await this.findDomain.byId({ ...getRequester(res), domainId })).toState().nameservers;
    const outcome = await attempt(() => this.changeNameservers.execute({ ...getRequester(res), domainId, hosts }));
    if ('issues' in outcome) return this.render(req, res, outcome.issues);
    const undo = undoNameservers(domainId, before, hosts);
    setFlash(req, {
      kind: 'success',
      text: 'The nameservers were switched to this service.',
      ...(undo && { undo }),
    });
    redirect(res, `/domains/${domainId}`);
  }

  private async render(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const query = { ...getRequester(res), domainId: req.params['id'] ?? '' };
    const domain = (await this.findDomain.byId(query)).toState();
    const check = await this.checkDelegation.execute(query);
    this.renderer.render(
      req,
      res,
      { title: `Switch nameservers of ${displayName(domain.name)}`, section: 'domains', issues },
      <SwitchPage domain={domain} ownNameservers={this.settings.defaultNameservers} check={check} issues={issues} />,
    );
  }
}

function SwitchPage({
  domain,
  ownNameservers,
  check: { ready, nameservers, present, warnings },
  issues,
}: {
  readonly domain: DomainState;
  readonly ownNameservers: readonly string[];
  readonly check: DelegationCheck;
  readonly issues: FormIssues | undefined;
}) {
  const isSwitched =
    domain.nameservers.length === ownNameservers.length && delegationOf(domain.nameservers, ownNameservers) === 'ours';
  return (
    <DomainLayout domain={domain} tab="details" needs="change nameservers">
      {warnings.length > 0 && (
        <div class="alert warning">
          {warnings.map((warning) => (
            <p key={warning}>{warning}.</p>
          ))}
        </div>
      )}
      <Card title="New nameservers" class="flush">
        <ChecksTable caption="New nameservers" checks={nameservers} />
      </Card>
      <Card title="Present nameservers" class="flush">
        <ChecksTable caption="Present nameservers" checks={present} />
      </Card>
      {isSwitched ? (
        <p>The domain has the nameservers of this service already.</p>
      ) : (
        <Card title="Switch nameservers">
          <p>
            {ready
              ? 'All new nameservers answer for the domain. Resolvers switch within the TTLs above.'
              : 'Not all new nameservers answer for the domain. If you switch now, the domain may not resolve.'}
          </p>
          <MayDo action="settings">
            <PostForm action={`/domains/${domain.id}/switch`} issues={issues}>
              <FormActions submit={ready ? 'Switch nameservers' : 'Switch anyway'} cancel={`/domains/${domain.id}`} />
            </PostForm>
          </MayDo>
        </Card>
      )}
    </DomainLayout>
  );
}

function ChecksTable({ caption, checks }: { readonly caption: string; readonly checks: readonly NameserverCheck[] }) {
  return (
    <Table caption={caption} columns={['Nameserver', 'State', 'Nameservers cached for', '“Does not exist” cached for']}>
      {checks.map(({ nameserver, state, delegationTtl, negativeTtl }) => (
        <Row key={nameserver}>
          <Cell class="main-cell">
            <code>{nameserver}</code>
          </Cell>
          <Cell label="State" class="wide">
            <Badge tone={state === 'answers' ? 'good' : 'warning'}>{state}</Badge>
          </Cell>
          <Cell label="Nameservers cached for">{formatSeconds(delegationTtl)}</Cell>
          <Cell label="“Does not exist” cached for">{formatSeconds(negativeTtl)}</Cell>
        </Row>
      ))}
    </Table>
  );
}

function formatSeconds(seconds: number | null): string {
  return seconds === null ? '–' : `${seconds} s`;
}
