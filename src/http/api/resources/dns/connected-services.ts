import { IsBoolean } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import { ChangeConnects } from '../../../../application/dns/domain-connect/change-connects';
import { DisconnectService } from '../../../../application/dns/domain-connect/disconnect-service';
import {
  ListConnectedServices,
  type ServiceStatus,
} from '../../../../application/dns/domain-connect/list-connected-services';
import { ReadConnects } from '../../../../application/dns/domain-connect/read-connects';
import type { ZoneDiscovery } from '../../../../application/ports/dns/templates-and-domain-connect';
import type { InstanceRecord } from '../../../../domain/domain-connect/applied-instance';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { assertNoMembers, validated } from '../../validated';
import { changeZone, zoneRequest, zonePlan } from './zone-changes';

class ConnectsBody {
  @IsBoolean() enabled!: boolean;
}

/** The services that people connected to a domain (Domain Connect), and whether they can connect any. A person connects them, not a key. */
@injectable()
export class ConnectedServicesController {
  constructor(
    @inject(ListConnectedServices) private readonly services: ListConnectedServices,
    @inject(DisconnectService) private readonly disconnect: DisconnectService,
    @inject(ReadConnects) private readonly readConnects: ReadConnects,
    @inject(ChangeConnects) private readonly changeConnects: ChangeConnects,
  ) {}

  async list({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok((await this.services.execute({ ...caller, domainId: params.id })).map(shownService));
  }

  async remove(request: WriteRequest<'id' | 'serviceId'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    const command = { ...zoneRequest(request), serviceId: request.params.serviceId };
    return changeZone(request, this.disconnect, command, {
      written: ({ result: { id } }) => ({ id, connected: false }),
      planned: zonePlan,
    });
  }

  async readSwitch({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return switched(await this.readConnects.execute({ ...caller, domainId: params.id }));
  }

  async putSwitch(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { enabled } = validated(ConnectsBody, request.body);
    const command = { ...request.caller, domainId: request.params.id, connects: enabled };
    return switched(await this.changeConnects.execute(command, request.storing(switched)));
  }
}

function switched({ connects, discovery }: ZoneDiscovery): JsonResult {
  return ok({ enabled: connects, discovery });
}

function shownService({ service, missing }: ServiceStatus): object {
  const { id, providerId, providerName, serviceId, serviceName, host, groups, connectedAt, records } = service;
  return {
    id,
    provider_id: providerId,
    provider_name: providerName,
    service_id: serviceId,
    service_name: serviceName,
    host,
    groups,
    state: missing.length > 0 ? 'broken' : 'connected',
    records: records.map(shownRecord),
    missing: missing.map(shownRecord),
    connected_at: connectedAt.toISOString(),
  };
}

/** The identity of a record is its name, its type and its data. */
function shownRecord({ name, type, identity, essential }: InstanceRecord): object {
  return { name, type, data: identity.slice(name.length + type.length + 2), essential: essential === 'Always' };
}
