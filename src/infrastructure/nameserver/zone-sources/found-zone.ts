import { isAtOrBelow } from '../../../domain/shared/name-relation';
import { encode, encodingLength, type Answer } from 'dns-packet';
import type { FoundZone } from '../../../application/ports/dns/other-nameservers';
import { quoteCharacterString } from '../../../domain/dns/records/text/character-string';
import { RdataReader } from '../../../domain/dns/records/types/rdata/rdata-reader';
import {
  includesType,
  INTERFACE_TYPES,
  typeDefinition,
  typeOfNumber,
  typesOf,
  type WritableType,
} from '../../../domain/dns/records/types/record-types';
import { readRecord } from '../wire/wire-query';

/** Octets of the zone file. */
const MAX_ZONE_FILE = 8 * 1_048_576;
/** The signer or the nameserver writes them. */
const DERIVED: ReadonlySet<string> = new Set(['SOA', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY', 'TSIG', 'OPT']);
/** The signer publishes them for the parent zone: RFC 7344. */
const FOR_PARENT: ReadonlySet<string> = new Set(['CDS', 'CDNSKEY']);
const HEADER = encodingLength({});
/** Other names would have to be escaped, and no record here can have them. */
const OWNER = /^[!#-'*-:<-Z_a-z{-~]+$/;

/** Collects records of nameservers as a zone file. */
export class FoundZoneWriter {
  private readonly lines = new Set<string>();
  private readonly skipped: Record<string, number> = {};
  private octets = 0;

  private readonly types: readonly WritableType[];

  /** @param types those that are read */
  constructor(
    private readonly zoneName: string,
    types: readonly WritableType[] = INTERFACE_TYPES,
  ) {
    this.types = typesOf(zoneName, types);
  }

  /** Returns false once the zone is too large. */
  add(record: Answer): boolean {
    const name = record.name.toLowerCase();
    const isInZone = isAtOrBelow(name, this.zoneName);
    if (DERIVED.has(record.type) || !isInZone) return true;
    const found = OWNER.test(name) ? this.dataOf(record) : undefined;
    if (found === undefined) {
      this.skipped[record.type] = (this.skipped[record.type] ?? 0) + 1;
      return true;
    }
    const line = `${name}.\t${'ttl' in record ? (record.ttl ?? 0) : 0}\tIN\t${found}\n`;
    if (!this.lines.has(line)) this.octets += line.length;
    this.lines.add(line);
    return this.octets <= MAX_ZONE_FILE;
  }

  /** Type and RDATA in presentation format; undefined for types that are not read. */
  private dataOf(record: Answer): string | undefined {
    if (isOfInterface(record.type)) {
      const data = dataOf(record);
      return data === undefined ? undefined : `${record.type}\t${data}`;
    }
    try {
      return this.otherData(record);
    } catch {
      return undefined;
    }
  }

  /** dns-packet gives back the octets that it read. @throws if it cannot, RangeError if they are malformed */
  private otherData(record: Answer): string | undefined {
    const bytes = encode({ answers: [record] });
    const { type: number, data, end } = readRecord(bytes, HEADER);
    const type = typeOfNumber(number);
    if (!includesType(this.types, type) || FOR_PARENT.has(type)) return undefined;
    return `${type}\t${typeDefinition(type).decode(new RdataReader(bytes, data, end)).content}`;
  }

  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  finish(): FoundZone {
    return { zoneFile: [...this.lines].join(''), skipped: this.skipped };
  }
}

function isOfInterface(type: string): boolean {
  return INTERFACE_TYPES.some((each) => each === type);
}

/** RDATA in presentation format; undefined for other types. */
function dataOf(record: Answer): string | undefined {
  if (record.type === 'A' || record.type === 'AAAA') return record.data;
  if (record.type === 'CNAME' || record.type === 'NS') return hostOf(record.data);
  if (record.type === 'MX') return withHost(`${record.data.preference ?? 0}`, record.data.exchange);
  if (record.type === 'TXT') return [record.data].flat().map(quoted).join(' ');
  if (record.type === 'CAA')
    return `${record.data.flags ?? 0} ${record.data.tag} ${quoteCharacterString(record.data.value)}`;
  if (record.type !== 'SRV') return undefined;
  const { priority = 0, weight = 0, port, target } = record.data;
  return withHost(`${priority} ${weight} ${port}`, target);
}

function quoted(text: string | Buffer): string {
  return quoteCharacterString(typeof text === 'string' ? text : text.toString('latin1'));
}

function withHost(numbers: string, host: string): string | undefined {
  const written = hostOf(host);
  return written === undefined ? undefined : `${numbers} ${written}`;
}

/** `.` for the root: a null MX or SRV. */
function hostOf(host: string): string | undefined {
  const name = host.toLowerCase();
  if (name === '' || name === '.') return '.';
  return OWNER.test(name) ? `${name}.` : undefined;
}
