import { inject, injectable } from '../../../application/ports/inject';
import { ChangeConnects } from '../../../application/dns/domain-connect/change-connects';
import { ConnectSettings } from '../../../application/dns/domain-connect/connect-settings';
import { DisconnectService } from '../../../application/dns/domain-connect/disconnect-service';
import { ListConnectedServices } from '../../../application/dns/domain-connect/list-connected-services';
import { ReadConnects } from '../../../application/dns/domain-connect/read-connects';
import { FindDomain } from '../../../application/registration/find-domain';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { setFlash } from '../flash';
import { readField } from '../form-fields';
import { displayName } from '../layout/domain/domain-labels';
import { findDomainOf } from '../layout/domain/domain-request';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { buildRollBackForm } from '../zone/history/roll-back-form';
import { ConnectedServicesPage } from './connected-services-page';

const PATH = '/domains/:id/connected-services';

/** The services that are connected to a domain, and the switch of Domain Connect for it. */
@injectable()
export class ConnectedServicesPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ListConnectedServices) private readonly services: ListConnectedServices,
    @inject(DisconnectService) private readonly disconnectService: DisconnectService,
    @inject(ReadConnects) private readonly readConnects: ReadConnects,
    @inject(ChangeConnects) private readonly changeConnects: ChangeConnects,
    @inject(ConnectSettings) private readonly settings: ConnectSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', PATH, 'read', this.show.bind(this)],
      ['post', `${PATH}/switch`, 'write', this.change.bind(this)],
      ['post', `${PATH}/:serviceId/disconnect`, 'write', this.disconnect.bind(this)],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await findDomainOf(req, res, this.findDomain);
    const query = { ...getRequester(res), domainId: domain.id };
    const services = await this.services.execute(query);
    const zone = this.settings.url === undefined ? undefined : await this.readConnects.execute(query);
    this.renderer.render(
      req,
      res,
      { title: `Services connected to ${displayName(domain.name)}`, section: 'domains' },
      <ConnectedServicesPage domain={domain} services={services} zone={zone} />,
    );
  }

  private async change(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [domainId, connects] = [req.params['id'] ?? '', readField(req, 'enabled') === 'on'];
    await this.changeConnects.execute({ ...getRequester(res), domainId, connects });
    const text = connects ? 'Domain Connect is on for this domain.' : 'Domain Connect is off for this domain.';
    setFlash(req, { kind: 'success', text });
    redirect(res, `/domains/${domainId}/connected-services`);
  }

  private async disconnect(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [domainId, serviceId] = [req.params['id'] ?? '', req.params['serviceId'] ?? ''];
    const written = await this.disconnectService.execute({ ...getRequester(res), domainId, serviceId });
    const { result, zoneVersion, isChanged } = written;
    setFlash(req, {
      kind: 'success',
      text: `${result.serviceName} is disconnected.`,
      ...(isChanged && { undo: buildRollBackForm(domainId, { version: zoneVersion - 1, expected: zoneVersion }) }),
    });
    redirect(res, `/domains/${domainId}/connected-services`);
  }
}
