import { pagesOf } from '../../../application/shared/pages-of';
import type { ListPosition } from '../../../application/ports/storage/page';
import type { ZonePast, ZonePlaces, ZoneReader } from '../../../application/ports/dns/zone-repository';
import type { RecordFilter, RecordReader, ZoneFacts } from '../../../application/ports/dns/zone-queries';
import { signingStateOf, type SigningStep } from '../../../domain/dns/dnssec/signing-step';
import type { DelegationState } from '../../../domain/dns/delegation/delegation';
import type { ZoneHead } from '../../../domain/dns/zone';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { DomainState } from '../../../domain/registration/domain';
import { ROOT } from '../../../domain/dns/records/record-name';
import type { Queries } from '../database/database';
import { forceIndex } from '../database/mysql/force-index';
import { waitForNextSlice, yieldBetween } from '../../../application/shared/run-cooperatively';
import { fromMillis, columnsOf, placeholders } from '../database/table';
import { tagsOf } from '../registration/domains/domain-rows';
import type { DomainRow } from '../registration/registration-tables';
import { prepareRecords, pastOf } from './zone-changes';
import { RecordTable, ZoneTable, type RecordRow, type ZoneRow } from './dns-tables';

/** Within SQLite's limit of parameters and MySQL's packet size. */
export const ROWS_PER_STATEMENT = 500;
const NAMES_PER_READ = 2_000;

const WITH_PTR = "type IN ('A', 'AAAA') AND ptr = 1";

export const ZONES = `SELECT ${columnsOf(ZoneTable, { except: ['changed_at', 'cds', 'connects', 'discovery'] })} FROM zones`;
export const RECORD_COLUMNS = columnsOf(RecordTable, { except: ['domain_id', 'identity_digest', 'version'] });

type FactsRow = Pick<ZoneRow, 'domain_id' | 'version' | 'record_count'> & {
  readonly serial: number;
  /** Null if signing is off. */
  readonly step: SigningStep | null;
  readonly problem_reason: string | null;
} & DelegationColumns;

/** Null if the parent was not asked yet. */
interface DelegationColumns {
  readonly delegation: DelegationState | null;
  readonly nameservers: string | null;
  readonly asked_at: number | null;
}

export const { stateOf: toRecordState } = RecordTable.mapping;

export class SqlRecordReader implements RecordReader {
  constructor(private readonly database: Queries) {}

  async page(
    domainId: string,
    { type, name }: RecordFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly DnsRecordState[]> {
    // An expression keeps both databases from reading the whole zone in order to find the few records of one name.
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
      // All records of a zone file have one time: SQLite reads the index by the pair, MySQL by its parts, which the `+` keeps from SQLite.
      conditions.push(`(${createdAt}, id) > (?, ?) AND (+${createdAt} > ? OR (+${createdAt} = ? AND +id > ?))`);
      const at = after.createdAt.getTime();
      parameters.push(at, after.id, at, at, after.id);
    }
    const index = type === undefined ? 'dns_records_in_order' : 'dns_records_by_type';
    const table = name === undefined ? `dns_records${forceIndex(index)}` : 'dns_records';
    const sql = `SELECT ${RECORD_COLUMNS} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY ${createdAt}, id LIMIT ?`;
    return (await this.database.query<RecordRow>(sql, [...parameters, limit])).map(toRecordState);
  }

  async record(domainId: string, recordId: string): Promise<DnsRecordState | undefined> {
    const sql = `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE id = ? AND domain_id = ?`;
    const [row] = await this.database.query<RecordRow>(sql, [recordId, domainId]);
    return row && toRecordState(row);
  }

  async withPtr(domainId: string): Promise<readonly DnsRecordState[]> {
    const sql = `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE domain_id = ? AND ${WITH_PTR} ORDER BY id`;
    return (await this.database.query<RecordRow>(sql, [domainId])).map(toRecordState);
  }

  async countWithPtr(domainIds: readonly string[]): Promise<number> {
    let count = 0;
    for await (const id of yieldBetween(domainIds)) {
      const sql = `SELECT COUNT(*) AS amount FROM dns_records WHERE domain_id = ? AND ${WITH_PTR}`;
      const [row] = await this.database.query<{ amount: number }>(sql, [id]);
      count += row?.amount ?? 0;
    }
    return count;
  }

  find(domainId: string): Promise<ZoneHead | undefined> {
    return findZone(this.database, domainId);
  }

  async findFor(
    accountId: string,
    domainId: string,
  ): Promise<(Pick<ZoneHead, 'version' | 'serial'> & Pick<DomainState, 'name' | 'tags'>) | undefined> {
    const sql =
      "SELECT z.version, z.version + z.serial_offset AS serial, d.name, d.tags FROM zones z JOIN domains d ON d.id = z.domain_id WHERE z.domain_id = ? AND d.account_id = ? AND d.status <> 'gone'";
    const [row] = await this.database.query<Pick<ZoneHead, 'version' | 'serial'> & Pick<DomainRow, 'name' | 'tags'>>(
      sql,
      [domainId, accountId],
    );
    return row && { ...row, tags: tagsOf(row) };
  }

  async facts(domainIds: readonly string[]): Promise<ReadonlyMap<string, ZoneFacts>> {
    const found = new Map<string, ZoneFacts>();
    for await (const some of yieldBetween(chunks(domainIds, ROWS_PER_STATEMENT))) {
      const rows = await this.database.query<FactsRow>(
        `SELECT z.domain_id, z.version, z.version + z.serial_offset AS serial, z.record_count, s.step, s.problem_reason,
          d.state AS delegation, d.nameservers, d.asked_at FROM zones z LEFT JOIN zone_signing s ON s.domain_id = z.domain_id
          LEFT JOIN zone_delegations d ON d.domain_id = z.domain_id WHERE z.domain_id IN (${placeholders(some)})`,
        [...some],
      );
      for (const {
        domain_id: id,
        version,
        serial,
        record_count: recordCount,
        step,
        problem_reason: problem,
        ...row
      } of rows)
        found.set(id, {
          ...delegationIn(row),
          version,
          serial,
          recordCount,
          signing: step === null ? 'off' : signingStateOf(step, problem !== null),
        });
    }
    return found;
  }
}

function delegationIn({ delegation: state, nameservers, asked_at: askedAt }: DelegationColumns): Partial<ZoneFacts> {
  if (state === null || nameservers === null || askedAt === null) return {};
  return { delegation: { state, nameservers: JSON.parse(nameservers) as string[], askedAt: fromMillis(askedAt) } };
}

/** Oldest first; `queries` must be a snapshot. */
export async function allRecords(queries: Queries, domainId: string): Promise<readonly DnsRecordState[]> {
  const reader = new SqlRecordReader(queries);
  const records: DnsRecordState[] = [];
  for await (const page of pagesOf((limit, after) => reader.page(domainId, {}, limit, after))) records.push(...page);
  return records;
}

export class SqlZoneReader implements ZoneReader {
  constructor(protected readonly queries: Queries) {}

  find(domainId: string): Promise<ZoneHead | undefined> {
    return findZone(this.queries, domainId);
  }

  prepare(change: ZoneChange): Promise<void> {
    return prepareRecords(change);
  }

  async findRecords(domainId: string, ids: readonly string[]): Promise<readonly DnsRecord[]> {
    const found: RecordRow[] = [];
    for await (const some of yieldBetween(chunks(ids, ROWS_PER_STATEMENT))) {
      found.push(
        ...(await this.queries.query<RecordRow>(
          `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE domain_id = ? AND id IN (${placeholders(some)})`,
          [domainId, ...some],
        )),
      );
    }
    return found.toSorted(byAge).map(toRecord);
  }

  async isSigned(domainId: string): Promise<boolean> {
    const sql = 'SELECT domain_id FROM zone_signing WHERE domain_id = ?';
    return (await this.queries.query(sql, [domainId])).length > 0;
  }

  async recordsAt(places: readonly ZonePlaces[]): Promise<ReadonlyMap<string, readonly DnsRecord[]>> {
    const found: RecordRow[] = [];
    for await (const some of yieldBetween(ofFewNames(places))) {
      const conditions = some.map(({ names }) => `(domain_id = ? AND name IN (${placeholders(names)}))`);
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

  namesBelow(domainId: string, name: string): Promise<readonly string[]> {
    return readNames(this.queries, domainId, name);
  }

  past(zone: ZoneHead): Promise<ZonePast> {
    return pastOf(this.queries, zone, () => allRecords(this.queries, zone.domainId));
  }
}

/** The names with records. @param below only those below this name */
export async function readNames(queries: Queries, domainId: string, below?: string): Promise<readonly string[]> {
  const [condition, ...parameters] = isBelow(below);
  const sql = `SELECT DISTINCT name FROM dns_records WHERE domain_id = ? AND name > ?${condition} ORDER BY name LIMIT ${NAMES_PER_READ}`;
  const names: string[] = [];
  for (let last: string | undefined = ''; last !== undefined;) {
    const rows: { name: string }[] = await queries.query(sql, [domainId, last, ...parameters]);
    for (const { name } of rows) names.push(name);
    last = rows.length < NAMES_PER_READ ? undefined : names.at(-1);
    await waitForNextSlice();
  }
  return names;
}

/** Whether a record is at or below a name. */
export async function hasNameIn(queries: Queries, domainId: string, name: string): Promise<boolean> {
  const [row] = await queries.query<unknown>(
    "SELECT 1 FROM dns_records WHERE domain_id = ? AND (name = ? OR name LIKE ? ESCAPE '!') LIMIT 1",
    [domainId, name, patternBelow(name)],
  );
  return row !== undefined;
}

function isBelow(name: string | undefined): readonly string[] {
  if (name === undefined) return [''];
  if (name === ROOT) return [' AND name <> ?', ROOT];
  return [" AND name LIKE ? ESCAPE '!'", patternBelow(name)];
}

/** For LIKE with `!` as escape. */
function patternBelow(name: string): string {
  return `%.${name.replace(/[!%_]/g, '!$&')}`;
}

async function findZone(queries: Queries, domainId: string): Promise<ZoneHead | undefined> {
  const [row] = await queries.query<ZoneRow>(`${ZONES} WHERE domain_id = ?`, [domainId]);
  return row && toLockedZone(row);
}

export function toLockedZone({
  domain_id: domainId,
  version,
  serial_offset: offset,
  record_count: recordCount,
  state_owner: stateOwner,
}: ZoneRow): ZoneHead {
  const head = { domainId, version, serial: version + offset, recordCount };
  return stateOwner === null ? head : { ...head, stateOwner };
}

function toRecord(row: RecordRow): DnsRecord {
  return DnsRecord.fromState(toRecordState(row));
}

/** Splits places into lists of at most `ROWS_PER_STATEMENT` names. */
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

/** Sorted here because SQLite would read the whole zone in that order, and the cost of a write would grow with the zone. */
function byAge(left: RecordRow, right: RecordRow): number {
  return left.created_at - right.created_at || (left.id < right.id ? -1 : 1);
}

export function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
