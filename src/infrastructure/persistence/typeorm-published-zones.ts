import type { CatalogMember, CatalogSnapshot, PublishedZone, PublishedZones, ZoneSnapshot } from '../../application/ports/published-zones';
import type { ZoneState } from '../../application/ports/zone-publisher';
import type { DnsRecordState } from '../../domain/dns/dns-record';
import { ROOT } from '../../domain/dns/record-name';
import { SERVED_STATUSES } from '../../domain/registration/domain-status';
import type { Database, Queries } from './database';
import { RECORD_COLUMNS, toRecordState, type RecordRow } from './typeorm-zone-repository';

interface ZoneRow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly nameservers: string;
}

const PAGE = 1_000;
const IS_SERVED = `d.status IN (${SERVED_STATUSES.map((status) => `'${status}'`).join(', ')})`;
const ZONE = `SELECT d.id, d.name, d.nameservers, z.version FROM domains d JOIN zones z ON z.domain_id = d.id WHERE d.live_name = ? AND ${IS_SERVED}`;

function toZone({ id, name, version, nameservers }: ZoneRow): PublishedZone {
  return { domainId: id, zoneName: name, version, nameservers: JSON.parse(nameservers) as string[] };
}

export class TypeOrmPublishedZones implements PublishedZones {
  constructor(private readonly database: Database) {}

  find(zoneName: string): Promise<PublishedZone | undefined> {
    return findIn(this.database, zoneName);
  }

  withSnapshot<T>(zoneName: string, use: (zone: ZoneSnapshot | undefined) => Promise<T>): Promise<T> {
    return this.database.snapshot(async (queries) => {
      const zone = await findIn(queries, zoneName);
      return use(zone && { ...zone, records: () => recordsOf(queries, zone.domainId), rootNameservers: () => rootNameserversOf(queries, zone.domainId) });
    });
  }

  withCatalog<T>(use: (catalog: CatalogSnapshot) => Promise<T>): Promise<T> {
    return this.database.snapshot(async (queries) => use({ version: await catalogVersionIn(queries), members: () => membersIn(queries) }));
  }

  catalogVersion(): Promise<number> {
    return catalogVersionIn(this.database);
  }

  async *changedSince(time: Date): AsyncIterable<readonly ZoneState[]> {
    const sql = `SELECT d.id, d.name, d.nameservers, z.version FROM zones z JOIN domains d ON d.id = z.domain_id WHERE z.changed_at >= ? AND z.domain_id > ? AND ${IS_SERVED} ORDER BY z.domain_id LIMIT ${PAGE}`;
    for await (const rows of pagesOf((last: ZoneRow | undefined) => this.database.query<ZoneRow>(sql, [time.getTime(), last?.id ?? '']))) yield rows.map(toZone);
  }
}

async function findIn(queries: Queries, zoneName: string): Promise<PublishedZone | undefined> {
  const [row] = await queries.query<ZoneRow>(ZONE, [zoneName]);
  return row && toZone(row);
}

async function* recordsOf(queries: Queries, domainId: string): AsyncIterable<readonly DnsRecordState[]> {
  const after = 'AND name >= ? AND (name > ? OR type > ? OR (type = ? AND id > ?))';
  const read = (last: RecordRow | undefined): Promise<RecordRow[]> =>
    queries.query<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE domain_id = ? ${last ? after : ''} ORDER BY name, type, id LIMIT ${PAGE}`,
      last ? [domainId, last.name, last.name, last.type, last.type, last.id] : [domainId],
    );
  for await (const rows of pagesOf(read)) yield rows.map(toRecordState);
}

async function rootNameserversOf(queries: Queries, domainId: string): Promise<readonly DnsRecordState[]> {
  const rows = await queries.query<RecordRow>(`SELECT ${RECORD_COLUMNS} FROM dns_records WHERE domain_id = ? AND name = ? AND type = 'NS'`, [domainId, ROOT]);
  return rows.map(toRecordState);
}

async function catalogVersionIn(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ version: number }>('SELECT version FROM dns_catalog WHERE id = 1');
  return row?.version ?? 1;
}

async function* membersIn(queries: Queries): AsyncIterable<readonly CatalogMember[]> {
  const sql = `SELECT d.id, d.name FROM domains d WHERE ${IS_SERVED} AND d.id > ? ORDER BY d.id LIMIT ${PAGE}`;
  const read = (last: { id: string } | undefined): Promise<{ id: string; name: string }[]> => queries.query(sql, [last?.id ?? '']);
  for await (const rows of pagesOf(read)) yield rows.map(({ id, name }) => ({ domainId: id, zoneName: name }));
}

async function* pagesOf<T>(read: (last: T | undefined) => Promise<T[]>): AsyncIterable<T[]> {
  for (let last: T | undefined; ; ) {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1);
  }
}
