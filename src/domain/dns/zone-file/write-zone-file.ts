import { DnsRecord, type DnsRecordState } from '../records/dns-record';
import { fullName, ROOT } from '../records/record-name';
import type { StartOfAuthority } from '../start-of-authority';
import { DEFAULT_TTL } from '../records/ttl';

export interface WritableZone {
  readonly zoneName: string;
  readonly authority: StartOfAuthority;
  readonly nameservers: readonly string[];
  readonly records: readonly DnsRecordState[];
}

/**
 * The lines of a zone file, RFC 1035, section 5.1, each with its line feed: one a record, with full names and data in
 * canonical form, the SOA first and then the delegation, which is not repeated where the zone has the same NS record.
 */
export function* zoneFileLines({ zoneName, authority, nameservers, records }: WritableZone): Generator<string> {
  const { primaryName, contact, serial, refresh, retry, expire, negative } = authority;
  yield line(
    zoneName,
    DEFAULT_TTL,
    'SOA',
    `${primaryName}. ${contact}. ${serial} ${refresh} ${retry} ${expire} ${negative}`,
  );
  const own = new Set(records.filter(({ type, name }) => type === 'NS' && name === ROOT).map(({ content }) => content));
  for (const host of nameservers) if (!own.has(host)) yield line(zoneName, DEFAULT_TTL, 'NS', `${host}.`);
  for (const record of records)
    yield line(fullName(record.name, zoneName), record.ttl, record.type, DnsRecord.fromState(record).rdata());
}

function line(name: string, ttl: number, type: string, data: string): string {
  return `${ownerInFile(name)}.\t${ttl}\tIN\t${type}\t${data}\n`;
}

/** Knot takes a plus with a backslash only; to others it is the same with and without. */
function ownerInFile(name: string): string {
  return name.replaceAll('+', '\\+');
}
