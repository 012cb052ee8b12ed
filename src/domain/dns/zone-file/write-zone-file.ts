import { DnsRecord, type DnsRecordState, DEFAULT_TTL } from '../records/dns-record';
import { apexNsOf, isApexNs } from '../delegation/apex-ns';
import { fullOwnerName } from '../records/record-name';
import { genericText } from '../records/types/rdata/generic-rdata';
import { typeDefinition } from '../records/types/record-types';
import type { StartOfAuthority } from '../start-of-authority';
import { formatNotes } from './notes-in-comments';

interface WritableZone {
  readonly zoneName: string;
  readonly authority: StartOfAuthority;
  readonly nameservers: readonly string[];
  readonly records: readonly DnsRecordState[];
}

/**
 * Generates the lines of a zone file (RFC 1035, section 5.1) with line feeds: SOA, the NS set of the apex, then one line per record with
 * full names, data that other nameservers read, and its comment.
 */
export function* zoneFileLines({ zoneName, authority, nameservers, records }: WritableZone): Generator<string> {
  const { primaryName, contact, serial, refresh, retry, expire, negative } = authority;
  yield line(
    zoneName,
    DEFAULT_TTL,
    'SOA',
    `${primaryName}. ${contact}. ${serial} ${refresh} ${retry} ${expire} ${negative}`,
  );
  const apexNs = records.filter(isApexNs);
  const { ttl, hosts } = apexNsOf({ nameservers }, apexNs);
  for (const host of hosts) {
    const record = apexNs.find(({ content }) => content === host);
    yield line(zoneName, ttl, 'NS', `${host}.${record ? formatNotes(record) : ''}`);
  }
  for (const record of records)
    if (!isApexNs(record))
      yield line(fullOwnerName(record.name, zoneName), record.ttl, ...portableData(record), formatNotes(record));
}

/** Type and data as older nameservers read them. */
function portableData(record: DnsRecordState): readonly [type: string, data: string] {
  const { isNewToOthers, number, encode } = typeDefinition(record.type);
  if (isNewToOthers) return [`TYPE${number}`, genericText(encode(record))];
  return [record.type, DnsRecord.fromState(record).portableRdata()];
}

function line(name: string, ttl: number, type: string, data: string, notes = ''): string {
  return `${ownerInFile(name)}.\t${ttl}\tIN\t${type}\t${data}${notes}\n`;
}

/** Knot requires the plus to be escaped; other nameservers accept both forms. */
function ownerInFile(name: string): string {
  return name.replaceAll('+', '\\+');
}
