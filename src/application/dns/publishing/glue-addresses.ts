import { inject, injectable } from 'inversify';
import type { Domain } from '../../../domain/registration/domain';
import type { GlueHost } from '../../ports/registry/registry-port';
import { RecordReader } from '../../ports/dns/zone-repository';

/** As many nameservers as a delegation may have, and more than any registry takes of one host. */
const MOST_ADDRESSES = 13;

/** The addresses that a registry publishes for nameservers under the delegated name itself: what its zone says of them. */
@injectable()
export class GlueAddresses {
  constructor(@inject(RecordReader) private readonly records: RecordReader) {}

  /** Those of `hosts` that are under the domain and have addresses in its zone. */
  async of(domain: Domain, hosts: readonly string[]): Promise<readonly GlueHost[]> {
    const { name } = domain.toState();
    const found = hosts
      .filter((host) => host.endsWith(`.${name}`))
      .map(async (host): Promise<GlueHost> => ({
        host,
        addresses: await this.addresses(domain.id, host.slice(0, -name.length - 1)),
      }));
    return (await Promise.all(found)).filter(({ addresses }) => addresses.length > 0);
  }

  /** Those of `hosts` that are under the domain and have no address in its zone: resolvers cannot reach them. */
  async missing(domain: Domain, hosts: readonly string[]): Promise<readonly string[]> {
    const { name } = domain.toState();
    const found = new Set((await this.of(domain, hosts)).map(({ host }) => host));
    return hosts.filter((host) => host.endsWith(`.${name}`) && !found.has(host));
  }

  private async addresses(domainId: string, name: string): Promise<readonly string[]> {
    const kinds = (['A', 'AAAA'] as const).map((type) => this.records.page(domainId, { type, name }, MOST_ADDRESSES));
    return (await Promise.all(kinds)).flat().map(({ content }) => content);
  }
}
