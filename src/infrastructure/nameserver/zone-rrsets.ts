import type { Answer, SoaAnswer } from 'dns-packet';
import type { PublishedDerived, PublishedZone, ZoneSnapshot } from '../../application/ports/dns/publishing';
import { type DnsRecordState, DEFAULT_TTL } from '../../domain/dns/records/dns-record';
import { fullOwnerName } from '../../domain/dns/records/record-name';
import { serialOf } from '../../domain/dns/zone-serial';
import { startOfAuthority } from '../../domain/dns/start-of-authority';
import { DISCOVERY_NAME, DISCOVERY_TTL } from '../../domain/dns/discovery';
import type { PrimaryZoneSettings } from './primary-zone-settings';
import { apexNsOf, isApexNs } from '../../domain/dns/delegation/apex-ns';
import { chainOwner } from '../../domain/dns/dnssec/denial-chain';
import { RR_TYPE } from '../../domain/dns/dnssec/rr-types';
import type { DerivedRrset } from '../../application/ports/dns/signing-repository';
import { decodedAnswer, rawAnswers } from './wire/wire-rdata';
import { toWireRecord, txtData } from './wire/wire-record';

/**
 * The name of the TXT record with the zone's serial. Signing secondaries replace the SOA serial, so it alone shows whether
 * they are up to date. The user's own records at this name take precedence.
 */
export const SERIAL_NAME = '_zone-version';
const SERIAL_TTL = 60;

export function zoneSoa(zone: PublishedZone, settings: PrimaryZoneSettings): SoaAnswer {
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
  let isDiscoveryNameTaken = false;
  for await (const set of groupIntoRrsets(zone.records())) {
    const [first] = set;
    if (isApexNs(first)) continue;
    isSerialNameTaken ||= first.name === SERIAL_NAME;
    isDiscoveryNameTaken ||= first.name === DISCOVERY_NAME;
    yield recordRrset(set, zone.zoneName);
  }
  // A secondary does not sign a zone that the service signs.
  if (zone.signed) yield* derivedRrsets(zone.zoneName, zone.signed.derived());
  else {
    if (!isDiscoveryNameTaken) yield discoveryRecords(zone);
    if (withSerialRecord && !isSerialNameTaken) yield [serialRecord(zone)];
  }
}

/** The RRsets that signing adds, and all signatures. The SOA record frames the transfer. */
async function* derivedRrsets(
  zoneName: string,
  pages: AsyncIterable<readonly DerivedRrset[]>,
): AsyncIterable<readonly Answer[]> {
  for await (const page of pages) {
    for (const derived of page) yield derivedAnswers(zoneName, derived);
  }
}

/** A derived RRset with its signatures; of the SOA record only the signatures. */
export function derivedAnswers(
  zoneName: string,
  { name, type, ttl, rdata, signatures, chainKey }: PublishedDerived,
): readonly Answer[] {
  const owner = type === RR_TYPE.NSEC3 ? chainOwner(chainKey ?? '', zoneName, 'nsec3') : fullOwnerName(name, zoneName);
  const records = rdata && type !== RR_TYPE.SOA ? rawAnswers(owner, { type, ttl, rdata }) : [];
  return [...records, ...rawAnswers(owner, { type: RR_TYPE.RRSIG, ttl, rdata: signatures })];
}

/** The SOA record that was signed; otherwise that of the settings. */
export async function snapshotSoa(zone: ZoneSnapshot, settings: PrimaryZoneSettings): Promise<SoaAnswer> {
  const signed = await zone.signed?.soa();
  return (signed && signedSoa(zone.zoneName, signed)) ?? zoneSoa(zone, settings);
}

/** The SOA record of a derived RRset. */
export function signedSoa(zoneName: string, { type, ttl, rdata }: PublishedDerived): SoaAnswer | undefined {
  const [data] = rdata ?? [];
  return data && (decodedAnswer(zoneName, type, ttl, data) as SoaAnswer);
}

/** The NS RRset of the apex: the delegation and the NS records at `@`. */
export function apexNs(
  { zoneName, nameservers }: Pick<PublishedZone, 'zoneName' | 'nameservers'>,
  records: readonly DnsRecordState[],
): Answer[] {
  const { ttl, hosts } = apexNsOf({ nameservers }, records);
  return hosts.map((host) => ({ type: 'NS', name: zoneName, ttl, data: host }));
}

export function serialRecord({ zoneName, serial }: Pick<PublishedZone, 'zoneName' | 'serial'>): Answer {
  return { type: 'TXT', name: `${SERIAL_NAME}.${zoneName}`, ttl: SERIAL_TTL, data: txtData([String(serial)]) };
}

/** What service providers look up; of a signed zone, it is among the derived RRsets. */
export function discoveryRecords({ zoneName, discovery }: Pick<PublishedZone, 'zoneName' | 'discovery'>): Answer[] {
  if (discovery === undefined) return [];
  return [{ type: 'TXT', name: `${DISCOVERY_NAME}.${zoneName}`, ttl: DISCOVERY_TTL, data: txtData([discovery]) }];
}

/** Whether a secondary got the record from us, in a version of the zone with this SOA serial. */
export function isSerialRecord(record: Answer, zoneName: string, serial: number): boolean {
  if (record.type !== 'TXT' || record.name.toLowerCase() !== `${SERIAL_NAME}.${zoneName}`) return false;
  const text = [record.data].flat().map(String).join('');
  return /^\d+$/.test(text) && serialOf(Number(text)) === serial;
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
