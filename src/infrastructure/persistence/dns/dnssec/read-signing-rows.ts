import type { AnyZoneState, StoredSigningKey } from '../../../../application/ports/dns/signing-repository';
import type { CdsContent } from '../../../../domain/dns/dnssec/signing-step';
import type { ZonePlaces } from '../../../../application/ports/dns/zone-repository';
import type { Denial } from '../../../../domain/dns/dnssec/zone-signing-state';
import { RR_TYPE } from '../../../../domain/dns/dnssec/rr-types';
import { ROOT } from '../../../../domain/dns/records/record-name';
import { groupedBy } from '../../../../domain/shared/grouped-by';
import type { Queries } from '../../database/database';
import { columnsOf, placeholders, stateOf } from '../../database/table';
import { ZoneKeyTable, type DerivedRrsetRow, type ZoneKeyRow } from './dnssec-tables';
import { chunks, RECORD_COLUMNS, ROWS_PER_STATEMENT } from '../sql-zone-reader';
import { addressesOf, type PublishedRow } from '../transfers/published-rows';
import { DERIVED_COLUMNS } from './derived-rows';

const PLACES_PER_STATEMENT = 20;

interface SignedZoneRow {
  readonly zone_id: string;
  readonly name: string;
  readonly nameservers: string;
  readonly serial: number;
  readonly discovery: string | null;
  readonly denial: Denial | null;
  readonly cds: CdsContent | null;
}

/** The columns are null if the zone has no key. */
type NullableKeyRow = { readonly [Column in keyof ZoneKeyRow]: ZoneKeyRow[Column] | null };

/** Where a link of the chain before a key is looked for; without a key the last one. */
export interface LinkPlace {
  readonly domainId: string;
  readonly type: number;
  readonly before?: string;
}

/** These read for several zones at once, and return a result for each in their order. */
export async function findZones(
  queries: Queries,
  domainIds: readonly string[],
): Promise<readonly (AnyZoneState | undefined)[]> {
  const rows = await queries.query<SignedZoneRow & NullableKeyRow>(
    `SELECT z.domain_id AS zone_id, d.name, d.nameservers, z.version + z.serial_offset AS serial, z.discovery, z.denial, z.cds, ${columnsOf(ZoneKeyTable, { prefix: 'k.' })} FROM zones z JOIN domains d ON d.id = z.domain_id LEFT JOIN zone_keys k ON k.domain_id = z.domain_id WHERE z.domain_id IN (${placeholders(domainIds)})`,
    domainIds,
  );
  const rowsOf = groupedBy(rows, ({ zone_id: domainId }) => domainId);
  return domainIds.map((domainId) => toState(rowsOf.get(domainId) ?? []));
}

export function readRecords(
  queries: Queries,
  places: readonly ZonePlaces[],
): Promise<readonly (readonly PublishedRow[])[]> {
  const select = `SELECT domain_id, ${RECORD_COLUMNS}, ${addressesOf('dns_records')} FROM dns_records`;
  return readPlaces(queries, places, { select, order: ' ORDER BY domain_id, name, type, id' });
}

export function readDerived(
  queries: Queries,
  places: readonly ZonePlaces[],
): Promise<readonly (readonly DerivedRrsetRow[])[]> {
  return readPlaces(queries, places, {
    select: `SELECT domain_id, ${DERIVED_COLUMNS} FROM derived_rrsets`,
    order: '',
    alwaysRead: { name: ROOT, type: RR_TYPE.SOA },
  });
}

interface PlacesQuery {
  readonly select: string;
  readonly order: string;
  readonly alwaysRead?: { readonly name: string; readonly type: number };
}

async function readPlaces<Row extends { readonly domain_id: string; readonly name: string; readonly type: unknown }>(
  queries: Queries,
  places: readonly ZonePlaces[],
  { select, order, alwaysRead }: PlacesQuery,
): Promise<readonly (readonly Row[])[]> {
  const found: (readonly Row[])[] = [];
  for (const some of together(places)) {
    // Each part names the start of the key: SQLite would read the zone otherwise.
    const alsoRead = alwaysRead ? ' OR domain_id = ? AND name = ? AND type = ?' : '';
    const conditions = some.map(({ names }) => `domain_id = ? AND name IN (${placeholders(names)})${alsoRead}`);
    const parameters = some.flatMap(({ domainId, names }) => [
      domainId,
      ...names,
      ...(alwaysRead ? [domainId, alwaysRead.name, alwaysRead.type] : []),
    ]);
    const rows = await queries.query<Row>(`${select} WHERE ${conditions.join(' OR ')}${order}`, parameters);
    for (const { domainId, names } of some) {
      const wanted = new Set(names);
      found.push(
        rows.filter((row) => row.domain_id === domainId && (wanted.has(row.name) || row.type === alwaysRead?.type)),
      );
    }
  }
  return found;
}

/** Lists of places with few names. */
function* together(places: readonly ZonePlaces[]): Generator<readonly ZonePlaces[]> {
  let list: ZonePlaces[] = [];
  let names = 0;
  for (const place of places) {
    if (list.length === PLACES_PER_STATEMENT || (list.length > 0 && names + place.names.length > ROWS_PER_STATEMENT)) {
      yield list;
      [list, names] = [[], 0];
    }
    list.push(place);
    names += place.names.length;
  }
  if (list.length > 0) yield list;
}

export async function readLinks(
  queries: Queries,
  places: readonly LinkPlace[],
): Promise<readonly (DerivedRrsetRow | undefined)[]> {
  const found: (DerivedRrsetRow | undefined)[] = [];
  for (const some of chunks(places, PLACES_PER_STATEMENT)) {
    // A subquery with the whole row would take MariaDB a temporary table on disk for each place.
    const parts = some.map(({ before }) => {
      const isBefore = before === undefined ? '' : ' AND chain_key < ?';
      return `domain_id = ? AND type = ? AND chain_key = (SELECT MAX(chain_key) FROM derived_rrsets WHERE domain_id = ? AND type = ?${isBefore})`;
    });
    const parameters = some.flatMap(({ domainId, type, before }) => [
      domainId,
      type,
      domainId,
      type,
      ...(before === undefined ? [] : [before]),
    ]);
    const sql = `SELECT domain_id, ${DERIVED_COLUMNS} FROM derived_rrsets WHERE ${parts.join(' OR ')}`;
    const rows = (await queries.query<DerivedRrsetRow>(sql, parameters)).toSorted(byChainKey);
    for (const { domainId, type, before } of some)
      found.push(
        rows.findLast(
          (row) =>
            row.domain_id === domainId && row.type === type && (before === undefined || (row.chain_key ?? '') < before),
        ),
      );
  }
  return found;
}

function byChainKey(one: DerivedRrsetRow, other: DerivedRrsetRow): number {
  return (one.chain_key ?? '') < (other.chain_key ?? '') ? -1 : 1;
}

/** @param rows one for each key */
function toState(rows: readonly (SignedZoneRow & NullableKeyRow)[]): AnyZoneState | undefined {
  const [zone] = rows;
  if (!zone) return undefined;
  const { zone_id: domainId, name: zoneName, nameservers, serial, discovery, denial, cds } = zone;
  const keys = rows
    .filter((row): row is SignedZoneRow & ZoneKeyRow => row.id !== null)
    .map((row) => stateOf(ZoneKeyTable, row));
  return {
    domainId,
    zoneName,
    nameservers: JSON.parse(nameservers) as string[],
    ...(discovery !== null && { discovery }),
    serial,
    denial,
    cds: cds ?? 'none',
    keys: keys.toSorted(byAge),
  };
}

function byAge(one: StoredSigningKey, other: StoredSigningKey): number {
  return one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);
}
