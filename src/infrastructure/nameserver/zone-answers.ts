import type { Answer, SoaAnswer } from 'dns-packet';
import type { PublishedZone, ZoneSnapshot } from '../../application/ports/dns/published-zones';
import type { DnsRecordState } from '../../domain/dns/records/dns-record';
import { ROOT } from '../../domain/dns/records/record-name';
import { startOfAuthority } from '../../domain/dns/start-of-authority';
import { DEFAULT_TTL } from '../../domain/dns/records/ttl';
import type { PrimarySettings } from './primary-settings';
import { recordAnswer, txtData } from './wire/record-answer';

/**
 * Holds the zone's version where a secondary signs: such a one serves a serial of its own, and nothing else would tell
 * whether it is up to date. A record of the user's at this name goes first.
 */
export const VERSION_NAME = '_zone-version';
const VERSION_TTL = 60;

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

/** All of a zone but its SOA: first the delegation, with which root records of type NS make one set. */
export async function* zoneAnswers(
  zone: ZoneSnapshot,
  { withVersion }: { withVersion: boolean },
): AsyncIterable<readonly Answer[]> {
  yield delegation(zone, await zone.rootNameservers());
  let versionNameIsTaken = false;
  for await (const set of setsOf(zone.records())) {
    const [{ name, type }] = set;
    if (name === ROOT && type === 'NS') continue;
    versionNameIsTaken ||= name === VERSION_NAME;
    const ttl = lowestTtl(set);
    yield set.map((record) => recordAnswer(record, zone.zoneName, ttl));
  }
  if (withVersion && !versionNameIsTaken) yield [versionAnswer(zone)];
}

function delegation({ zoneName, nameservers }: PublishedZone, records: readonly DnsRecordState[]): Answer[] {
  const ttl = Math.min(DEFAULT_TTL, ...records.map((record) => record.ttl));
  const hosts = new Set([...nameservers, ...records.map(({ content }) => content)]);
  return [...hosts].map((host) => ({ type: 'NS', name: zoneName, ttl, data: host }));
}

function versionAnswer({ zoneName, version }: PublishedZone): Answer {
  return { type: 'TXT', name: `${VERSION_NAME}.${zoneName}`, ttl: VERSION_TTL, data: txtData([String(version)]) };
}

/** RFC 2181, section 5.2: the records of a set have one TTL. */
function lowestTtl(set: readonly DnsRecordState[]): number {
  return Math.min(...set.map(({ ttl }) => ttl));
}

type RecordSet = readonly [DnsRecordState, ...DnsRecordState[]];

/** Records come by name and type, so that those of a set are neighbors, if not on one page. */
async function* setsOf(pages: AsyncIterable<readonly DnsRecordState[]>): AsyncIterable<RecordSet> {
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
