import { inject, injectable } from '../../ports/inject';
import type { HostedName } from '../../../domain/dns/hosted-name';
import { ConnectedServiceNotFound, ConnectPlanOutdated } from '../../../domain/domain-connect/connect-errors';
import { asPartOf } from '../../access/approvals/approval-needed';
import { requireName } from '../../access/require-domain';
import { serviceDisconnected } from '../../audit/service-audit';
import { ConnectedServiceReader, type ConnectedService } from '../../ports/dns/templates-and-domain-connect';
import { HostedNameReader } from '../../ports/dns/hosted-names';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import type { ZonePlan } from '../zones/zone-plan';
import type { Written, ZoneRequest } from '../zones/zone-request';
import { ZoneWriter } from '../zones/zone-writer';
import { assertSameServices, ConnectDecision } from './connect-decision';
import { ListConnectedServices } from './list-connected-services';

interface DisconnectServiceCommand extends ZoneRequest {
  readonly serviceId: string;
}

const MAX_ATTEMPTS = 10;

/** Removes what a service still has in the zone, as one change, and forgets the service. */
@injectable()
export class DisconnectService {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(ListConnectedServices) private readonly services: ListConnectedServices,
    @inject(ConnectedServiceReader) private readonly connected: ConnectedServiceReader,
    @inject(HostedNameReader) private readonly names: Pick<HostedNameReader, 'find'>,
    @inject(ConnectDecision) private readonly decision: ConnectDecision,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Decides again if other services were connected or disconnected meanwhile. @throws ConnectedServiceNotFound; otherwise as `ZoneWriter` */
  async execute(
    command: DisconnectServiceCommand,
    hook?: TransactionHook<Written<ConnectedService>>,
  ): Promise<Written<ConnectedService>> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.disconnect(command, hook);
      } catch (error) {
        if (!(error instanceof ConnectPlanOutdated) || attempt === MAX_ATTEMPTS) throw error;
      }
  }

  /** @throws as `execute` */
  async plan({ serviceId, ...request }: DisconnectServiceCommand): Promise<ZonePlan<ConnectedService>> {
    const { service, all } = await this.find(request, serviceId);
    return this.zones.plan(request, this.decision.without(service, all));
  }

  private async disconnect(
    { serviceId, ...request }: DisconnectServiceCommand,
    hook?: TransactionHook<Written<ConnectedService>>,
  ): Promise<Written<ConnectedService>> {
    const { service, domain, all } = await this.find(request, serviceId);
    const { accountId, domainId } = request;
    return asPartOf({ kind: 'disconnection', domainId, serviceId }, () =>
      this.zones.write(request, this.decision.without(service, all), async (stores, written) => {
        assertSameServices(await stores.connectedServices.ofDomain(accountId, domainId), all);
        await stores.connectedServices.remove([service.id]);
        await stores.audit.append(serviceDisconnected({ at: this.clock.now(), requester: request, domain, service }));
        await hook?.(stores, written);
      }),
    );
  }

  private async find(
    request: ZoneRequest,
    serviceId: string,
  ): Promise<{
    readonly service: ConnectedService;
    readonly domain: HostedName;
    readonly all: readonly ConnectedService[];
  }> {
    const { accountId, domainId } = request;
    const domain = requireName(await this.names.find(accountId, domainId), request, 'write');
    const found = (await this.services.execute(request)).find(({ service }) => service.id === serviceId);
    if (!found) throw new ConnectedServiceNotFound();
    return { service: found.service, domain, all: await this.connected.ofDomain(accountId, domainId) };
  }
}
