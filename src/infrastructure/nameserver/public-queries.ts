import type { Answer } from 'dns-packet';
import type { PublishedZone, PublishedZones } from '../../application/ports/dns/published-zones';
import type { ZoneReader } from '../../application/ports/dns/zone-repository';
import { ROOT } from '../../domain/dns/records/record-name';
import { networkOf } from '../system/network-of';
import type { PrimarySettings } from './primary-settings';
import type { Transport } from './responder';
import { RCODE } from './update-responder';
import { CLASS, TYPE, type WireQuery } from './wire/wire-query';
import { authoritativeResponse, questionResponse, truncatedResponse } from './wire/wire-responses';
import { apexNs, zoneSoa } from './zone-rrsets';

const MAX_RESPONSE = 512;
/** Responses per second to one network over UDP; above it, every second request gets TC=1 and the others nothing. */
const RESPONSES_PER_SECOND = 20;
const MAX_NETWORKS = 10_000;
/** Registered names have two to four labels, so a zone is found among the last labels of a name. */
const MAX_ZONE_LABELS = 5;

interface Count {
  readonly second: number;
  count: number;
}

/**
 * Answers unsigned SOA and NS queries about the served zones, with which update clients find the zone of a name. Anything
 * else is REFUSED. Small and limited per network, so that it is of no use for reflection.
 */
export class PublicQueries {
  private counts = new Map<string, Count>();

  constructor(
    private readonly zones: PublishedZones,
    private readonly records: Pick<ZoneReader, 'recordsAt'>,
    private readonly settings: PrimarySettings,
  ) {}

  /** Undefined if the request gets no response. */
  async respond(query: WireQuery, transport: Transport, address: string, now: number): Promise<Buffer | undefined> {
    if (query.class !== CLASS.IN || (query.type !== TYPE.SOA && query.type !== TYPE.NS))
      return questionResponse(query, RCODE.REFUSED);
    if (transport === 'udp') {
      const excess = this.countExcess(networkOf(address), now);
      if (excess > 0) return excess % 2 === 1 ? truncatedResponse(query) : undefined;
    }
    const zone = await this.findZone(query.name);
    if (!zone) return questionResponse(query, RCODE.REFUSED);
    const response = await this.answer(query, zone);
    return transport === 'udp' && response.length > MAX_RESPONSE ? truncatedResponse(query) : response;
  }

  private async answer(query: WireQuery, zone: PublishedZone): Promise<Buffer> {
    const soa: Answer = zoneSoa(zone, this.settings);
    if (query.name === zone.zoneName)
      return authoritativeResponse(query, query.type === TYPE.SOA ? [soa] : await this.nameservers(zone));
    const name = query.name.slice(0, -zone.zoneName.length - 1);
    const exists = await this.zones.hasName(zone.domainId, name);
    return authoritativeResponse(query, [], { authorities: [soa], rcode: exists ? RCODE.NOERROR : RCODE.NXDOMAIN });
  }

  private async nameservers(zone: PublishedZone): Promise<Answer[]> {
    const found = await this.records.recordsAt([{ domainId: zone.domainId, names: [ROOT] }]);
    const root = (found.get(zone.domainId) ?? []).filter(({ type }) => type === 'NS');
    return apexNs(
      zone,
      root.map((record) => record.toState()),
    );
  }

  private async findZone(name: string): Promise<PublishedZone | undefined> {
    const labels = name.split('.');
    for (let count = Math.min(labels.length, MAX_ZONE_LABELS); count >= 2; count -= 1) {
      const zone = await this.zones.find(labels.slice(-count).join('.'));
      if (zone) return zone;
    }
    return undefined;
  }

  /** How far this request is above the limit of its network for this second. */
  private countExcess(network: string, second: number): number {
    const known = this.counts.get(network);
    if (known?.second === second) {
      known.count += 1;
      return known.count - RESPONSES_PER_SECOND;
    }
    if (this.counts.size >= MAX_NETWORKS) this.counts = new Map();
    this.counts.set(network, { second, count: 1 });
    return 0;
  }
}
