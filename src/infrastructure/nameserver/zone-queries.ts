import type { Answer } from 'dns-packet';
import type { PublishedZone, PublishedZones } from '../../application/ports/dns/publishing';
import type { AliasReader } from '../../application/ports/dns/alias-repository';
import type { ZoneReader } from '../../application/ports/dns/zone-repository';
import { addressRecords } from '../../domain/dns/alias/alias-addresses';
import type { DnsRecord, DnsRecordState } from '../../domain/dns/records/dns-record';
import { fullOwnerName, MAX_NAME_LENGTH, ROOT } from '../../domain/dns/records/record-name';
import { findRecordType, isAddress, typeOfNumber, type RecordType } from '../../domain/dns/records/types/record-types';
import { isOfSigner, namesAbove } from '../../domain/dns/zone-rules';
import { DISCOVERY_NAME } from '../../domain/dns/discovery';
import { coveringRecords, wildcardsOf } from '../../domain/dns/zone-view';
import { groupedBy } from '../../domain/shared/grouped-by';
import type { PrimaryZoneSettings } from './primary-zone-settings';
import type { Transport } from './wire/response-channel';
import { RCODE } from './update-responder';
import { CLASS, OPCODE, TYPE, type WireQuery } from './wire/wire-query';
import {
  authoritativeResponse,
  questionResponse,
  sizeLimit,
  truncatedResponse,
  type ResponseOptions,
} from './wire/wire-responses';
import { apexNs, discoveryRecords, recordRrset, zoneSoa } from './zone-rrsets';

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

/** A client that has proven to have the key of an account. */
export interface ZoneReaderRights {
  readonly mayReadZone: (zoneName: string) => Promise<boolean>;
  /** @param name relative to the zone */
  readonly mayRead: (name: string, type: string) => boolean;
}

interface QueriedZones {
  readonly zones: PublishedZones;
  readonly records: Pick<ZoneReader, 'recordsAt' | 'isSigned'>;
  readonly aliases: Pick<AliasReader, 'statuses'>;
  readonly settings: PrimaryZoneSettings;
}

/**
 * Answers queries about the served zones: SOA and NS for everyone, because update clients find the zone of a name with them; other
 * types for an account's key, because Terraform and Ansible read back what they wrote. Anything else is REFUSED.
 */
export class ZoneQueries {
  constructor(private readonly parts: QueriedZones) {}

  /** @param signatureOctets that the response has room for */
  async respond(
    query: WireQuery,
    transport: Transport,
    signatureOctets = 0,
    reader?: ZoneReaderRights,
  ): Promise<Buffer> {
    const zone = await this.zoneFor(query, reader);
    if (!zone) return questionResponse(query, RCODE.REFUSED);
    const response = await this.answer(query, zone, reader);
    const most = reader ? sizeLimit(query, transport) : MAX_RESPONSE;
    return transport === 'udp' && response.length + signatureOctets > most ? truncatedResponse(query) : response;
  }

  /** Undefined if the query is refused. */
  private async zoneFor(query: WireQuery, reader: ZoneReaderRights | undefined): Promise<PublishedZone | undefined> {
    const { opcode, type, name } = query;
    const isPublic = type === TYPE.SOA || type === TYPE.NS;
    // No owner name has a character that must be escaped.
    if (opcode !== OPCODE.QUERY || query.class !== CLASS.IN || name.includes('\\') || (!isPublic && !reader))
      return undefined;
    const zone = await this.findZone(name);
    if (!zone || isPublic || !reader) return zone;
    const recordType = findRecordType(`TYPE${type}`);
    const relative = relativeName(name, zone.zoneName) ?? ROOT;
    if (!recordType || !(await reader.mayReadZone(zone.zoneName)) || !reader.mayRead(relative, recordType))
      return undefined;
    // What the signer publishes is not among the records.
    const isOfService = isOfSigner({ name: relative, type: recordType });
    return isOfService && (await this.parts.records.isSigned(zone.domainId)) ? undefined : zone;
  }

  /** Follows aliases within the zone (RFC 1034, section 4.3.2). */
  private async answer(query: WireQuery, zone: PublishedZone, reader: ZoneReaderRights | undefined): Promise<Buffer> {
    const answers: Answer[] = [];
    const type = query.type === TYPE.SOA ? 'SOA' : typeOfNumber(query.type);
    let name = relativeName(query.name, zone.zoneName);
    for (let hops = 0; name !== undefined && hops < MAX_ALIASES; hops += 1) {
      // A key for some records follows no alias to others.
      if (hops > 0 && reader?.mayRead(name, type) === false) break;
      const found = await this.find(zone, name, type);
      answers.push(...(found.answers ?? []));
      if (found.target === undefined) return authoritativeResponse(query, answers, found);
      name = relativeName(found.target, zone.zoneName);
    }
    return authoritativeResponse(query, answers);
  }

  private async find(zone: PublishedZone, name: string, type: RecordType | 'SOA'): Promise<Found> {
    const { domainId, zoneName } = zone;
    const soa: Answer = zoneSoa(zone, this.parts.settings);
    if (name === ROOT && type === 'SOA') return { answers: [soa] };
    const above = namesAbove(name);
    const at = await this.recordsAt(domainId, [name, ...above, ...wildcardsOf(name)]);
    if (name === ROOT && type === 'NS') return { answers: apexNs(zone, rrset(at(ROOT), 'NS')) };
    for (const owner of [...above.toReversed(), name]) {
      // The parent side of a delegation has its DS records (RFC 4035, section 3.1.4.1).
      const isParentSide = owner === ROOT || (owner === name && type === 'DS');
      const nameservers = isParentSide ? [] : rrset(at(owner), 'NS');
      if (nameservers.length > 0) return { isReferral: true, authorities: recordRrset(nameservers, zoneName) };
      const [dname] = owner === name ? [] : rrset(at(owner), 'DNAME');
      if (dname) return redirect(zoneName, name, dname);
    }
    const isDiscovery = name === DISCOVERY_NAME && zone.discovery !== undefined && at(name).length === 0;
    if (isDiscovery) return type === 'TXT' ? { answers: discoveryRecords(zone) } : { authorities: [soa] };
    const hasName = (each: string) => this.parts.zones.hasName(domainId, each);
    const exists = name === ROOT || at(name).length > 0 || (await hasName(name));
    const records = exists ? at(name) : await coveringRecords(name, at, hasName);
    if (!records) return { authorities: [soa], rcode: RCODE.NXDOMAIN };
    const set = type === 'SOA' ? [] : await this.published(domainId, records, type);
    const answers = recordRrset(
      set.map((record) => ({ ...record, name })),
      zoneName,
    );
    if (answers.length > 0) return { answers };
    const [alias] = rrset(records, 'CNAME');
    if (!alias) return { authorities: [soa] };
    return { answers: recordRrset([{ ...alias, name }], zoneName), target: alias.content };
  }

  /** The records of a type at a name, with the addresses that the zone has in place of an ALIAS record. */
  private async published(
    domainId: string,
    records: readonly DnsRecord[],
    type: RecordType,
  ): Promise<readonly DnsRecordState[]> {
    if (type === 'ALIAS') return [];
    const [alias] = isAddress({ type }) ? rrset(records, 'ALIAS') : [];
    if (!alias) return rrset(records, type);
    const [status] = await this.parts.aliases.statuses(domainId, [alias.name]);
    return addressRecords(alias, status?.addresses ?? {}).filter((record) => record.type === type);
  }

  private async recordsAt(domainId: string, names: readonly string[]) {
    const found = (await this.parts.records.recordsAt([{ domainId, names }])).get(domainId) ?? [];
    const byName = groupedBy(found, ({ name }) => name);
    return (name: string): readonly DnsRecord[] => byName.get(name) ?? [];
  }

  private async findZone(name: string): Promise<PublishedZone | undefined> {
    const labels = name.split('.');
    for (let count = Math.min(labels.length, MAX_ZONE_LABELS); count >= 2; count -= 1) {
      const zone = await this.parts.zones.find(labels.slice(-count).join('.'));
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
  const alias: Answer = { type: 'CNAME', name: fullOwnerName(name, zoneName), ttl: dname.ttl, data: target };
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
