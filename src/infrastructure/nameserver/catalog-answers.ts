import type { Answer, SoaAnswer } from 'dns-packet';
import type { CatalogSnapshot } from '../../application/ports/dns/published-zones';
import { serialOf } from '../../domain/dns/zone-serial';
import type { PrimarySettings } from './primary-settings';
import { txtData } from './wire/record-answer';

/** Nobody resolves a catalog zone, so its records are kept by nobody. */
const TTL = 0;
/** RFC 9432, section 4.2.1. */
const NOBODY = 'invalid';
const SCHEMA_VERSION = '2';
/** One zone in which a lost notification would keep a new domain from the world: worth asking for often. */
const REFRESH = 300;
const RETRY = 60;

export function catalogSoa(version: number, { catalogZone, timers }: PrimarySettings): SoaAnswer {
  const data = {
    mname: NOBODY,
    rname: NOBODY,
    serial: serialOf(version),
    refresh: Math.min(timers.refresh, REFRESH),
    retry: Math.min(timers.retry, RETRY),
    expire: timers.expire,
    minimum: TTL,
  };
  return { type: 'SOA', name: catalogZone, ttl: TTL, data };
}

/** All of the catalog but its SOA. A domain that is registered anew has a new id, so that secondaries forget the old zone. */
export async function* catalogAnswers(
  catalog: CatalogSnapshot,
  { catalogZone }: PrimarySettings,
): AsyncIterable<readonly Answer[]> {
  yield [
    { type: 'NS', name: catalogZone, ttl: TTL, data: NOBODY },
    { type: 'TXT', name: `version.${catalogZone}`, ttl: TTL, data: txtData([SCHEMA_VERSION]) },
  ];
  for await (const members of catalog.members()) {
    yield members.map(({ domainId, zoneName }): Answer => ({
      type: 'PTR',
      name: `${domainId.toLowerCase()}.zones.${catalogZone}`,
      ttl: TTL,
      data: zoneName,
    }));
  }
}
