import type { DerivedChange, DerivedRrset } from '../../../../application/ports/dns/signing-repository';
import { waitForNextSlice } from '../../../../application/shared/run-cooperatively';
import { canonicalKey } from '../../../../domain/dns/dnssec/canonical-names';
import { RR_TYPE } from '../../../../domain/dns/dnssec/rr-types';
import type { Queries } from '../../database/database';
import { forceIndex } from '../../database/mysql/force-index';
import { columnsOf, rowOf } from '../../database/table';
import { DerivedRrsetTable, type DerivedRrsetRow } from './dnssec-tables';

export const DERIVED_COLUMNS = columnsOf(DerivedRrsetTable, { except: ['domain_id', 'tree_key'] });

const PAGE = 1_000;

/**
 * The `part` of rows in `derived_changes`: of the one that marks a serial at which the history of a signed zone starts, because it does not
 * tell what was before; of the first that does; and of the addresses of ALIAS records, in zones of any kind. Older versions of the
 * service started at 0 and did not keep addresses.
 */
export const START = -1;
export const FIRST = 1;
export const ADDRESSES = -2;

/** As `derived_changes` keeps an RRset. Data is base64. */
export type StoredDerived = readonly [
  name: string,
  type: number,
  ttl: number,
  rdata: readonly string[] | null,
  signatures: readonly string[],
  chainKey: string | null,
];
export type StoredDerivedChange = readonly [before: StoredDerived | null, after: StoredDerived | null];

export const { stateOf: toDerived } = DerivedRrsetTable.mapping;

export function toDerivedRow(domainId: string, derived: DerivedRrset): DerivedRrsetRow {
  const treeKey = derived.type === RR_TYPE.NSEC3 ? canonicalKey(derived.name) : null;
  return rowOf(DerivedRrsetTable, derived, { domain_id: domainId, tree_key: treeKey });
}

/** A JSON array of `StoredDerivedChange`. */
export function changesText(changes: readonly DerivedChange[]): string {
  return JSON.stringify(changes.map(({ before, after }) => [before && toStored(before), after && toStored(after)]));
}

function toStored({ name, type, ttl, rdata, signatures, chainKey }: DerivedRrset): StoredDerived {
  return [name, type, ttl, rdata && rdata.map(toBase64), signatures.map(toBase64), chainKey];
}

function toBase64(data: Buffer): string {
  return data.toString('base64');
}

/** All derived RRsets of a zone by name and type; `queries` must be a snapshot or a transaction. */
export async function* derivedPages(queries: Queries, domainId: string): AsyncGenerator<readonly DerivedRrset[]> {
  const sql = `SELECT ${DERIVED_COLUMNS} FROM derived_rrsets${forceIndex('PRIMARY')} WHERE domain_id = ?`;
  const order = `ORDER BY name, type LIMIT ${PAGE}`;
  for (let last: DerivedRrsetRow | undefined; ;) {
    const rows = last
      ? await queries.query<DerivedRrsetRow>(`${sql} AND name >= ? AND (name > ? OR type > ?) ${order}`, [
          domainId,
          last.name,
          last.name,
          last.type,
        ])
      : await queries.query<DerivedRrsetRow>(`${sql} ${order}`, [domainId]);
    if (rows.length > 0) yield rows.map(toDerived);
    last = rows.at(-1);
    if (rows.length < PAGE) return;
    // SQLite reads in this thread.
    await waitForNextSlice();
  }
}
