import type { Answer } from 'dns-packet';
import type { PublishedZone, PublishedZones } from '../../application/ports/dns/published-zones';
import type { ZoneReader } from '../../application/ports/dns/zone-repository';
import type { DnsRecord, DnsRecordState } from '../../domain/dns/records/dns-record';
import { fullName, MAX_NAME_LENGTH, ROOT } from '../../domain/dns/records/record-name';
import type { RecordType } from '../../domain/dns/records/types/record-types';
import { namesAbove } from '../../domain/dns/zone-rules';
import { coveringRecords, wildcardsOf } from '../../domain/dns/zone-view';
import { groupedBy } from '../../domain/shared/grouped-by';
import type { PrimarySettings } from './primary-settings';
import type { Transport } from './wire/response-channel';
import { RCODE } from './update-responder';
import { CLASS, OPCODE, TYPE, type WireQuery } from './wire/wire-query';
import {
  authoritativeResponse,
  questionResponse,
  truncatedResponse,
  type ResponseOptions,
} from './wire/wire-responses';
import { apexNs, recordRrset, zoneSoa } from './zone-rrsets';

const MAX_RESPONSE = 512;
/** Registered names have two to four labels, so a zone is found among the last labels of a name. */
const MAX_ZONE_LABELS = 5;
/** Aliases that a response follows. */
const MAX_ALIASES = 8;

interface Found extends ResponseOptions {
  readonly answers?: readonly Answer[];
  /** Where an alias leads. */
  readonly target?: string;
}

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
    // No owner name has a character that must be escaped.
    if (!isAnswered || query.class !== CLASS.IN || query.name.includes('\\'))
      return questionResponse(query, RCODE.REFUSED);
    const zone = await this.findZone(query.name);
    if (!zone) return questionResponse(query, RCODE.REFUSED);
    const response = await this.answer(query, zone);
    return transport === 'udp' && response.length + signatureOctets > MAX_RESPONSE
      ? truncatedResponse(query)
      : response;
  }

  /** Follows aliases within the zone (RFC 1034, section 4.3.2). */
  private async answer(query: WireQuery, zone: PublishedZone): Promise<Buffer> {
    const answers: Answer[] = [];
    let name = relativeName(query.name, zone.zoneName);
    for (let hops = 0; name !== undefined && hops < MAX_ALIASES; hops += 1) {
      const found = await this.find(zone, name, query.type);
      answers.push(...(found.answers ?? []));
      if (found.target === undefined) return authoritativeResponse(query, answers, found);
      name = relativeName(found.target, zone.zoneName);
    }
    return authoritativeResponse(query, answers);
  }

  private async find(zone: PublishedZone, name: string, type: number): Promise<Found> {
    const { domainId, zoneName } = zone;
    const soa: Answer = zoneSoa(zone, this.settings);
    if (name === ROOT && type === TYPE.SOA) return { answers: [soa] };
    const above = namesAbove(name);
    const at = await this.recordsAt(domainId, [name, ...above, ...wildcardsOf(name)]);
    if (name === ROOT) return { answers: apexNs(zone, rrset(at(ROOT), 'NS')) };
    for (const owner of [...above.toReversed(), name]) {
      const nameservers = owner === ROOT ? [] : rrset(at(owner), 'NS');
      if (nameservers.length > 0) return { isReferral: true, authorities: recordRrset(nameservers, zoneName) };
      const [dname] = owner === name ? [] : rrset(at(owner), 'DNAME');
      if (dname) return redirect(zoneName, name, dname);
    }
    const hasName = (each: string) => this.zones.hasName(domainId, each);
    const exists = at(name).length > 0 || (await hasName(name));
    const records = exists ? at(name) : await coveringRecords(name, at, hasName);
    if (!records) return { authorities: [soa], rcode: RCODE.NXDOMAIN };
    const [alias] = rrset(records, 'CNAME');
    if (!alias) return { authorities: [soa] };
    return { answers: recordRrset([{ ...alias, name }], zoneName), target: alias.content };
  }

  private async recordsAt(domainId: string, names: readonly string[]) {
    const found = (await this.records.recordsAt([{ domainId, names }])).get(domainId) ?? [];
    const byName = groupedBy(found, ({ name }) => name);
    return (name: string): readonly DnsRecord[] => byName.get(name) ?? [];
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

/** The DNAME record and the CNAME record made from it: RFC 6672, section 3.1. */
function redirect(zoneName: string, name: string, dname: DnsRecordState): Found {
  const prefix = dname.name === ROOT ? name : name.slice(0, -dname.name.length - 1);
  const target = `${prefix}.${dname.content.replace(/\.$/, '')}`;
  const answers = recordRrset([dname], zoneName);
  if (target.length > MAX_NAME_LENGTH) return { answers, rcode: RCODE.YXDOMAIN };
  const alias: Answer = { type: 'CNAME', name: fullName(name, zoneName), ttl: dname.ttl, data: target };
  return { answers: [...answers, alias], target };
}

function rrset(records: readonly DnsRecord[], type: RecordType): readonly DnsRecordState[] {
  return records.filter((record) => record.type === type).map((record) => record.toState());
}

/** Undefined if the name is not in the zone. */
function relativeName(name: string, zoneName: string): string | undefined {
  if (name === zoneName) return ROOT;
  return name.endsWith(`.${zoneName}`) ? name.slice(0, -zoneName.length - 1) : undefined;
}
