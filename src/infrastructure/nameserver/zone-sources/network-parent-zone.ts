import { RECURSION_DESIRED } from 'dns-packet';
import type { ParentZone, PublishedDsRecords } from '../../../application/ports/dns/parent-and-child-zones';
import type { DsRecord } from '../../../domain/dns/ds-record';
import type { Endpoint } from '../../../domain/dns/secondary';
import { ask, isAnswered, query } from './dns-query';
import { PublicAddresses, type Network } from './public-addresses';

const DNS_PORT = 53;
/** As many as the root has (RFC 8806). */
const MAX_NAMESERVERS = 13;

interface ParentZoneSettings {
  /** Recursive resolvers, which are asked in this order. */
  readonly resolvers: readonly Endpoint[];
  /** Where nameservers may be besides public addresses. */
  readonly networks: readonly Network[];
}

/** Finds the parent's nameservers with the operator's resolver, and asks each of them itself: caches would tell the past. */
export class NetworkParentZone implements ParentZone {
  private readonly addresses: PublicAddresses;

  constructor(private readonly settings: ParentZoneSettings) {
    this.addresses = new PublicAddresses(settings.networks);
  }

  async queryDsRecords(name: string): Promise<PublishedDsRecords | undefined> {
    const nameservers = await this.nameserversAbove(name);
    const endpoints = nameservers.flatMap((endpoint) => endpoint ?? []);
    const answers = await Promise.all(endpoints.map((endpoint) => ask(endpoint, { name, type: 'DS' })));
    const sets: (readonly DsRecord[])[] = [];
    const ttls: number[] = [];
    for (const answer of answers) {
      if (!answer) continue;
      const records = answer.answers.flatMap((record) => (record.type === 'DS' ? [record] : []));
      sets.push(records.map(({ data }) => ({ ...data, digest: data.digest.toString('hex').toUpperCase() })));
      ttls.push(...records.map(({ ttl = 0 }) => ttl));
    }
    if (sets.length === 0) return undefined;
    return {
      sets,
      isComplete: sets.length === nameservers.length,
      ttl: ttls.length > 0 ? Math.max(...ttls) : undefined,
    };
  }

  /** Of the closest zone above the name; undefined for one that cannot be asked. */
  private async nameserversAbove(name: string): Promise<readonly (Endpoint | undefined)[]> {
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
      const zone = name.slice(dot + 1);
      const hosts = (await this.resolve(zone, 'NS')).slice(0, MAX_NAMESERVERS);
      if (hosts.length > 0) return Promise.all(hosts.map((host) => this.endpointOf(host)));
    }
    return [];
  }

  private async endpointOf(host: string): Promise<Endpoint | undefined> {
    const [address = (await this.resolve(host, 'AAAA'))[0]] = await this.resolve(host, 'A');
    if (address === undefined) return undefined;
    const isAllowed = this.addresses.isPublic(address) || this.addresses.isAllowed(address);
    return isAllowed ? { address, port: DNS_PORT } : undefined;
  }

  private async resolve(name: string, type: 'NS' | 'A' | 'AAAA'): Promise<readonly string[]> {
    for (const resolver of this.settings.resolvers) {
      const response = await query(resolver, { name, type }, RECURSION_DESIRED);
      if (isAnswered(response))
        return (response.answers ?? []).flatMap((answer) =>
          answer.type === type && answer.name.toLowerCase() === name && typeof answer.data === 'string'
            ? [answer.data.toLowerCase()]
            : [],
        );
    }
    return [];
  }
}
