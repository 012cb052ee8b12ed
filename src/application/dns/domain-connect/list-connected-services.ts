import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { seesWholeName } from '../../../domain/access/key-permissions';
import { missingRecords, namesOf, type InstanceRecord } from '../../../domain/domain-connect/applied-instance';
import { requireName } from '../../access/require-domain';
import { ConnectedServiceReader, type ConnectedService } from '../../ports/dns/templates-and-domain-connect';
import { HostedNameReader } from '../../ports/dns/hosted-names';
import { ZoneReader } from '../../ports/dns/zone-repository';

/** A service with those of its records that the zone no longer has. */
export interface ServiceStatus {
  readonly service: ConnectedService;
  /** It is broken if there are any. */
  readonly missing: readonly InstanceRecord[];
}

/** The services that are connected to a domain. A key or person that may not see a name of its records does not see the service. */
@injectable()
export class ListConnectedServices {
  constructor(
    @inject(HostedNameReader) private readonly names: Pick<HostedNameReader, 'find'>,
    @inject(ConnectedServiceReader) private readonly services: ConnectedServiceReader,
    @inject(ZoneReader) private readonly zones: Pick<ZoneReader, 'recordsAt'>,
  ) {}

  /** Oldest first. @throws DomainNotFound, LimitedKey */
  async execute({
    accountId,
    actor,
    domainId,
  }: Reader & { readonly domainId: string }): Promise<readonly ServiceStatus[]> {
    requireName(await this.names.find(accountId, domainId), { actor }, 'read');
    const all = await this.services.ofDomain(accountId, domainId);
    const visible = all.filter((each) => namesOf(each).every((name) => seesWholeName(actor, name)));
    const names = [...new Set(visible.flatMap(namesOf))];
    if (names.length === 0) return visible.map((service) => ({ service, missing: [] }));
    const present = (await this.zones.recordsAt([{ domainId, names }])).get(domainId) ?? [];
    return visible.map((service) => ({ service, missing: missingRecords(service, present) }));
  }
}
