import type { EntityManager } from 'typeorm';
import type { CdsContent, NewSigningKey } from '../../../../application/dns/dnssec/zone-signer';
import type {
  AnyZoneState,
  DerivedChange,
  DerivedRrset,
  SignedZoneState,
  SigningReader,
  SigningRepository,
  StoredSigningKey,
} from '../../../../application/ports/dns/signing-repository';
import { yieldBetween } from '../../../../application/run-cooperatively';
import { settleAll } from '../../../../application/settle-all';
import { keysBelow } from '../../../../domain/dns/dnssec/canonical-names';
import { chainType } from '../../../../application/dns/dnssec/signatures/stored-rows';
import type { NamedRrset } from '../../../../domain/dns/dnssec/signed-content';
import { ROOT } from '../../../../domain/dns/records/record-name';
import type { Denial } from '../../../../domain/dns/dnssec/zone-signing';
import { publishedRrsets } from '../../../nameserver/zone-rrsets';
import type { Queries } from '../../database/database';
import { columnsOf, fromMillis, fromNullableMillis, insertRows, sendStatements } from '../../database/table';
import { changesText, DERIVED_COLUMNS, derivedPages, toDerived, toDerivedRow } from './derived-rows';
import {
  DerivedChangeTable,
  DerivedRrsetTable,
  ZoneKeyTable,
  type DerivedRrsetRow,
  type ZoneKeyRow,
} from '../dns-tables';
import { addressesOf, toPublished, type PublishedRow } from '../transfers/published-rows';
import { chunks, placeholders, RECORD_COLUMNS, ROWS_PER_STATEMENT } from '../sql-zone-reader';

/** A row with its signatures is long, and a statement must fit into the server's packet. */
const CHANGES_PER_ROW = 100;
const DELETED_AT_ONCE = 100;

interface SignedZoneRow {
  readonly name: string;
  readonly nameservers: string;
  readonly serial: number;
  readonly denial: Denial | null;
  readonly cds: CdsContent | null;
}

export class SqlSigningReader implements SigningReader {
  constructor(protected readonly queries: Queries) {}

  async find(domainId: string): Promise<SignedZoneState | undefined> {
    const zone = await this.findAny(domainId);
    const { denial } = zone ?? {};
    return zone && denial ? { ...zone, denial } : undefined;
  }

  async findAny(domainId: string): Promise<AnyZoneState | undefined> {
    const [[zone], keys] = await settleAll([
      this.queries.query<SignedZoneRow>(
        'SELECT d.name, d.nameservers, z.version + z.serial_offset AS serial, z.denial, z.cds FROM zones z JOIN domains d ON d.id = z.domain_id WHERE z.domain_id = ?',
        [domainId],
      ),
      this.queries.query<ZoneKeyRow>(
        `SELECT ${columnsOf(ZoneKeyTable)} FROM zone_keys WHERE domain_id = ? ORDER BY created_at, id`,
        [domainId],
      ),
    ]);
    if (!zone) return undefined;
    const { name: zoneName, nameservers, serial, denial, cds } = zone;
    return {
      domainId,
      zoneName,
      nameservers: JSON.parse(nameservers) as string[],
      serial,
      denial,
      cds: cds ?? 'none',
      keys: keys.map(toKey),
    };
  }

  async rrsetsAt(zone: SignedZoneState, names: readonly string[]): Promise<ReadonlyMap<string, readonly NamedRrset[]>> {
    const rrsets = new Map<string, readonly NamedRrset[]>();
    for await (const some of yieldBetween(chunks(names, ROWS_PER_STATEMENT))) {
      const rows = await this.queries.query<PublishedRow>(
        `SELECT ${RECORD_COLUMNS}, ${addressesOf('dns_records')} FROM dns_records WHERE domain_id = ? AND name IN (${placeholders(some)}) ORDER BY name, type, id`,
        [zone.domainId, ...some],
      );
      for (const [name, sets] of publishedRrsets(zone, rows.flatMap(toPublished)))
        if (name !== ROOT || some.includes(ROOT)) rrsets.set(name, sets);
    }
    return rrsets;
  }

  async namesOf(domainId: string, below?: string): Promise<readonly string[]> {
    const condition = below === undefined ? '' : " AND name LIKE ? ESCAPE '!'";
    const parameters = below === undefined ? [] : [`%.${below.replace(/[!%_]/g, '!$&')}`];
    const rows = await this.queries.query<{ name: string }>(
      `SELECT DISTINCT name FROM dns_records WHERE domain_id = ?${condition}`,
      [domainId, ...parameters],
    );
    return rows.map(({ name }) => name);
  }

  async derivedAt(domainId: string, names: readonly string[]): Promise<readonly DerivedRrset[]> {
    const rows: DerivedRrset[] = [];
    for await (const some of yieldBetween(chunks(names, ROWS_PER_STATEMENT))) {
      const sql = `SELECT ${DERIVED_COLUMNS} FROM derived_rrsets WHERE domain_id = ? AND name IN (${placeholders(some)})`;
      rows.push(...(await this.queries.query<DerivedRrsetRow>(sql, [domainId, ...some])).map(toDerived));
    }
    return rows;
  }

  async derived(domainId: string): Promise<readonly DerivedRrset[]> {
    const all: DerivedRrset[] = [];
    for await (const page of derivedPages(this.queries, domainId)) all.push(...page);
    return all;
  }

  async linksBefore(zone: SignedZoneState, keys: readonly string[]): Promise<readonly (DerivedRrset | undefined)[]> {
    const of = [zone.domainId, chainType(zone)];
    const sql = `SELECT ${DERIVED_COLUMNS} FROM derived_rrsets WHERE domain_id = ? AND type = ?`;
    const last = 'ORDER BY chain_key DESC LIMIT 1';
    const found = await settleAll(
      keys.map((key) => this.queries.query<DerivedRrsetRow>(`${sql} AND chain_key < ? ${last}`, [...of, key])),
    );
    const isWrapped = found.some((rows) => rows.length === 0);
    const [end] = isWrapped ? await this.queries.query<DerivedRrsetRow>(`${sql} ${last}`, of) : [];
    return found.map(([row = end]) => row && toDerived(row));
  }

  async linkedNamesBelow(domainId: string, name: string, limit: number): Promise<readonly string[]> {
    const rows = await this.queries.query<{ name: string }>(
      'SELECT name FROM derived_rrsets WHERE domain_id = ? AND tree_key > ? AND tree_key < ? ORDER BY tree_key LIMIT ?',
      [domainId, ...keysBelow(name), limit],
    );
    return rows.map((row) => row.name);
  }

  async due(now: Date, limit: number): Promise<readonly string[]> {
    const rows = await this.queries.query<{ domain_id: string }>(
      'SELECT DISTINCT domain_id FROM (SELECT domain_id FROM derived_rrsets WHERE refresh_at <= ? ORDER BY refresh_at LIMIT ?) due',
      [now.getTime(), limit],
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

export class TypeOrmSigningRepository extends SqlSigningReader implements SigningRepository {
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

  async write(domainId: string, serial: number, changes: readonly DerivedChange[], at: Date): Promise<void> {
    await sendStatements(this.writing(domainId, serial, changes, at));
  }

  private *writing(
    domainId: string,
    serial: number,
    changes: readonly DerivedChange[],
    at: Date,
  ): Generator<() => Promise<unknown>> {
    const gone = changes.flatMap(({ before, after }) => (before && !after ? [before] : []));
    for (const some of chunks(gone, DELETED_AT_ONCE))
      yield () =>
        this.manager.query(
          `DELETE FROM derived_rrsets WHERE domain_id = ? AND (${some.map(() => '(name = ? AND type = ?)').join(' OR ')})`,
          [domainId, ...some.flatMap(({ name, type }) => [name, type])],
        );
    const written = changes.flatMap(({ after }) => (after ? [after] : []));
    for (const some of chunks(written, CHANGES_PER_ROW)) yield () => this.replace(domainId, some);
    let part = 0;
    for (const some of chunks(changes, CHANGES_PER_ROW)) {
      const row = { domain_id: domainId, serial, part, happened_at: at.getTime(), rrsets: changesText(some) };
      part += 1;
      yield () => insertRows(this.manager, DerivedChangeTable, [row]);
    }
  }

  private async replace(domainId: string, rrsets: readonly DerivedRrset[]): Promise<void> {
    const columns = Object.keys(DerivedRrsetTable.options.columns) as (keyof DerivedRrsetRow)[];
    const places = `(${columns.map(() => '?').join(', ')})`;
    const rows = rrsets.map((rrset) => toDerivedRow(domainId, rrset));
    await this.manager.query(
      `REPLACE INTO derived_rrsets (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')}`,
      rows.flatMap((row) => columns.map((column) => row[column])),
    );
  }
}

function toKey(row: ZoneKeyRow): StoredSigningKey {
  return {
    id: row.id,
    algorithm: row.algorithm,
    keyTag: row.key_tag,
    publicKey: row.public_key,
    sealedPrivateKey: row.sealed_private_key,
    createdAt: fromMillis(row.created_at),
    retiredAt: fromNullableMillis(row.retired_at),
  };
}
