import type {
  CatalogDifference,
  CatalogMember,
  CatalogSnapshot,
  ChangedZone,
  PublishedZone,
  PublishedZones,
  ZoneSnapshot,
} from '../../../../application/ports/dns/publishing';
import type { DnsRecordState } from '../../../../domain/dns/records/dns-record';
import { isApexNs } from '../../../../domain/dns/delegation/apex-ns';
import { ROOT } from '../../../../domain/dns/records/record-name';
import { yieldBetween } from '../../../../application/shared/run-cooperatively';
import { SERVED_STATUSES } from '../../../../domain/registration/domain-status';
import type { Database, Queries } from '../../database/database';
import { forceIndex } from '../../database/mysql/force-index';
import { fromMillis, placeholders } from '../../database/table';
import { addressesOf, toPublished, type PublishedRow } from './published-rows';
import { tagsOf } from '../../registration/domains/domain-rows';
import type { DomainRow } from '../../registration/registration-tables';
import { ZoneSignal } from '../zone-signal';
import { chunks, hasNameIn, RECORD_COLUMNS, ROWS_PER_STATEMENT, toRecordState } from '../sql-zone-reader';
import { readCatalogDifference } from './catalog-differences';
import { readDifference } from './zone-differences';
import { RR_TYPE } from '../../../../domain/dns/dnssec/rr-types';
import { DERIVED_COLUMNS, derivedPages, toDerived } from '../dnssec/derived-rows';
import type { RecordRow } from '../dns-tables';
import type { DerivedRrsetRow } from '../dnssec/dnssec-tables';

interface ZoneRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly serial: number;
  readonly serial_offset: number;
  readonly record_count: number;
  readonly nameservers: string;
  readonly discovery: string | null;
  readonly denial: string | null;
}

const PAGE = 1_000;
/** More of them would still be in use when V8 collects young objects, and it would take them for long-lived. */
const CONVERTED_AT_ONCE = 50;
/** A domain `d` whose zone is served. */
export const IS_SERVED = `(d.status IN (${SERVED_STATUSES.map((status) => `'${status}'`).join(', ')}) OR d.kept_zone = 'hosted')`;
const ZONE = `SELECT d.id, d.account_id, d.name, d.nameservers, d.tags, z.version + z.serial_offset AS serial, z.serial_offset, z.record_count, z.discovery, z.denial FROM domains d JOIN zones z ON z.domain_id = d.id WHERE d.live_name = ? AND ${IS_SERVED}`;

/** The zone, repeated for each of its records; `id` is null if it has none. */
type WholeZoneRow = {
  readonly zone_id: string;
  readonly account_id: string;
  readonly zone_name: string;
  readonly nameservers: string;
  readonly serial: number;
  readonly serial_offset: number;
  readonly record_count: number;
  readonly discovery: string | null;
  readonly denial: string | null;
} & { readonly [Column in keyof PublishedRow]: PublishedRow[Column] | null };

const WHOLE_ZONE = `SELECT d.id AS zone_id, d.account_id, d.name AS zone_name, d.nameservers, z.version + z.serial_offset AS serial, z.serial_offset, z.record_count, z.discovery, z.denial, ${RECORD_COLUMNS.split(
  ', ',
)
  .map((column) => `r.${column}`)
  .join(', ')}, ${addressesOf('r')}
  FROM domains d JOIN zones z ON z.domain_id = d.id LEFT JOIN dns_records r ON r.domain_id = z.domain_id AND z.record_count <= ${PAGE}
  WHERE d.live_name = ? AND ${IS_SERVED} ORDER BY r.name, r.type, r.id`;

function toZone({ id, account_id: accountId, name, serial, nameservers, discovery }: ZoneRow): PublishedZone {
  const zone = { domainId: id, accountId, zoneName: name, serial, nameservers: JSON.parse(nameservers) as string[] };
  return discovery === null ? zone : { ...zone, discovery };
}

export class SqlPublishedZones implements PublishedZones {
  constructor(
    private readonly database: Database,
    private readonly signal = new ZoneSignal(),
  ) {}

  find(zoneName: string): ReturnType<PublishedZones['find']> {
    return findIn(this.database, zoneName);
  }

  async withSnapshot<T>(
    zoneName: string,
    use: (zone: ZoneSnapshot | undefined) => Promise<T>,
    accountId?: string,
  ): Promise<T> {
    const small = await smallZoneIn(this.database, zoneName);
    return small === 'large' ? this.withLargeSnapshot(zoneName, use, accountId) : use(small);
  }

  private withLargeSnapshot<T>(
    zoneName: string,
    use: (zone: ZoneSnapshot | undefined) => Promise<T>,
    accountId?: string,
  ): Promise<T> {
    return this.database.snapshot(async (queries) => {
      const [row] = await queries.query<ZoneRow>(ZONE, [zoneName]);
      const signed = row && row.denial !== null ? await signedPartOf(queries, row.id) : undefined;
      return use(row && { ...largeZoneIn(queries, row, signed?.signed !== undefined), ...signed });
    }, accountId);
  }

  hasName(domainId: string, name: string): Promise<boolean> {
    return hasNameIn(this.database, domainId, name);
  }

  withCatalog<T>(use: (catalog: CatalogSnapshot) => Promise<T>): Promise<T> {
    return this.database.snapshot(async (queries) =>
      use({ version: await catalogVersionIn(queries), members: () => membersIn(queries) }),
    );
  }

  catalogVersion(): Promise<number> {
    return catalogVersionIn(this.database);
  }

  /** In two statements without a snapshot, because the history up to a version is only added to. */
  async catalogDifference(serial: number): Promise<CatalogDifference | undefined> {
    return readCatalogDifference(this.database, serial, await this.catalogVersion());
  }

  async *changedSince(time: Date): AsyncIterable<readonly ChangedZone[]> {
    let from: Position = { changed_at: time.getTime(), domain_id: '' };
    for (;;) {
      const rows = await this.changedAfter(from);
      const zones = rows.flatMap(toChangedZone);
      if (zones.length > 0) yield zones;
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return;
      from = last;
    }
  }

  onChange(listener: () => void): void {
    this.signal.onChange(listener);
  }

  /** In two ranges of the index, because one statement can change many zones at the same time. */
  private async changedAfter({ changed_at, domain_id }: Position): Promise<readonly ChangedZoneRow[]> {
    const sameTime = await this.database.query<ChangedZoneRow>(changedZones('changed_at = ? AND domain_id > ?'), [
      changed_at,
      domain_id,
      PAGE,
    ]);
    if (sameTime.length === PAGE) return sameTime;
    return [
      ...sameTime,
      ...(await this.database.query<ChangedZoneRow>(changedZones('changed_at > ?'), [
        changed_at,
        PAGE - sameTime.length,
      ])),
    ];
  }
}

type Position = Pick<ChangedZoneRow, 'changed_at' | 'domain_id'>;

/** The name is null if the zone is not served. */
interface ChangedZoneRow {
  readonly domain_id: string;
  readonly serial: number;
  readonly changed_at: number;
  readonly name: string | null;
}

/** The page is cut before the join, so that its cost does not depend on how many domains are not served. */
function changedZones(condition: string): string {
  return `SELECT z.domain_id, z.serial, z.changed_at, d.name
    FROM (SELECT domain_id, version + serial_offset AS serial, changed_at FROM zones WHERE ${condition} ORDER BY changed_at, domain_id LIMIT ?) z
    LEFT JOIN domains d ON d.id = z.domain_id AND ${IS_SERVED} ORDER BY z.changed_at, z.domain_id`;
}

function toChangedZone({ domain_id: domainId, serial, changed_at: changedAt, name }: ChangedZoneRow): ChangedZone[] {
  return name === null ? [] : [{ domainId, zoneName: name, serial, changedAt: fromMillis(changedAt) }];
}

function largeZoneIn(queries: Queries, row: ZoneRow, isSigned: boolean): ZoneSnapshot {
  const zone = { ...toZone(row), recordCount: row.record_count };
  const { domainId } = zone;
  const { serial_offset: offset } = row;
  const recordsAt = (names: ReadonlySet<string>) => recordsAtNames(queries, domainId, names);
  return {
    ...zone,
    records: () => recordsOf(queries, domainId),
    rootNameservers: () => rootNameserversOf(queries, domainId),
    differenceFrom: (serial, names) =>
      readDifference(queries, { ...zone, offset, isSigned }, { serial, names }, recordsAt),
  };
}

async function findIn(queries: Queries, zoneName: string): ReturnType<PublishedZones['find']> {
  const [row] = await queries.query<ZoneRow & Pick<DomainRow, 'tags'>>(ZONE, [zoneName]);
  return row && { ...toZone(row), tags: tagsOf(row) };
}

/**
 * Most zones fit into one statement, which is consistent without a snapshot and needs one round trip. So is the history up to that
 * version, because it is only added to.
 */
async function smallZoneIn(queries: Queries, zoneName: string): Promise<ZoneSnapshot | undefined | 'large'> {
  const rows = await queries.query<WholeZoneRow>(WHOLE_ZONE, [zoneName]);
  const [first] = rows;
  if (!first) return undefined;
  if (first.record_count > PAGE || first.denial !== null) return 'large';
  const records = first.id === null ? [] : (rows as readonly (WholeZoneRow & PublishedRow)[]).flatMap(toPublished);
  const zone = { ...toZone({ ...first, id: first.zone_id, name: first.zone_name }), recordCount: first.record_count };
  const { serial_offset: offset } = first;
  const recordsAt = async (names: ReadonlySet<string>) =>
    (rows as readonly (WholeZoneRow & PublishedRow)[]).filter(({ name }) => names.has(name)).map(toRecordState);
  return {
    ...zone,
    records: () => onePage(records),
    rootNameservers: async () => records.filter(isApexNs),
    differenceFrom: (serial, names) =>
      readDifference(queries, { ...zone, offset, isSigned: false }, { serial, names }, recordsAt),
  };
}

async function* onePage<T>(items: readonly T[]): AsyncIterable<readonly T[]> {
  if (items.length > 0) yield items;
}

async function* recordsOf(queries: Queries, domainId: string): AsyncIterable<readonly DnsRecordState[]> {
  const after = 'AND name >= ? AND (name > ? OR type > ? OR (type = ? AND id > ?))';
  const read = (last: PublishedRow | undefined): Promise<PublishedRow[]> =>
    queries.query<PublishedRow>(
      `SELECT ${RECORD_COLUMNS}, ${addressesOf('dns_records')} FROM dns_records${forceIndex('dns_records_in_sets')} WHERE domain_id = ? ${last ? after : ''} ORDER BY name, type, id LIMIT ${PAGE}`,
      last ? [domainId, last.name, last.name, last.type, last.type, last.id] : [domainId],
    );
  for await (const rows of pagesOf(read))
    for (const some of chunks(rows, CONVERTED_AT_ONCE)) yield some.flatMap(toPublished);
}

async function recordsAtNames(
  queries: Queries,
  domainId: string,
  names: ReadonlySet<string>,
): Promise<readonly DnsRecordState[]> {
  const rows: RecordRow[] = [];
  for await (const some of yieldBetween(chunks([...names], ROWS_PER_STATEMENT)))
    rows.push(
      ...(await queries.query<RecordRow>(
        `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE domain_id = ? AND name IN (${placeholders(some)})`,
        [domainId, ...some],
      )),
    );
  return rows.map(toRecordState);
}

async function signedPartOf(queries: Queries, domainId: string): Promise<Pick<ZoneSnapshot, 'signed'>> {
  const [row] = await queries.query<DerivedRrsetRow>(
    `SELECT ${DERIVED_COLUMNS} FROM derived_rrsets WHERE domain_id = ? AND name = ? AND type = ?`,
    [domainId, ROOT, RR_TYPE.SOA],
  );
  if (!row) return {};
  return { signed: { soa: async () => toDerived(row), derived: () => derivedPages(queries, domainId) } };
}

async function rootNameserversOf(queries: Queries, domainId: string): Promise<readonly DnsRecordState[]> {
  const rows = await queries.query<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE domain_id = ? AND name = ? AND type = 'NS'`,
    [domainId, ROOT],
  );
  return rows.map(toRecordState);
}

async function catalogVersionIn(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ version: number }>('SELECT version FROM dns_catalog WHERE id = 1');
  return row?.version ?? 1;
}

async function* membersIn(queries: Queries): AsyncIterable<readonly CatalogMember[]> {
  const sql = `SELECT d.id, d.name FROM domains d WHERE ${IS_SERVED} AND d.id > ? ORDER BY d.id LIMIT ${PAGE}`;
  const read = (last: { id: string } | undefined): Promise<{ id: string; name: string }[]> =>
    queries.query(sql, [last?.id ?? '']);
  for await (const rows of pagesOf(read)) yield rows.map(({ id, name }) => ({ domainId: id, zoneName: name }));
}

async function* pagesOf<T>(read: (last: T | undefined) => Promise<T[]>): AsyncIterable<T[]> {
  for (let last: T | undefined; ;) {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1);
  }
}
