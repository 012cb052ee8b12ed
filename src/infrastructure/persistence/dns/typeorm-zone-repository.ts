import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { pagesOf } from '../../../application/pages-of';
import type { ListPosition } from '../../../application/ports/storage/list-position';
import type { ZonePast } from '../../../application/ports/dns/zone-history';
import type {
  LockedZone,
  RecordFilter,
  RecordReader,
  ZonePlaces,
  ZoneReader,
  ZoneRepository,
  ZoneSignature,
  ZoneWrite,
} from '../../../application/ports/dns/zone-repository';
import type { Clock } from '../../../application/ports/system/clock';
import { settleAll } from '../../../application/settle-all';
import { DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import { RecordConflict } from '../../../domain/dns/errors';
import type { Queries } from '../database/database';
import { isDuplicate } from '../database/database-errors';
import { forceIndex } from '../database/mysql/force-index';
import { yieldBetween } from '../database/yield-between';
import { fromMillis } from '../row-times';
import { growthOf, netRecords, risesOf, type WrittenRecord } from './net-writes';
import { keepChanges, keepVersion, pastOf } from './zone-changes';
import { insertRows } from '../database/insert-rows';
import { columnsOf } from '../database/table';
import { RecordTable, ZoneTable, type RecordRow, type ZoneRow } from './dns-tables';

/** Few enough for the parameters that SQLite takes, and for the packet that MySQL takes. */
const ROWS_PER_STATEMENT = 500;

const ZONES = `SELECT ${columnsOf(ZoneTable, { except: ['changed_at'] })} FROM zones`;
export const RECORD_COLUMNS = columnsOf(RecordTable, { except: ['domain_id', 'identity_digest'] });

function toRow(domainId: string, record: DnsRecord): RecordRow {
  const state = record.toState();
  return {
    id: state.id,
    domain_id: domainId,
    name: state.name,
    type: state.type,
    content: state.content,
    ttl: state.ttl,
    priority: state.priority,
    weight: state.weight,
    port: state.port,
    identity_digest: createHash('sha256').update(record.identity()).digest('hex'),
    created_at: state.createdAt.getTime(),
    updated_at: state.updatedAt.getTime(),
  };
}

export function toRecordState(row: RecordRow): DnsRecordState {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    content: row.content,
    ttl: row.ttl,
    priority: row.priority,
    weight: row.weight,
    port: row.port,
    createdAt: fromMillis(row.created_at),
    updatedAt: fromMillis(row.updated_at),
  };
}

export class SqlRecordReader implements RecordReader {
  constructor(private readonly database: Queries) {}

  async page(
    domainId: string,
    { type, name }: RecordFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly DnsRecordState[]> {
    // Those of one name are few and found by it: read in their order, which both databases like to do, the whole zone is gone through.
    const createdAt = name === undefined ? 'created_at' : 'created_at + 0';
    const conditions = ['domain_id = ?'];
    const parameters: unknown[] = [domainId];
    if (type !== undefined) {
      conditions.push('type = ?');
      parameters.push(type);
    }
    if (name !== undefined) {
      conditions.push('name = ?');
      parameters.push(name);
    }
    if (after) {
      conditions.push(`${createdAt} >= ? AND (${createdAt} > ? OR id > ?)`);
      parameters.push(after.createdAt.getTime(), after.createdAt.getTime(), after.id);
    }
    const index = type === undefined ? 'dns_records_in_order' : 'dns_records_by_type';
    const table = name === undefined ? `dns_records${forceIndex(index)}` : 'dns_records';
    const sql = `SELECT ${RECORD_COLUMNS} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY ${createdAt}, id LIMIT ?`;
    return (await this.database.query<RecordRow>(sql, [...parameters, limit])).map(toRecordState);
  }

  async zoneVersion(domainId: string): Promise<number | undefined> {
    const [row] = await this.database.query<Pick<ZoneRow, 'version'>>('SELECT version FROM zones WHERE domain_id = ?', [
      domainId,
    ]);
    return row?.version;
  }

  async recordCount(domainId: string): Promise<number | undefined> {
    const [row] = await this.database.query<Pick<ZoneRow, 'record_count'>>(
      'SELECT record_count FROM zones WHERE domain_id = ?',
      [domainId],
    );
    return row?.record_count;
  }

  async zoneVersionFor(accountId: string, domainId: string): Promise<number | undefined> {
    const sql =
      "SELECT z.version FROM zones z JOIN domains d ON d.id = z.domain_id WHERE z.domain_id = ? AND d.account_id = ? AND d.status <> 'gone'";
    const [row] = await this.database.query<Pick<ZoneRow, 'version'>>(sql, [domainId, accountId]);
    return row?.version;
  }
}

/** Oldest first; `queries` see one moment. Between two pages everybody else has a turn, as SQLite does its work in this very thread. */
export async function allRecords(queries: Queries, domainId: string): Promise<readonly DnsRecordState[]> {
  const reader = new SqlRecordReader(queries);
  const records: DnsRecordState[] = [];
  for await (const page of pagesOf((limit, after) => reader.page(domainId, {}, limit, after))) {
    records.push(...page);
    await yieldToEventLoop();
  }
  return records;
}

export class SqlZoneReader implements ZoneReader {
  constructor(protected readonly queries: Queries) {}

  async find(domainId: string): Promise<LockedZone | undefined> {
    const [row] = await this.queries.query<ZoneRow>(`${ZONES} WHERE domain_id = ?`, [domainId]);
    return row && toLockedZone(row);
  }

  async findRecords(domainId: string, ids: readonly string[]): Promise<readonly DnsRecord[]> {
    const found: RecordRow[] = [];
    for await (const some of yieldBetween(chunks(ids, ROWS_PER_STATEMENT))) {
      found.push(
        ...(await this.queries.query<RecordRow>(
          `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE domain_id = ? AND id IN (${marks(some)})`,
          [domainId, ...some],
        )),
      );
    }
    return found.toSorted(byAge).map(toRecord);
  }

  async recordsAt(places: readonly ZonePlaces[]): Promise<ReadonlyMap<string, readonly DnsRecord[]>> {
    const found: RecordRow[] = [];
    for await (const some of yieldBetween(ofFewNames(places))) {
      const conditions = some.map(({ names }) => `(domain_id = ? AND name IN (${marks(names)}))`);
      const sql = `SELECT domain_id, ${RECORD_COLUMNS} FROM dns_records WHERE ${conditions.join(' OR ')}`;
      found.push(
        ...(await this.queries.query<RecordRow>(
          sql,
          some.flatMap(({ domainId, names }) => [domainId, ...names]),
        )),
      );
    }
    const zones = new Map<string, DnsRecord[]>(places.map(({ domainId }) => [domainId, []]));
    for (const row of found.toSorted(byAge)) zones.get(row.domain_id)?.push(toRecord(row));
    return zones;
  }

  past({ domainId, version }: LockedZone): Promise<ZonePast> {
    return pastOf(this.queries, domainId, version, () => allRecords(this.queries, domainId));
  }
}

export class TypeOrmZoneRepository extends SqlZoneReader implements ZoneRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly clock: Clock,
    private readonly forUpdate: string,
    private readonly skipLocked: string,
    private readonly onPublicationChange: () => void,
  ) {
    super({ query: (sql, parameters = []) => manager.query(sql, [...parameters]) });
  }

  async create(domainId: string, by: ZoneSignature): Promise<void> {
    const sql = `INSERT INTO zones (domain_id, version, record_count, changed_at)
      SELECT ?, COALESCE(MAX(z.version), 0) + 1, 0, ? FROM domains d JOIN zones z ON z.domain_id = d.id WHERE d.name = (SELECT name FROM domains WHERE id = ?)`;
    await this.manager.query(sql, [domainId, this.clock.now().getTime(), domainId]);
    await keepVersion(this.manager, domainId, by);
  }

  async lock(domainId: string): Promise<LockedZone | undefined> {
    const [row] = await this.manager.query<ZoneRow[]>(`${ZONES} WHERE domain_id = ?${this.forUpdate}`, [domainId]);
    return row && toLockedZone(row);
  }

  async lockFree(domainIds: readonly string[]): Promise<ReadonlyMap<string, LockedZone>> {
    if (domainIds.length === 0) return new Map();
    const rows = await this.manager.query<ZoneRow[]>(
      `${ZONES} WHERE domain_id IN (${marks(domainIds)})${this.forUpdate}${this.skipLocked}`,
      [...domainIds],
    );
    return new Map(rows.map((row) => [row.domain_id, toLockedZone(row)]));
  }

  /** No statement waits for the result of another one, so on SQLite they travel to the writer together. */
  async apply(writes: readonly ZoneWrite[]): Promise<readonly LockedZone[]> {
    await settleAll([
      this.rewrite(writes),
      this.raise(writes),
      keepChanges(
        this.manager,
        writes.map((write) => ({ ...write, version: write.zone.version + 1 })),
      ),
    ]);
    return writes.map(({ zone, change }) => ({
      domainId: zone.domainId,
      version: zone.version + 1,
      recordCount: zone.recordCount + growthOf(change),
    }));
  }

  async raiseVersion(domainId: string, by: ZoneSignature): Promise<void> {
    await this.manager.query('UPDATE zones SET version = version + 1, changed_at = ? WHERE domain_id = ?', [
      this.clock.now().getTime(),
      domainId,
    ]);
    await keepVersion(this.manager, domainId, by);
    this.onPublicationChange();
  }

  async raiseCatalogVersion(): Promise<void> {
    await this.manager.query('UPDATE dns_catalog SET version = version + 1 WHERE id = 1');
    this.onPublicationChange();
  }

  async confirm(domainId: string, recordIds: readonly string[], at: Date): Promise<void> {
    for await (const some of yieldBetween(chunks(recordIds, ROWS_PER_STATEMENT))) {
      await this.manager.query(`UPDATE dns_records SET updated_at = ? WHERE domain_id = ? AND id IN (${marks(some)})`, [
        at.getTime(),
        domainId,
        ...some,
      ]);
    }
  }

  /** Changed records are deleted and inserted, so that two can swap their contents. */
  private async rewrite(writes: readonly ZoneWrite[]): Promise<void> {
    const { deleted, inserted } = netRecords(writes);
    const deletions = [...chunks(deleted, ROWS_PER_STATEMENT)];
    const last = deletions.pop();
    for (const ids of deletions) await this.delete(ids);
    await settleAll([last ? this.delete(last) : Promise.resolve(), this.insertAll(inserted)]);
  }

  private async delete(recordIds: readonly string[]): Promise<void> {
    await this.manager.query(`DELETE FROM dns_records WHERE id IN (${marks(recordIds)})`, [...recordIds]);
  }

  private async insertAll(records: readonly WrittenRecord[]): Promise<void> {
    for (const some of chunks(records, ROWS_PER_STATEMENT))
      await this.insert(some.map(({ domainId, record }) => toRow(domainId, record)));
  }

  private async insert(rows: readonly RecordRow[]): Promise<void> {
    try {
      await insertRows(this.manager, RecordTable, rows);
    } catch (error) {
      throw isDuplicate(error)
        ? new RecordConflict(rows.at(-1)?.id ?? '', 'the zone has an identical record', { cause: error })
        : error;
    }
  }

  /** Zones that change equally often and grow equally take one statement. */
  private async raise(writes: readonly ZoneWrite[]): Promise<void> {
    const sql =
      'UPDATE zones SET version = version + ?, record_count = record_count + ?, changed_at = ? WHERE domain_id IN';
    await settleAll(
      risesOf(writes).map(({ domainIds, times, growth }) =>
        this.manager.query(`${sql} (${marks(domainIds)})`, [times, growth, this.clock.now().getTime(), ...domainIds]),
      ),
    );
  }
}

function toLockedZone({ domain_id: domainId, version, record_count: recordCount }: ZoneRow): LockedZone {
  return { domainId, version, recordCount };
}

function toRecord(row: RecordRow): DnsRecord {
  return DnsRecord.fromState(toRecordState(row));
}

/** The places again, in lists of so many names that a statement takes them. */
function* ofFewNames(places: readonly ZonePlaces[]): Generator<readonly ZonePlaces[]> {
  let list: ZonePlaces[] = [];
  let count = 0;
  for (const { domainId, names } of places) {
    for (const some of chunks(names, ROWS_PER_STATEMENT)) {
      if (count + some.length > ROWS_PER_STATEMENT) {
        yield list;
        [list, count] = [[], 0];
      }
      list.push({ domainId, names: some });
      count += some.length;
    }
  }
  if (list.length > 0) yield list;
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

/** Ordered here: asked to do so, SQLite reads the whole zone in that order, and a write's cost grows with the zone. */
function byAge(left: RecordRow, right: RecordRow): number {
  return left.created_at - right.created_at || (left.id < right.id ? -1 : 1);
}

function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
