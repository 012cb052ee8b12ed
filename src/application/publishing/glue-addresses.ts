import { inject, injectable } from '../ports/inject';
import type { Domain, DomainState } from '../../domain/registration/domain';
import { DomainName } from '../../domain/shared/domain-name';
import { RegistryDirectory } from '../ports/registry/registries';
import type { GlueHost } from '../ports/registry/registry-port';
import { DomainReader } from '../ports/registration/domain-repository';
import { RecordReader } from '../ports/dns/zone-queries';

/** As many nameservers as a delegation may have, and more than any registry takes of one host. */
const MAX_ADDRESSES = 13;

/** A name that the service holds, as far as it takes to find the addresses of its hosts. */
type Zone = Pick<DomainState, 'id' | 'accountId' | 'name'>;

/** Addresses that a registry is sent, with the domain whose zone has them. */
export interface SentGlue extends GlueHost {
  readonly owner: Zone;
}

/** The addresses that a registry publishes for nameservers under its own names: what their zones say of them. */
@injectable()
export class GlueAddresses {
  constructor(
    @inject(RecordReader) private readonly records: RecordReader,
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'liveAmong'>,
    @inject(RegistryDirectory) private readonly registries: RegistryDirectory,
  ) {}

  /** Those of `hosts` that are under the domain, or another name of its registry that any account holds, and have addresses in its zone. */
  async of(domain: Domain, hosts: readonly string[]): Promise<readonly SentGlue[]> {
    const zones: readonly Zone[] = [domain.toState(), ...(await this.otherZones(domain.name, hosts))];
    const found = hosts.flatMap((host) => {
      const zone = zones.find((each) => host.endsWith(`.${each.name}`));
      return zone ? [this.glueIn(zone, host)] : [];
    });
    return (await Promise.all(found)).filter(({ addresses }) => addresses.length > 0);
  }

  /** Those of `hosts` that are under the domain and have no address in its zone: resolvers cannot reach them. */
  async missing(domain: Domain, hosts: readonly string[]): Promise<readonly string[]> {
    const own = hosts.filter((host) => host.endsWith(`.${domain.name.value}`));
    const found = new Set((await this.of(domain, own)).map(({ host }) => host));
    return own.filter((host) => !found.has(host));
  }

  /** Another registry would reject the addresses of a host that is not under its own names. */
  private async otherZones(name: DomainName, hosts: readonly string[]): Promise<readonly Zone[]> {
    const registry = this.registries.registryFor(name)?.registry;
    const names = hosts
      .filter((host) => !host.endsWith(`.${name.value}`))
      .flatMap(namesAbove)
      .filter((above) => registry !== undefined && this.registries.registryFor(above)?.registry === registry)
      .map(({ value }) => value);
    if (names.length === 0) return [];
    const live = await this.domains.liveAmong([...new Set(names)]);
    return live.filter(({ status }) => status !== 'pending');
  }

  private async glueIn({ id, accountId, name: zoneName }: Zone, host: string): Promise<SentGlue> {
    const name = host.slice(0, -zoneName.length - 1);
    const kinds = (['A', 'AAAA'] as const).map((type) => this.records.page(id, { type, name }, MAX_ADDRESSES));
    const addresses = (await Promise.all(kinds)).flat().map(({ content }) => content);
    return { host, addresses, owner: { id, accountId, name: zoneName } };
  }
}

/** `a.example.com` and `example.com` for `ns1.a.example.com`. */
function namesAbove(host: string): readonly DomainName[] {
  const labels = host.split('.');
  return labels.slice(1, -1).map((_label, index) => DomainName.fromState(labels.slice(index + 1).join('.')));
}
