import { setTimeout as sleep } from 'node:timers/promises';
import { RECURSION_DESIRED, type Answer, type DecodedPacket } from 'dns-packet';
import type { AliasResolver, ResolverResponse } from '../../application/ports/dns/alias-repository';
import type { AddressType, ResolvedRecord } from '../../domain/dns/alias/alias-chain';
import { ipv4Address, ipv6Address } from '../../domain/dns/records/types/basic/addresses';
import { endpointText, type Endpoint } from '../../domain/dns/secondaries/secondary';
import { NAME_ERROR, query, rcodeName, rcodeOf } from './zone-sources/dns-query';
import type { PublicAddresses } from '../network/public-addresses';

interface AliasResolverSettings {
  /** Asked in this order; the next one if one does not answer. */
  readonly resolvers: readonly Endpoint[];
  readonly queriesPerSecond: number;
}

/** Queries recursive resolvers over UDP and TCP, at a limited rate. */
export class NetworkAliasResolver implements AliasResolver {
  private nextQueryAt = 0;

  constructor(
    private readonly settings: AliasResolverSettings,
    private readonly addresses: PublicAddresses,
  ) {}

  get isConfigured(): boolean {
    return this.settings.resolvers.length > 0;
  }

  async query(name: string, type: AddressType): Promise<ResolverResponse> {
    let response: ResolverResponse = { kind: 'failed', reason: 'no resolver is configured (ALIAS_RESOLVER)' };
    for (const endpoint of this.settings.resolvers) {
      await this.waitForTurn();
      response = toResponse(await query(endpoint, { name, type }, RECURSION_DESIRED), endpoint);
      if (response.kind === 'answered') return response;
    }
    return response;
  }

  isPublishable(address: string): boolean {
    return this.addresses.isPublic(address) || this.addresses.isAllowed(address);
  }

  private async waitForTurn(): Promise<void> {
    const now = performance.now();
    const turn = Math.max(now, this.nextQueryAt);
    this.nextQueryAt = turn + 1_000 / this.settings.queriesPerSecond;
    if (turn > now) await sleep(turn - now, undefined, { ref: false });
  }
}

function toResponse(packet: DecodedPacket | undefined, endpoint: Endpoint): ResolverResponse {
  const failed = (reason: string): ResolverResponse => ({
    kind: 'failed',
    reason: `the resolver ${endpointText(endpoint)} ${reason}`,
  });
  if (!packet) return failed('did not respond');
  const rcode = rcodeOf(packet);
  if (rcode !== 0 && rcode !== NAME_ERROR) return failed(`responded ${rcodeName(rcode)}`);
  if (!packet.flag_ra) return failed('does not offer recursion');
  const soa = (packet.authorities ?? []).find((answer) => answer.type === 'SOA');
  return {
    kind: 'answered',
    records: (packet.answers ?? []).flatMap(toRecord),
    negativeTtl: soa?.type === 'SOA' ? Math.min(soa.ttl ?? 0, soa.data.minimum ?? 0) : undefined,
  };
}

function toRecord(answer: Answer): ResolvedRecord[] {
  if (answer.type !== 'A' && answer.type !== 'AAAA' && answer.type !== 'CNAME') return [];
  const data = canonicalData(answer.type, answer.data);
  return data === undefined ? [] : [{ name: answer.name.toLowerCase(), type: answer.type, ttl: answer.ttl ?? 0, data }];
}

function canonicalData(type: ResolvedRecord['type'], data: string): string | undefined {
  if (type === 'CNAME') return data.toLowerCase();
  const form = type === 'A' ? ipv4Address : ipv6Address;
  return form.canonicalize(data, { zoneName: '', ownerName: '', priority: null });
}
