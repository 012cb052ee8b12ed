import { inject, injectable } from '../../../application/ports/inject';
import { LifecyclePlan } from '../../../application/operations/lifecycle-plan';
import { DeleteDomain } from '../../../application/registration/delete-domain';
import { FindDomain } from '../../../application/registration/find-domain';
import { ListOperations } from '../../../application/registration/operations/list-operations';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { isHosted } from '../../../domain/registration/domain-status';
import type { OperationState } from '../../../domain/registration/operations/operation';
import { buildUrl } from '../build-url';
import { displayName } from '../layout/domain/domain-labels';
import { readParameter } from '../form-fields';
import { describeUnusedParameters } from '../unused-parameters';
import { formatCursor, loadListPage, parseCursor } from '../list-page';
import { PageRenderer } from '../page-renderer';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { DomainFactsReader } from './domain-facts-reader';
import { DomainPage } from './domain-page';
import { HostedNamePage } from './hosted-name-page';
import { ReadMap } from './map/read-map';
import { ReadHostedName } from './read-hosted-name';
import { OperationsPage } from './operations/operations-page';
import { findDomainOf } from '../layout/domain/domain-request';

const LATEST = 5;
const PAGE_SIZE = 50;

/** The page of a domain, and its operations. */
@injectable()
export class DomainPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ListOperations) private readonly operations: ListOperations,
    @inject(DomainFactsReader) private readonly facts: DomainFactsReader,
    @inject(ReadMap) private readonly maps: ReadMap,
    @inject(ReadHostedName) private readonly hostedNames: ReadHostedName,
    @inject(DeleteDomain) private readonly deleteDomain: DeleteDomain,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id', 'read', this.show.bind(this)],
      ['get', '/domains/:id/operations', 'read', this.listOperations.bind(this)],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await findDomainOf(req, res, this.findDomain);
    const head = { title: displayName(domain.name), section: 'domains' } as const;
    if (isHosted(domain.status)) {
      const [facts, map] = await Promise.all([
        this.hostedNames.of(getRequester(res), domain.id),
        this.maps.stored(domain),
      ]);
      return this.renderer.render(req, res, head, <HostedNamePage {...facts} map={map} />);
    }
    const [operations, facts, map] = await Promise.all([
      this.operations.page(getRequester(res), domain.id, LATEST),
      this.facts.of(domain),
      this.maps.stored(domain),
    ]);
    this.renderer.render(
      req,
      res,
      head,
      <DomainPage
        domain={domain}
        dates={this.plan.dates(domain)}
        operations={operations}
        deletion={{
          isPossible: this.deleteDomain.isPossible(domain),
          until: this.deleteDomain.possibleUntil(domain),
        }}
        facts={facts}
        map={map}
        policy={this.plan.policyFor(domain)}
        ownNameservers={this.settings.defaultNameservers}
      />,
    );
  }

  private async listOperations(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await findDomainOf(req, res, this.findDomain);
    const cursor = parseCursor(readParameter(req, 'before'));
    const page = await loadListPage({
      size: PAGE_SIZE,
      cursor,
      load: (limit, before) => this.operations.page(getRequester(res), domain.id, limit, before),
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
}
