import type { EntityManager } from 'typeorm';
import type { RecordTouched, ZonePast } from '../../../application/ports/dns/zone-history';
import type { ZoneSignature, ZoneWrite } from '../../../application/ports/dns/zone-repository';
import { actorText } from '../../../domain/access/actor';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { Queries } from '../database/database';
import { yieldBetween } from '../database/yield-between';

/** A change of many records is kept in several rows, so that none is too large for the server to take. */
const RECORDS_PER_ROW = 200;
const ROWS_PER_READ = 50;
const COLUMNS = 'domain_id, version, part, happened_at, actor, added, changed, removed, records';

type Instants = 'createdAt' | 'updatedAt';
type StoredRecord = Omit<DnsRecordState, Instants> & Record<Instants, number>;
type StoredTouch = readonly [before: StoredRecord | null, after: StoredRecord | null];

interface KeptChange extends ZoneWrite {
  readonly version: number;
}

interface ChangeRow {
  readonly values: readonly unknown[];
  readonly size: number;
}

/** Keeps what made each zone the version that it has now. */
export async function keepChanges(manager: EntityManager, kept: readonly KeptChange[]): Promise<void> {
  for await (const rows of yieldBetween(ofFewRecords(changeRows(kept)))) {
    const places = rows.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?)');
    await manager.query(
      `INSERT INTO zone_changes (${COLUMNS}) VALUES ${places.join(', ')}`,
      rows.flatMap(({ values }) => values),
    );
  }
}

function* changeRows(kept: readonly KeptChange[]): Generator<ChangeRow> {
  for (const each of kept) yield* rowsOf(each);
}

function* rowsOf({ zone: { domainId }, version, change, by }: KeptChange): Generator<ChangeRow> {
  const touched: StoredTouch[] = [
    ...change.removed.map((record): StoredTouch => [stored(record.toState()), null]),
    ...change.changed.map(({ before, after }): StoredTouch => [stored(before.toState()), stored(after.toState())]),
    ...change.added.map((record): StoredTouch => [null, stored(record.toState())]),
  ];
  const counts = [change.added.length, change.changed.length, change.removed.length];
  for (let part = 0; part === 0 || part * RECORDS_PER_ROW < touched.length; part += 1) {
    const some = touched.slice(part * RECORDS_PER_ROW, (part + 1) * RECORDS_PER_ROW);
    yield {
      values: [domainId, version, part, by.at.getTime(), actorText(by.actor), ...counts, JSON.stringify(some)],
      size: some.length,
    };
  }
}

/** The rows again, in lists of no more records than one row may have. */
function* ofFewRecords(rows: Iterable<ChangeRow>): Generator<readonly ChangeRow[]> {
  let list: ChangeRow[] = [];
  let size = 0;
  for (const row of rows) {
    if (list.length > 0 && size + row.size > RECORDS_PER_ROW) {
      yield list;
      [list, size] = [[], 0];
    }
    list.push(row);
    size += row.size;
  }
  if (list.length > 0) yield list;
}

/** Keeps that the zone has reached the version that it has, without a change of its records. */
export async function keepVersion(manager: EntityManager, domainId: string, by: ZoneSignature): Promise<void> {
  const sql = `INSERT INTO zone_changes (${COLUMNS}) SELECT domain_id, version, 0, ?, ?, 0, 0, 0, '[]' FROM zones WHERE domain_id = ?`;
  await manager.query(sql, [by.at.getTime(), actorText(by.actor), domainId]);
}

/** The past of a zone at `version`, whose records `records` reads. */
export async function pastOf(
  queries: Queries,
  domainId: string,
  version: number,
  records: ZonePast['records'],
): Promise<ZonePast> {
  const [oldest] = await queries.query<{ version: number }>(
    'SELECT version FROM zone_changes WHERE domain_id = ? AND part = 0 ORDER BY version LIMIT 1',
    [domainId],
  );
  return {
    version,
    oldestVersion: oldest?.version ?? version,
    records,
    changesAfter: (after) => changesAfter(queries, domainId, after),
  };
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

function stored({ createdAt, updatedAt, ...state }: DnsRecordState): StoredRecord {
  return { ...state, createdAt: createdAt.getTime(), updatedAt: updatedAt.getTime() };
}

function parsed(records: string): RecordTouched[] {
  return (JSON.parse(records) as StoredTouch[]).map(([before, after]) => ({
    before: before && restored(before),
    after: after && restored(after),
  }));
}

function restored({ createdAt, updatedAt, ...state }: StoredRecord): DnsRecordState {
  return { ...state, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
}
