import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { SMALL_CHANGE } from '../../../application/ports/dns/zone-queries';
import type { RecordTouched, ZonePast, ZoneWrite } from '../../../application/ports/dns/zone-repository';
import type { ZoneHead } from '../../../domain/dns/zone';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { actorText } from '../../../domain/access/actor';
import type { DnsRecord, DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { Queries } from '../database/database';
import { sendStatements, columnsOf, insertRows, packed, STATEMENT_LENGTH } from '../database/table';
import { ZoneChangeTable, type ZoneChangeRow } from './dns-tables';
import { yieldBetween, runCooperatively, type CooperativeTask } from '../../../application/shared/run-cooperatively';

/** A change of many records takes several rows, so that none exceeds the largest packet of the server or takes long to parse. */
const MAX_PER_ROW = { count: 200, length: STATEMENT_LENGTH };
const ROWS_PER_READ = 50;

type Instants = 'createdAt' | 'updatedAt';
type StoredRecord = Omit<DnsRecordState, Instants> & Record<Instants, number>;
type StoredTouch = readonly [before: StoredRecord | null, after: StoredRecord | null];

/** As it is stored: a `StoredTouch`. */
interface RecordTouch {
  readonly before?: DnsRecord;
  readonly after?: DnsRecord;
}

interface VersionedChange extends ZoneWrite {
  readonly version: number;
  readonly serial: number;
}

interface SizedRow {
  readonly row: ZoneChangeRow;
  /** The number of records in it. */
  readonly size: number;
}

/** Stores the changes that led to the current versions. */
export async function storeChanges(manager: EntityManager, changes: readonly VersionedChange[]): Promise<void> {
  await sendStatements(insertions(manager, changes));
}

function* insertions(manager: EntityManager, changes: readonly VersionedChange[]): Generator<() => Promise<void>> {
  for (const rows of packed(changeRows(changes), MAX_PER_ROW, sizeOfRow)) {
    yield () =>
      insertRows(
        manager,
        ZoneChangeTable,
        rows.map(({ row }) => row),
      );
  }
}

function* changeRows(changes: readonly VersionedChange[]): Generator<SizedRow> {
  for (const each of changes) yield* rowsOf(each);
}

function* rowsOf({
  zone: { domainId },
  version,
  serial,
  change,
  by,
  nameserversBefore,
}: VersionedChange): Generator<SizedRow> {
  const touched: RecordTouch[] = [
    ...change.removed.map((before) => ({ before })),
    ...change.changed,
    ...change.added.map((after) => ({ after })),
  ];
  let part = 0;
  for (const texts of touched.length === 0 ? [[]] : packed(textsOf(touched), MAX_PER_ROW, sizeOfText)) {
    yield {
      row: {
        domain_id: domainId,
        version,
        part,
        happened_at: by.at.getTime(),
        actor: actorText(by.actor),
        added: change.added.length,
        changed: change.changed.length,
        removed: change.removed.length,
        records: `[${texts.join(',')}]`,
        serial_offset: serial - version,
        nameservers: nameserversBefore ? JSON.stringify(nameserversBefore) : null,
      },
      size: texts.length,
    };
    part += 1;
  }
}

function sizeOfRow({ row, size }: SizedRow) {
  return { count: size, length: row.records.length };
}

function sizeOfText({ length }: string) {
  return { count: 1, length };
}

/** As JSON of `StoredTouch`. */
function* textsOf(touched: readonly RecordTouch[]): Generator<string> {
  for (const { before, after } of touched)
    yield `[${before ? jsonOf(before) : 'null'},${after ? jsonOf(after) : 'null'}]`;
}

/** Stores that the zone has begun, without records. */
export async function storeVersion(manager: EntityManager, domainId: string, by: ZoneWrite['by']): Promise<void> {
  const sql = `INSERT INTO zone_changes (${columnsOf(ZoneChangeTable)}) SELECT domain_id, version, 0, ?, ?, 0, 0, 0, '[]', serial_offset, NULL FROM zones WHERE domain_id = ?`;
  await manager.query(sql, [by.at.getTime(), actorText(by.actor), domainId]);
}

/** The past of a zone at `zone`. @param records reads its current records */
export async function pastOf(
  queries: Queries,
  { domainId, version, serial }: Pick<ZoneHead, 'domainId' | 'version' | 'serial'>,
  records: ZonePast['records'],
): Promise<ZonePast> {
  const [oldest] = await queries.query<{ version: number }>(
    'SELECT version FROM zone_changes WHERE domain_id = ? AND part = 0 AND version >= (SELECT history_from FROM zones WHERE domain_id = ?) ORDER BY version LIMIT 1',
    [domainId, domainId],
  );
  return {
    version,
    serial,
    oldestVersion: oldest?.version ?? version,
    records,
    changesAfter: (after) => changesAfter(queries, domainId, after),
    nameserversAt: (at) => nameserversAt(queries, domainId, at),
  };
}

async function nameserversAt(
  queries: Queries,
  domainId: string,
  version: number,
): Promise<readonly string[] | undefined> {
  const sql =
    'SELECT nameservers FROM zone_changes WHERE domain_id = ? AND version > ? AND nameservers IS NOT NULL ORDER BY version LIMIT 1';
  const [next] = await queries.query<Pick<ZoneChangeRow, 'nameservers'>>(sql, [domainId, version]);
  return hostsOf(next?.nameservers ?? null);
}

export async function changesOf(
  queries: Queries,
  domainId: string,
  version: number,
): Promise<readonly RecordTouched[]> {
  const sql = 'SELECT records FROM zone_changes WHERE domain_id = ? AND version = ? ORDER BY part';
  const touched: RecordTouched[] = [];
  for await (const { records } of yieldBetween(await queries.query<{ records: string }>(sql, [domainId, version])))
    touched.push(...parsed(records));
  return touched;
}

/** Long records take several rows, the first of which has the counts. */
export async function smallChangesOf(
  queries: Queries,
  domainId: string,
  versions: readonly number[],
): Promise<ReadonlyMap<number, readonly RecordTouched[]>> {
  if (versions.length === 0) return new Map();
  const small = `SELECT version FROM zone_changes WHERE domain_id = ? AND version IN (${versions.map(() => '?').join(', ')}) AND part = 0 AND added + changed + removed <= ?`;
  const sql = `SELECT version, records FROM zone_changes WHERE domain_id = ? AND version IN (${small}) ORDER BY version, part`;
  const values = [domainId, domainId, ...versions, SMALL_CHANGE];
  const changes = new Map<number, RecordTouched[]>();
  for (const { version, records } of await queries.query<{ version: number; records: string }>(sql, values))
    changes.set(version, [...(changes.get(version) ?? []), ...parsed(records)]);
  return changes;
}

async function* changesAfter(
  queries: Queries,
  domainId: string,
  version: number,
): AsyncGenerator<readonly RecordTouched[]> {
  const sql = `SELECT version, part, records FROM zone_changes WHERE domain_id = ? AND version > ? AND (version < ? OR version = ? AND part < ?) ORDER BY version DESC, part DESC LIMIT ${ROWS_PER_READ}`;
  let [below, part] = [Number.MAX_SAFE_INTEGER, 0];
  for (;;) {
    const rows = await queries.query<{ version: number; part: number; records: string }>(sql, [
      domainId,
      version,
      below,
      below,
      part,
    ]);
    for await (const { records } of yieldBetween(rows)) yield parsed(records);
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_READ) return;
    [below, part] = [last.version, last.part];
  }
}

/** A zone as a transfer sends it. */
export interface TransferredZone {
  readonly domainId: string;
  readonly serial: number;
  /** Of the serial from the version. */
  readonly offset: number;
}

interface StoredVersion {
  readonly serial: number;
  readonly records: readonly RecordTouched[];
  /** The delegation of the version before, if it may have changed. */
  readonly nameserversBefore: readonly string[] | undefined;
}

/** Versions in a range of the primary key. */
export const AFTER_VERSION = 'domain_id = ? AND version > ? AND version <= ?';

/**
 * The last version whose serial was at most `from`. Serials never fall with the versions; a change of comments leaves the serial as it is.
 * Undefined if it is not among the last `most` versions.
 */
export async function lastVersionAt(
  queries: Queries,
  { domainId, serial, offset }: TransferredZone,
  from: number,
  most: number,
): Promise<number | undefined> {
  const sql = `SELECT version FROM zone_changes WHERE ${AFTER_VERSION} AND version + serial_offset <= ? ORDER BY version DESC LIMIT 1`;
  const newest = serial - offset;
  const [row] = await queries.query<{ version: number }>(sql, [domainId, newest - most, newest, from]);
  return row?.version;
}

/** The changes of the records after a version, up to that of the zone, oldest first; a change of many records comes in pieces. */
export async function* changesBetween(
  queries: Queries,
  { domainId, serial, offset: present }: TransferredZone,
  from: number,
): AsyncGenerator<StoredVersion> {
  const sql = `SELECT version, part, records, serial_offset, nameservers FROM zone_changes WHERE ${AFTER_VERSION} AND (version > ? OR version = ? AND part > ?) ORDER BY version, part LIMIT ${ROWS_PER_READ}`;
  let after = { version: 0, part: 0 };
  for (;;) {
    const rows = await queries.query<
      Pick<ZoneChangeRow, 'version' | 'part' | 'records' | 'serial_offset' | 'nameservers'>
    >(sql, [domainId, from, serial - present, after.version, after.version, after.part]);
    for await (const { version, records, serial_offset: offset, nameservers } of yieldBetween(rows)) {
      yield { serial: version + offset, records: parsed(records), nameserversBefore: hostsOf(nameservers) };
    }
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_READ) return;
    after = last;
  }
}

/** The former delegation, as it is stored. */
export function hostsOf(nameservers: string | null): readonly string[] | undefined {
  return nameservers === null ? undefined : (JSON.parse(nameservers) as string[]);
}

function parsed(records: string): RecordTouched[] {
  return (JSON.parse(records) as StoredTouch[]).map(([before, after]) => ({
    before: before && toState(before),
    after: after && toState(after),
  }));
}

function toState({ createdAt, updatedAt, ...state }: StoredRecord): DnsRecordState {
  return { ...state, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
}

interface PreparedRecord {
  readonly digest: string;
  readonly json: string;
}

/** By state, because a record that changes gets a new one. */
const prepared = new WeakMap<DnsRecordState, PreparedRecord>();

/** Computes ahead what storing a change of many records takes, so that no lock is held meanwhile. */
export async function prepareRecords(change: ZoneChange): Promise<void> {
  await runCooperatively(preparation(change));
}

function* preparation({ added, changed, removed }: ZoneChange): CooperativeTask<void> {
  for (const record of [...removed, ...changed.flatMap(({ before, after }) => [before, after]), ...added]) {
    prepared.set(record.toState(), { digest: digest(record), json: json(record) });
    yield;
  }
}

/** Equal for identical records. */
export function digestOf(record: DnsRecord): string {
  return prepared.get(record.toState())?.digest ?? digest(record);
}

/** The record as the history of its zone stores it. */
export function jsonOf(record: DnsRecord): string {
  return prepared.get(record.toState())?.json ?? json(record);
}

function digest(record: DnsRecord): string {
  return createHash('sha256').update(record.identity()).digest('hex');
}

function json(record: DnsRecord): string {
  const { createdAt, updatedAt, ...state } = record.toState();
  return JSON.stringify({ ...state, createdAt: createdAt.getTime(), updatedAt: updatedAt.getTime() });
}
