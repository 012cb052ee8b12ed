import { RECURSION_DESIRED, type DecodedPacket, type RecordType } from 'dns-packet';
import { parentsOf } from '../../../domain/shared/domain-name';
import type { Endpoint } from '../../../domain/dns/secondaries/secondary';
import { isAnswered, query } from './dns-query';
import { PublicAddresses, type Network } from '../../network/public-addresses';

const DNS_PORT = 53;
/** As many as the root has (RFC 8806). */
export const MAX_NAMESERVERS = 13;

export interface ResolverSettings {
  /** Recursive resolvers, which are asked in this order. */
  readonly resolvers: readonly Endpoint[];
  /** Where nameservers may be besides public addresses. */
  readonly networks: readonly Network[];
}

type HostType = 'NS' | 'A' | 'AAAA';

/** Finds nameservers with the operator's resolvers. A deadline is one of `performance.now()`: many look-ups must not add up. */
export class OperatorResolvers {
  private readonly addresses: PublicAddresses;

  constructor(private readonly settings: ResolverSettings) {
    this.addresses = new PublicAddresses(settings.networks);
  }

  /** The response of the first that answers; undefined if none does. */
  async resolve(
    question: { readonly name: string; readonly type: RecordType },
    deadline = Infinity,
  ): Promise<DecodedPacket | undefined> {
    for (const resolver of this.settings.resolvers) {
      if (performance.now() > deadline) return undefined;
      const response = await query(resolver, question, RECURSION_DESIRED);
      if (isAnswered(response)) return response;
    }
    return undefined;
  }

  /** The nameservers of the closest zone above a name; none if no such zone exists, undefined if the resolvers do not say. */
  async nameserversAbove(name: string, deadline?: number): Promise<readonly string[] | undefined> {
    for (const zone of parentsOf(name)) {
      const hosts = await this.dataOf(zone, 'NS', deadline);
      if (hosts === undefined) return undefined;
      if (hosts.length > 0) return hosts.slice(0, MAX_NAMESERVERS);
    }
    return [];
  }

  /** The first address of a host; undefined without one that may be asked. */
  async endpointOf(host: string, deadline?: number, port = DNS_PORT): Promise<Endpoint | undefined> {
    for (const type of ['A', 'AAAA'] as const) {
      const [address] = (await this.dataOf(host, type, deadline)) ?? [];
      if (address === undefined) continue;
      return this.addresses.isPublic(address) || this.addresses.isAllowed(address) ? { address, port } : undefined;
    }
    return undefined;
  }

  private async dataOf(name: string, type: HostType, deadline?: number): Promise<readonly string[] | undefined> {
    const response = await this.resolve({ name, type }, deadline);
    return response && namesIn(response.answers, name, type);
  }
}

/** The host names or addresses that records of a name have, in lower case. */
export function namesIn(answers: DecodedPacket['answers'], name: string, type: HostType): readonly string[] {
  return (answers ?? []).flatMap((answer) =>
    answer.type === type && answer.name.toLowerCase() === name && typeof answer.data === 'string'
      ? [answer.data.toLowerCase()]
      : [],
  );
}
