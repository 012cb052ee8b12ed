import type { Answer } from 'dns-packet';
import type { PublishedZone, PublishedZones } from '../../application/ports/dns/published-zones';
import type { ZoneReader } from '../../application/ports/dns/zone-repository';
import { ROOT } from '../../domain/dns/records/record-name';
import type { PrimarySettings } from './primary-settings';
import type { Transport } from './wire/response-channel';
import { RCODE } from './update-responder';
import { CLASS, OPCODE, TYPE, type WireQuery } from './wire/wire-query';
import { authoritativeResponse, questionResponse, truncatedResponse } from './wire/wire-responses';
import { apexNs, zoneSoa } from './zone-rrsets';

const MAX_RESPONSE = 512;
/** Registered names have two to four labels, so a zone is found among the last labels of a name. */
const MAX_ZONE_LABELS = 5;

/**
 * Answers unsigned SOA and NS queries about the served zones, with which update clients find the zone of a name. Anything
 * else is REFUSED.
 */
export class PublicQueries {
  constructor(
    private readonly zones: PublishedZones,
    private readonly records: Pick<ZoneReader, 'recordsAt'>,
    private readonly settings: PrimarySettings,
  ) {}

  /** @param signatureOctets that the response has room for */
  async respond(query: WireQuery, transport: Transport, signatureOctets = 0): Promise<Buffer> {
    const isAnswered = query.opcode === OPCODE.QUERY && (query.type === TYPE.SOA || query.type === TYPE.NS);
    if (!isAnswered || query.class !== CLASS.IN) return questionResponse(query, RCODE.REFUSED);
    const zone = await this.findZone(query.name);
    if (!zone) return questionResponse(query, RCODE.REFUSED);
    const response = await this.answer(query, zone);
    return transport === 'udp' && response.length + signatureOctets > MAX_RESPONSE
      ? truncatedResponse(query)
      : response;
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
}
