import type { Answer, SoaAnswer } from 'dns-packet';
import type { CatalogDifference, CatalogMember, CatalogSnapshot } from '../../application/ports/dns/publishing';
import { serialOf } from '../../domain/dns/zone-serial';
import type { PrimaryZoneSettings } from './primary-zone-settings';
import type { TransferDifference } from './transfers/zone-difference';
import { txtData } from './wire/wire-record';

/** Resolvers do not query catalog zones, so caching is pointless. */
const TTL = 0;
/** The name for unused NS and SOA fields: RFC 9432, section 4.1. */
const INVALID_NAME = 'invalid';
const SCHEMA_VERSION = '2';
/** Short, because a lost NOTIFY for the catalog leaves new zones unpublished until the next refresh. */
const REFRESH = 300;
const RETRY = 60;

export function catalogSoa(version: number, { catalogZone, timers }: PrimaryZoneSettings): SoaAnswer {
  const data = {
    mname: INVALID_NAME,
    rname: INVALID_NAME,
    serial: serialOf(version),
    refresh: Math.min(timers.refresh, REFRESH),
    retry: Math.min(timers.retry, RETRY),
    expire: timers.expire,
    minimum: TTL,
  };
  return { type: 'SOA', name: catalogZone, ttl: TTL, data };
}

/** The catalog without its SOA. A domain that is registered again has a new id, so secondaries reset its zone (RFC 9432, section 5.4). */
export async function* catalogRecords(
  catalog: CatalogSnapshot,
  { catalogZone }: PrimaryZoneSettings,
): AsyncIterable<readonly Answer[]> {
  yield [
    { type: 'NS', name: catalogZone, ttl: TTL, data: INVALID_NAME },
    { type: 'TXT', name: `version.${catalogZone}`, ttl: TTL, data: txtData([SCHEMA_VERSION]) },
  ];
  for await (const members of catalog.members()) yield members.map((member) => memberRecord(member, catalogZone));
}

/** @param serial the client's, which is that of the earlier version */
export function catalogChanges(
  { version, removed, added }: CatalogDifference,
  serial: number,
  settings: PrimaryZoneSettings,
): TransferDifference {
  const { data, ...soa } = catalogSoa(version, settings);
  return {
    before: { ...soa, data: { ...data, serial } },
    removed: removed.map((member) => memberRecord(member, settings.catalogZone)),
    added: added.map((member) => memberRecord(member, settings.catalogZone)),
  };
}

function memberRecord({ domainId, zoneName }: CatalogMember, catalogZone: string): Answer {
  return { type: 'PTR', name: `${domainId.toLowerCase()}.zones.${catalogZone}`, ttl: TTL, data: zoneName };
}
