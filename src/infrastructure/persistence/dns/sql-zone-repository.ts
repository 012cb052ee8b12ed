import type { EntityManager } from 'typeorm';
import type {
  CatalogChange,
  SerialRaise,
  ZoneReader,
  ZoneRepository,
  ZoneWrite,
  PlannedSignatures,
} from '../../../application/ports/dns/zone-repository';
import type { ZoneHead } from '../../../domain/dns/zone';
import { changesServedZone, serialAfter, type ZoneChange } from '../../../domain/dns/zone-change';
import type { Clock } from '../../../application/ports/system';
import { settleAll } from '../../../application/shared/settle-all';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { DISCOVERY_NAME } from '../../../domain/dns/discovery';
import { RecordConflict } from '../../../domain/dns/dns-errors';
import { isDuplicate } from '../database/database-errors';
import { yieldBetween } from '../../../application/shared/run-cooperatively';
import {
  columnsOf,
  sendStatements,
  insertRows,
  packed,
  rowOf,
  STATEMENT_LENGTH,
  placeholders,
} from '../database/table';
import { keepAddressChanges } from './aliases/address-history';
import { SqlZoneDiscovery } from '../domain-connect/sql-zone-discovery';
import type { ZoneDiscovery } from '../../../application/ports/dns/templates-and-domain-connect';
import { aliasStatements, changedAliases } from './aliases/alias-rows';
import { digestOf, storeChanges, storeVersion } from './zone-changes';
import type { TouchedZones } from './touched-zones';
import { CatalogChangeTable, RecordTable, type RecordRow, type ZoneRow } from './dns-tables';
import { SqlZoneReader, ROWS_PER_STATEMENT, ZONES, chunks, toLockedZone } from './sql-zone-reader';
import { groupedBy } from '../../../domain/shared/grouped-by';

function toRow({ domainId, version, record }: WrittenRecord): RecordRow {
  return rowOf(RecordTable, record.toState(), { domain_id: domainId, version, identity_digest: digestOf(record) });
}

type PlanSignatures = (
  writes: readonly ZoneWrite[],
  reader: Pick<ZoneReader, 'recordsAt'>,
) => Promise<readonly PlannedSignatures[]>;

export class SqlZoneRepository extends SqlZoneReader implements ZoneRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly clock: Clock,
    private readonly forUpdate: string,
    private readonly skipLocked: string,
    private readonly onPublicationChange: () => void,
    private readonly touched: TouchedZones,
    private readonly planSignatures: PlanSignatures = async () => [],
  ) {
    super({ query: (sql, parameters = []) => manager.query(sql, [...parameters]) });
  }

  async create(domainId: string, by: ZoneWrite['by']): Promise<void> {
    const sql = `INSERT INTO zones (domain_id, version, record_count, changed_at)
      SELECT ?, COALESCE(MAX(CASE WHEN z.serial_offset > 0 THEN z.version + z.serial_offset ELSE z.version END), 0) + 1, 0, ? FROM domains d JOIN zones z ON z.domain_id = d.id WHERE d.name = (SELECT name FROM domains WHERE id = ?)`;
    await settleAll([
      this.manager.query(sql, [domainId, this.clock.now().getTime(), domainId]),
      storeVersion(this.manager, domainId, by),
    ]);
  }

  async lock(domainId: string): Promise<ZoneHead | undefined> {
    const [row] = await this.manager.query<ZoneRow[]>(`${ZONES} WHERE domain_id = ?${this.forUpdate}`, [domainId]);
    return row && this.known(row);
  }

  async lockFree(domainIds: readonly string[]): Promise<ReadonlyMap<string, ZoneHead>> {
    if (domainIds.length === 0) return new Map();
    const rows = await this.manager.query<ZoneRow[]>(
      `${ZONES} WHERE domain_id IN (${placeholders(domainIds)})${this.forUpdate}${this.skipLocked}`,
      [...domainIds],
    );
    return new Map(rows.map((row) => [row.domain_id, this.known(row)]));
  }

  async signAhead(writes: readonly ZoneWrite[]): Promise<void> {
    const signed = writes.filter(
      ({ zone, change }) => changesServedZone(change) && this.touched.isKnownSigned(zone.domainId),
    );
    if (signed.length > 0) this.touched.plan(await this.planSignatures(signed, this));
  }

  /** No statement waits for the result of another one, so on SQLite they travel to the writer together. */
  async apply(writes: readonly ZoneWrite[]): Promise<readonly ZoneHead[]> {
    const served = writes.filter(({ change }) => changesServedZone(change));
    for (const { zone, change, nameserversBefore } of served) {
      this.touched.change(zone.domainId, change);
      if (!nameserversBefore) continue;
      this.touched.raise(zone.domainId);
      this.onPublicationChange();
    }
    const at = this.clock.now();
    await keepAddressChanges(this.manager, changedAliases(served), at, () =>
      settleAll([
        this.rewrite(writes),
        sendStatements(aliasStatements(this.manager, served, at)),
        this.raise(writes),
        storeChanges(
          this.manager,
          writes.map((write) => ({
            ...write,
            version: write.zone.version + 1,
            serial: serialAfter(write.zone.serial, write.change),
          })),
        ),
        ...this.touched.takePlanned().map((signatures) => signatures.write()),
      ]),
    );
    return writes.map(({ zone, change }) => ({
      ...zone,
      version: zone.version + 1,
      serial: serialAfter(zone.serial, change),
      recordCount: zone.recordCount + growthOf(change),
    }));
  }

  async raiseSerial(domainId: string, touched: SerialRaise = {}): Promise<void> {
    await this.manager.query('UPDATE zones SET serial_offset = serial_offset + 1, changed_at = ? WHERE domain_id = ?', [
      this.clock.now().getTime(),
      domainId,
    ]);
    this.touched.raise(domainId, touched);
    this.onPublicationChange();
  }

  findDiscovery(domainId: string): Promise<ZoneDiscovery | undefined> {
    return new SqlZoneDiscovery(this.queries).find(domainId);
  }

  async setDiscovery(domainId: string, discovery: string | null): Promise<void> {
    await this.manager.query('UPDATE zones SET discovery = ? WHERE domain_id = ?', [discovery, domainId]);
    await this.raiseSerial(domainId, { names: [DISCOVERY_NAME] });
  }

  async setConnects(domainId: string, connects: boolean): Promise<void> {
    await this.manager.query('UPDATE zones SET connects = ? WHERE domain_id = ?', [Number(connects), domainId]);
  }

  async changeCatalog({ domainId, zoneName, isMember, at }: CatalogChange): Promise<void> {
    await settleAll([
      this.manager.query('UPDATE dns_catalog SET version = version + 1 WHERE id = 1'),
      this.manager.query(
        `INSERT INTO catalog_changes (${columnsOf(CatalogChangeTable)}) SELECT version, ?, ?, ?, ? FROM dns_catalog WHERE id = 1`,
        [domainId, zoneName, Number(isMember), at.getTime()],
      ),
    ]);
    this.onPublicationChange();
  }

  async confirm(domainId: string, recordIds: readonly string[], at: Date): Promise<void> {
    for await (const some of yieldBetween(chunks(recordIds, ROWS_PER_STATEMENT))) {
      await this.manager.query(
        `UPDATE dns_records SET updated_at = ? WHERE domain_id = ? AND id IN (${placeholders(some)})`,
        [at.getTime(), domainId, ...some],
      );
    }
  }

  private known(row: ZoneRow): ZoneHead {
    this.touched.know(row.domain_id, row.denial !== null);
    return toLockedZone(row);
  }

  /** Changed records are deleted and inserted, so that two can swap their contents. */
  private async rewrite(writes: readonly ZoneWrite[]): Promise<void> {
    await sendStatements(this.rewriting(netRecords(writes)));
  }

  private *rewriting({ deleted, inserted }: NetRecords): Generator<() => Promise<void>> {
    for (const ids of chunks(deleted, ROWS_PER_STATEMENT)) yield () => this.delete(ids);
    for (const records of packed(inserted, MAX_PER_STATEMENT, sizeOf)) yield () => this.insert(records);
  }

  private async delete(recordIds: readonly string[]): Promise<void> {
    await this.manager.query(`DELETE FROM dns_records WHERE id IN (${placeholders(recordIds)})`, [...recordIds]);
  }

  private async insert(records: readonly WrittenRecord[]): Promise<void> {
    try {
      await insertRows(this.manager, RecordTable, records.map(toRow));
    } catch (error) {
      throw isDuplicate(error)
        ? new RecordConflict(records.at(-1)?.record.id ?? '', 'the zone has an identical record', { cause: error })
        : error;
    }
  }

  /** One statement for all zones that rise alike. */
  private async raise(writes: readonly ZoneWrite[]): Promise<void> {
    const served = 'UPDATE zones SET version = version + ?, record_count = record_count + ?, changed_at = ?';
    const now = this.clock.now().getTime();
    await settleAll(
      risesOf(writes).map(({ domainIds, times, unserved, growth }) => {
        const where = `WHERE domain_id IN (${placeholders(domainIds)})`;
        if (unserved === 0) return this.manager.query(`${served} ${where}`, [times, growth, now, ...domainIds]);
        return unserved < times
          ? this.manager.query(`${served}, serial_offset = serial_offset - ? ${where}`, [
              times,
              growth,
              now,
              unserved,
              ...domainIds,
            ])
          : this.manager.query(`UPDATE zones SET version = version + ?, serial_offset = serial_offset - ? ${where}`, [
              times,
              unserved,
              ...domainIds,
            ]);
      }),
    );
  }
}

interface WrittenRecord {
  readonly domainId: string;
  /** Of the zone, to which the record leads. */
  readonly version: number;
  readonly record: DnsRecord;
}

const MAX_PER_STATEMENT = { count: ROWS_PER_STATEMENT, length: STATEMENT_LENGTH };

function sizeOf({ record }: WrittenRecord) {
  const { content, written, comment } = record.toState();
  return { count: 1, length: content.length + (written?.length ?? 0) + (comment?.length ?? 0) };
}

interface NetRecords {
  readonly deleted: readonly string[];
  readonly inserted: readonly WrittenRecord[];
}

interface Rise {
  readonly domainIds: readonly string[];
  /** By how many versions each of these zones rises. */
  readonly times: number;
  /** How many of these leave the serial as it is. */
  readonly unserved: number;
  /** By how many records each of them grows; negative if it shrinks. */
  readonly growth: number;
}

/** The net effect of writes in their order: the ids of stored records to delete, and the records to insert after that. */
function netRecords(writes: readonly ZoneWrite[]): NetRecords {
  const deleted: string[] = [];
  const inserted = new Map<string, WrittenRecord>();
  for (const { zone, change } of writes) {
    const { added, changed, removed } = change;
    for (const { id } of [...changed.map(({ before }) => before), ...removed])
      if (!inserted.delete(id)) deleted.push(id);
    for (const record of [...changed.map(({ after }) => after), ...added])
      inserted.set(record.id, { domainId: zone.domainId, version: zone.version + 1, record });
  }
  return { deleted, inserted: [...inserted.values()] };
}

/** The zones of `writes`, grouped by their numbers of changes and their growth. */
function risesOf(writes: readonly ZoneWrite[]): readonly Rise[] {
  const zones = [...groupedBy(writes, ({ zone }) => zone.domainId)].map(([domainId, ofZone]) => ({
    domainId,
    times: ofZone.length,
    unserved: ofZone.filter(({ change }) => !changesServedZone(change)).length,
    growth: ofZone.reduce((sum, { change }) => sum + growthOf(change), 0),
  }));
  return [...groupedBy(zones, ({ times, unserved, growth }) => `${times} ${unserved} ${growth}`).values()].flatMap(
    (alike) => alike.slice(0, 1).map((rise) => ({ ...rise, domainIds: alike.map(({ domainId }) => domainId) })),
  );
}

function growthOf({ added, removed }: ZoneChange): number {
  return added.length - removed.length;
}
