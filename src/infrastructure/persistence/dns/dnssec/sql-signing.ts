import type { EntityManager } from 'typeorm';
import type {
  NewSigningKey,
  AnyZoneState,
  DerivedChange,
  DerivedRrset,
  SignedZoneState,
  SigningReader,
  SigningRepository,
} from '../../../../application/ports/dns/signing-repository';
import type { ZonePlaces } from '../../../../application/ports/dns/zone-repository';
import { yieldBetween } from '../../../../application/shared/run-cooperatively';
import { settleAll } from '../../../../application/shared/settle-all';
import type { CdsContent } from '../../../../domain/dns/dnssec/signing-step';
import { keysBelow } from '../../../../domain/dns/dnssec/canonical-names';
import { chainType } from '../../../../application/dns/signing/signatures/stored-rows';
import type { NamedRrset } from '../../../../domain/dns/dnssec/signed-content';
import { ROOT } from '../../../../domain/dns/records/record-name';
import type { Denial } from '../../../../domain/dns/dnssec/zone-signing-state';
import { withDiscovery } from '../../../../domain/dns/discovery';
import { publishedRrsets } from '../../../../domain/dns/records/published-rrsets';
import type { Queries } from '../../database/database';
import { batched } from '../../../../application/shared/batched';
import { insertRows, placeholders, sendStatements } from '../../database/table';
import { changesText, DERIVED_COLUMNS, derivedPages, FIRST, START, toDerived, toDerivedRow } from './derived-rows';
import {
  DerivedChangeTable,
  type DerivedChangeRow,
  DerivedRrsetTable,
  ZoneKeyTable,
  type DerivedRrsetRow,
} from './dnssec-tables';
import { toPublished } from '../transfers/published-rows';
import { chunks, readNames, ROWS_PER_STATEMENT } from '../sql-zone-reader';
import { findZones, readDerived, readLinks, readRecords, type LinkPlace } from './read-signing-rows';

/** A row with its signatures is long, and a statement must fit into the server's packet. */
const CHANGES_PER_ROW = 100;
const DELETED_AT_ONCE = 100;
const CHANGES_PER_STATEMENT = 400;
/** After a change of more derived RRsets, the zone is transferred whole. */
const MAX_KEPT = 10_000;

/** On SQLite, REPLACE would write all indexes again. The keys of the chain and the tree follow from name and type. */
const UPDATE = ` ON CONFLICT (domain_id, name, type) DO UPDATE SET ${['ttl', 'rdata', 'signatures', 'digest', 'refresh_at'].map((column) => `${column} = excluded.${column}`).join(', ')}`;

/** What several zones ask in one turn of the event loop is read together. */
export class SqlSigningReader implements SigningReader {
  private readonly findBatched = batched((domainIds: readonly string[]) => findZones(this.queries, domainIds));
  private readonly recordsBatched = batched((places: readonly ZonePlaces[]) => readRecords(this.queries, places));
  private readonly derivedBatched = batched((places: readonly ZonePlaces[]) => readDerived(this.queries, places));
  private readonly linkBatched = batched((places: readonly LinkPlace[]) => readLinks(this.queries, places));

  constructor(protected readonly queries: Queries) {}

  async find(domainId: string): Promise<SignedZoneState | undefined> {
    const zone = await this.findAny(domainId);
    const { denial } = zone ?? {};
    return zone && denial ? { ...zone, denial } : undefined;
  }

  findAny(domainId: string): Promise<AnyZoneState | undefined> {
    return this.findBatched(domainId);
  }

  async rrsetsAt(zone: SignedZoneState, names: readonly string[]): Promise<ReadonlyMap<string, readonly NamedRrset[]>> {
    const rrsets = new Map<string, readonly NamedRrset[]>();
    for await (const some of yieldBetween(chunks(names, ROWS_PER_STATEMENT))) {
      const rows = await this.recordsBatched({ domainId: zone.domainId, names: some });
      for (const [name, sets] of publishedRrsets(zone, rows.flatMap(toPublished)))
        if (name !== ROOT || some.includes(ROOT)) rrsets.set(name, sets);
    }
    return withDiscovery(zone, names, rrsets);
  }

  readNames(domainId: string, below?: string): Promise<readonly string[]> {
    return readNames(this.queries, domainId, below);
  }

  async derivedAt(domainId: string, names: readonly string[]): Promise<readonly DerivedRrset[]> {
    const rows: DerivedRrset[] = [];
    for await (const some of yieldBetween(chunks(names, ROWS_PER_STATEMENT)))
      rows.push(...(await this.derivedBatched({ domainId, names: some })).map(toDerived));
    return rows;
  }

  async derived(domainId: string): Promise<readonly DerivedRrset[]> {
    const all: DerivedRrset[] = [];
    for await (const page of derivedPages(this.queries, domainId)) all.push(...page);
    return all;
  }

  async linksBefore(zone: SignedZoneState, keys: readonly string[]): Promise<readonly (DerivedRrset | undefined)[]> {
    const [domainId, type] = [zone.domainId, chainType(zone)];
    const found = await settleAll(keys.map((before) => this.linkBatched({ domainId, type, before })));
    const isWrapped = found.some((row) => row === undefined);
    const end = isWrapped ? await this.linkBatched({ domainId, type }) : undefined;
    return found.map((row = end) => row && toDerived(row));
  }

  async linkedNamesBelow(domainId: string, name: string, limit: number): Promise<readonly string[]> {
    const rows = await this.queries.query<{ name: string }>(
      'SELECT name FROM derived_rrsets WHERE domain_id = ? AND tree_key > ? AND tree_key < ? ORDER BY tree_key LIMIT ?',
      [domainId, ...keysBelow(name), limit],
    );
    return rows.map((row) => row.name);
  }

  async due(now: Date, limit: number, except: readonly string[] = []): Promise<readonly string[]> {
    const others = except.length > 0 ? ` AND domain_id NOT IN (${placeholders(except)})` : '';
    const rows = await this.queries.query<{ domain_id: string }>(
      `SELECT DISTINCT domain_id FROM (SELECT domain_id FROM derived_rrsets WHERE refresh_at <= ?${others} ORDER BY refresh_at LIMIT ?) due`,
      [now.getTime(), ...except, limit],
    );
    return rows.map((row) => row.domain_id);
  }

  async expiring(domainId: string, before: Date, limit: number): Promise<readonly DerivedRrset[]> {
    const rows = await this.queries.query<DerivedRrsetRow>(
      `SELECT ${DERIVED_COLUMNS} FROM derived_rrsets WHERE domain_id = ? AND refresh_at <= ? ORDER BY refresh_at LIMIT ?`,
      [domainId, before.getTime(), limit],
    );
    return rows.map(toDerived);
  }
}

export class SqlSigningRepository extends SqlSigningReader implements SigningRepository {
  private readonly writeBatched = batched(async (writes: readonly DerivedWrite[]) => {
    await sendStatements(this.writing(writes));
    return [];
  });

  constructor(private readonly manager: EntityManager) {
    super({ query: (sql, parameters = []) => manager.query(sql, [...parameters]) });
  }

  async set(
    domainId: string,
    signing: { readonly denial: Denial; readonly cds: CdsContent } | undefined,
  ): Promise<void> {
    await this.manager.query('UPDATE zones SET denial = ?, cds = ? WHERE domain_id = ?', [
      signing?.denial ?? null,
      signing?.cds ?? null,
      domainId,
    ]);
  }

  async addKey(domainId: string, key: NewSigningKey, at: Date): Promise<void> {
    await insertRows(this.manager, ZoneKeyTable, [
      {
        id: key.id,
        domain_id: domainId,
        algorithm: key.algorithm,
        key_tag: key.keyTag,
        public_key: key.publicKey,
        sealed_private_key: key.sealedPrivateKey,
        created_at: at.getTime(),
        retired_at: null,
      },
    ]);
  }

  async retireKey(domainId: string, keyId: string, at: Date): Promise<void> {
    const sql = 'UPDATE zone_keys SET retired_at = ? WHERE domain_id = ? AND id = ? AND retired_at IS NULL';
    await this.manager.query(sql, [at.getTime(), domainId, keyId]);
  }

  async removeKey(domainId: string, keyId: string): Promise<void> {
    await this.manager.query('DELETE FROM zone_keys WHERE domain_id = ? AND id = ?', [domainId, keyId]);
  }

  async clear(domainId: string): Promise<void> {
    await this.manager.query('DELETE FROM derived_rrsets WHERE domain_id = ?', [domainId]);
  }

  /** The writes of several zones share statements. */
  async write(domainId: string, serial: number, changes: readonly DerivedChange[], at: Date): Promise<void> {
    await this.writeBatched({ domainId, serial, changes, at });
  }

  private *writing(writes: readonly DerivedWrite[]): Generator<() => Promise<unknown>> {
    for (const { domainId, changes } of writes) {
      const gone = changes.flatMap(({ before, after }) => (before && !after ? [before] : []));
      for (const some of chunks(gone, DELETED_AT_ONCE))
        yield () =>
          this.manager.query(
            // Each part names the whole key: SQLite would read the zone otherwise.
            `DELETE FROM derived_rrsets WHERE ${some.map(() => '(domain_id = ? AND name = ? AND type = ?)').join(' OR ')}`,
            some.flatMap(({ name, type }) => [domainId, name, type]),
          );
    }
    let some: WrittenRrset[] = [];
    for (const { domainId, changes } of writes)
      for (const { after } of changes) {
        if (after) some.push({ domainId, after });
        if (some.length < CHANGES_PER_ROW) continue;
        const full = some;
        yield () => this.replace(full);
        some = [];
      }
    if (some.length > 0) yield () => this.replace(some);
    for (const rows of ofFewChanges(writes.flatMap(keptRows)))
      yield () =>
        insertRows(
          this.manager,
          DerivedChangeTable,
          rows.map(({ row }) => row()),
        );
  }

  private async replace(rrsets: readonly WrittenRrset[]): Promise<void> {
    const columns = Object.keys(DerivedRrsetTable.options.columns) as (keyof DerivedRrsetRow)[];
    const places = `(${columns.map(() => '?').join(', ')})`;
    const rows = rrsets.map(({ domainId, after }) => toDerivedRow(domainId, after));
    const [insert, onConflict] =
      this.manager.connection.options.type === 'mysql' ? ['REPLACE', ''] : ['INSERT', UPDATE];
    await this.manager.query(
      `${insert} INTO derived_rrsets (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')}${onConflict}`,
      rows.flatMap((row) => columns.map((column) => row[column])),
    );
  }
}

interface WrittenRrset {
  readonly domainId: string;
  readonly after: DerivedRrset;
}

interface DerivedWrite {
  readonly domainId: string;
  readonly serial: number;
  readonly changes: readonly DerivedChange[];
  readonly at: Date;
}

interface KeptRow {
  /** The number of changes in it. */
  readonly size: number;
  readonly row: () => DerivedChangeRow;
}

/** Differences can start at a zone that was signed whole, and not lead to it. */
function keptRows({ domainId, serial, changes, at }: DerivedWrite): readonly KeptRow[] {
  const row = { domain_id: domainId, serial, happened_at: at.getTime() };
  if (changes.length > MAX_KEPT || changes.every(({ before }) => before === null))
    return [{ size: 1, row: () => ({ ...row, part: START, rrsets: '[]' }) }];
  return [...chunks(changes, CHANGES_PER_ROW)].map((some, index) => ({
    size: some.length,
    row: () => ({ ...row, part: FIRST + index, rrsets: changesText(some) }),
  }));
}

/** Lists of rows whose changes a statement can have together. */
function* ofFewChanges(rows: readonly KeptRow[]): Generator<readonly KeptRow[]> {
  let list: KeptRow[] = [];
  let count = 0;
  for (const row of rows) {
    if (count + row.size > CHANGES_PER_STATEMENT) {
      yield list;
      [list, count] = [[], 0];
    }
    list.push(row);
    count += row.size;
  }
  if (list.length > 0) yield list;
}
