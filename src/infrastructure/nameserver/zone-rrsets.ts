import type { Answer, SoaAnswer } from 'dns-packet';
import type { PublishedZone, ZoneSnapshot } from '../../application/ports/dns/published-zones';
import { type DnsRecordState, DEFAULT_TTL } from '../../domain/dns/records/dns-record';
import { ROOT } from '../../domain/dns/records/record-name';
import { startOfAuthority } from '../../domain/dns/start-of-authority';
import type { PrimarySettings } from './primary-settings';
import { toWireRecord, txtData } from './wire/wire-record';

/**
 * The name of the TXT record with the zone's serial. Signing secondaries replace the SOA serial, so it alone shows whether
 * they are up to date. The user's own records at this name take precedence.
 */
export const SERIAL_NAME = '_zone-version';
const SERIAL_TTL = 60;

export function zoneSoa(zone: PublishedZone, settings: PrimarySettings): SoaAnswer {
  const {
    primaryName: mname,
    contact: rname,
    serial,
    refresh,
    retry,
    expire,
    negative: minimum,
  } = startOfAuthority(zone, settings);
  return {
    type: 'SOA',
    name: zone.zoneName,
    ttl: DEFAULT_TTL,
    data: { mname, rname, serial, refresh, retry, expire, minimum },
  };
}

/** The RRsets of a zone without its SOA: first the NS RRset of the apex, which merges the delegation and NS records at `@`. */
export async function* zoneRrsets(
  zone: ZoneSnapshot,
  { withSerialRecord }: { withSerialRecord: boolean },
): AsyncIterable<readonly Answer[]> {
  yield apexNs(zone, await zone.rootNameservers());
  let isSerialNameTaken = false;
  for await (const set of groupIntoRrsets(zone.records())) {
    const [{ name, type }] = set;
    if (name === ROOT && type === 'NS') continue;
    isSerialNameTaken ||= name === SERIAL_NAME;
    yield recordRrset(set, zone.zoneName);
  }
  if (withSerialRecord && !isSerialNameTaken) yield [serialRecord(zone)];
}

/** The NS RRset of the apex: the delegation and the NS records at `@`. */
export function apexNs({ zoneName, nameservers }: PublishedZone, records: readonly DnsRecordState[]): Answer[] {
  const ttl = Math.min(DEFAULT_TTL, ...records.map((record) => record.ttl));
  const hosts = new Set([...nameservers, ...records.map(({ content }) => content)]);
  return [...hosts].map((host) => ({ type: 'NS', name: zoneName, ttl, data: host }));
}

export function serialRecord({ zoneName, serial }: Pick<PublishedZone, 'zoneName' | 'serial'>): Answer {
  return { type: 'TXT', name: `${SERIAL_NAME}.${zoneName}`, ttl: SERIAL_TTL, data: txtData([String(serial)]) };
}

/** The records of one name and type, with one TTL: RFC 2181, section 5.2. */
export function recordRrset(set: readonly DnsRecordState[], zoneName: string): readonly Answer[] {
  const ttl = Math.min(...set.map((record) => record.ttl));
  return set.map((record) => toWireRecord(record, zoneName, ttl));
}

type RecordSet = readonly [DnsRecordState, ...DnsRecordState[]];

/** Relies on records sorted by name and type; an RRset may span two pages. */
async function* groupIntoRrsets(pages: AsyncIterable<readonly DnsRecordState[]>): AsyncIterable<RecordSet> {
  let set: [DnsRecordState, ...DnsRecordState[]] | undefined;
  for await (const page of pages) {
    for (const record of page) {
      if (set && set[0].name === record.name && set[0].type === record.type) {
        set.push(record);
      } else {
        if (set) yield set;
        set = [record];
      }
    }
  }
  if (set) yield set;
}
