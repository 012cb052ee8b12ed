import type {
  ConnectTemplateReader,
  ConnectTemplateRepository,
  ListedConnectTemplate,
  StoredConnectTemplate,
  ConnectedService,
  ConnectedServiceRepository,
  ZoneDiscovery,
  ZoneDiscoveryReader,
} from '../../../../../src/application/ports/dns/templates-and-domain-connect';
import { isHosted, isZoneServed } from '../../../../../src/domain/registration/domain-status';
import type { Tables } from '../tables';

export class InMemoryConnectTemplates implements ConnectTemplateReader, ConnectTemplateRepository {
  constructor(private readonly tables: () => Tables) {}

  async find(providerId: string, serviceId: string): Promise<StoredConnectTemplate | undefined> {
    return this.tables().connectTemplates.get(keyOf({ providerId, serviceId }));
  }

  async all(): Promise<readonly ListedConnectTemplate[]> {
    return [...this.tables().connectTemplates.values()].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  }

  async choice(providerId: string): Promise<boolean | undefined> {
    return this.tables().connectProviders.get(providerId);
  }

  async choices(): Promise<ReadonlyMap<string, boolean>> {
    return new Map(this.tables().connectProviders);
  }

  async put(templates: readonly StoredConnectTemplate[]): Promise<void> {
    for (const each of templates) this.tables().connectTemplates.set(keyOf(each), each);
  }

  async choose(providerId: string, isOn: boolean): Promise<void> {
    this.tables().connectProviders.set(providerId, isOn);
  }
}

function keyOf({ providerId, serviceId }: Pick<ListedConnectTemplate, 'providerId' | 'serviceId'>): string {
  return `${providerId} ${serviceId}`;
}

export class InMemoryConnectedServices implements ConnectedServiceRepository {
  constructor(private readonly tables: () => Tables) {}

  async ofDomain(accountId: string, domainId: string): Promise<readonly ConnectedService[]> {
    return [...this.tables().connectedServices.values()]
      .filter((each) => each.accountId === accountId && each.domainId === domainId)
      .toSorted(
        (one, other) => one.connectedAt.getTime() - other.connectedAt.getTime() || (one.id < other.id ? -1 : 1),
      );
  }

  async add(service: ConnectedService): Promise<void> {
    this.tables().connectedServices.set(service.id, service);
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.tables().connectedServices.delete(id);
  }
}

export class InMemoryZoneDiscovery implements ZoneDiscoveryReader {
  constructor(private readonly tables: () => Tables) {}

  async find(domainId: string): Promise<ZoneDiscovery | undefined> {
    const { domains, zones, zoneDelegations } = this.tables();
    const [domain, zone] = [domains.get(domainId), zones.get(domainId)];
    if (!domain || !zone || domain.status === 'gone') return undefined;
    const isHostedOnly = isHosted(domain.status) || domain.keptZone !== null;
    return {
      domainId,
      accountId: domain.accountId,
      zoneName: domain.name,
      connects: zone.connects ?? true,
      discovery: zone.discovery ?? null,
      isServed: isZoneServed(domain),
      nameservers: domain.nameservers,
      delegation: isHostedOnly ? (zoneDelegations.get(domainId)?.state ?? null) : undefined,
    };
  }

  async page(
    limit: number,
    { onlyDiscovered, after }: { readonly onlyDiscovered: boolean; readonly after: string },
  ): Promise<readonly ZoneDiscovery[]> {
    const ids = [...this.tables().zones.keys()].filter((id) => id > after).toSorted();
    const found = await Promise.all(ids.map((id) => this.find(id)));
    return found
      .filter((zone) => zone !== undefined)
      .filter(({ connects, discovery }) => discovery !== null || (connects && !onlyDiscovered))
      .slice(0, limit);
  }
}
