import type {
  PublishedDerived,
  PublishedDerivedChange,
  RrsetChange,
} from '../../../../application/ports/dns/publishing';
import { yieldBetween } from '../../../../application/shared/run-cooperatively';
import type { Queries } from '../../database/database';
import { addressChanges } from '../aliases/address-history';
import { ADDRESSES, FIRST, START, type StoredDerived, type StoredDerivedChange } from '../dnssec/derived-rows';
import type { DerivedChangeRow } from '../dnssec/dnssec-tables';
import type { TransferredZone } from '../zone-changes';

/** Octets of history that a transfer may hold in memory. With more, the whole zone is streamed instead. */
const MAX_STORED = 8 * 1024 * 1024;
const ROWS_PER_READ = 50;

type DifferingZone = TransferredZone & { readonly isSigned: boolean };
type HistoryRow = Pick<DerivedChangeRow, 'serial' | 'part' | 'rrsets'>;

/** The changes of derived RRsets in the history after a serial. */
export interface DerivedHistory {
  readonly derived: readonly PublishedDerivedChange[];
  readonly addresses: readonly RrsetChange[];
  /** The serials of a signed zone whose signatures are told. */
  readonly signed: ReadonlySet<number>;
  /** The serials of which the addresses of ALIAS records are told. */
  readonly addressed: ReadonlySet<number>;
}

/** The derived RRsets that changed after serial `from`. Undefined if the history does not tell, or is too long. */
export async function derivedBetween(
  queries: Queries,
  zone: DifferingZone,
  from: number,
): Promise<DerivedHistory | undefined> {
  if (zone.isSigned && !(await wasSigned(queries, zone, from))) return undefined;
  const derived = new Map<string, PublishedDerivedChange>();
  const addresses = new Map<string, RrsetChange>();
  const [signed, addressed] = [new Set<number>(), new Set<number>()];
  let stored = 0;
  for await (const { serial, part, rrsets } of rowsBetween(queries, zone, from)) {
    stored += rrsets.length;
    if (stored > MAX_STORED) return undefined;
    if (part === ADDRESSES) {
      addressed.add(serial);
      const changes = addressChanges(rrsets);
      if (!changes) return undefined;
      for (const { name, type, before, after } of changes) {
        const known = addresses.get(`${name} ${type}`);
        addresses.set(`${name} ${type}`, { name, type, before: known?.before ?? before, after });
      }
    } else if (part >= FIRST) {
      signed.add(serial);
      for (const [before, now] of JSON.parse(rrsets) as StoredDerivedChange[]) {
        const key = `${(before ?? now)?.[0]} ${(before ?? now)?.[1]}`;
        const known = derived.get(key);
        derived.set(key, { before: known ? known.before : toPublished(before), after: toPublished(now) });
      }
    } else return undefined;
  }
  return { derived: [...derived.values()], addresses: [...addresses.values()], signed, addressed };
}

/** Whether the zone had signatures at serial `from`. */
async function wasSigned(queries: Queries, { domainId }: TransferredZone, from: number): Promise<boolean> {
  const sql = `SELECT 1 FROM derived_changes WHERE domain_id = ? AND serial = ? AND part IN (${START}, ${FIRST})`;
  return (await queries.query<unknown>(sql, [domainId, from])).length > 0;
}

async function* rowsBetween(
  queries: Queries,
  { domainId, serial, isSigned }: DifferingZone,
  from: number,
): AsyncGenerator<HistoryRow> {
  const parts = isSigned ? '' : ` AND part = ${ADDRESSES}`;
  const sql = `SELECT serial, part, rrsets FROM derived_changes WHERE domain_id = ? AND serial > ? AND serial <= ?${parts} AND (serial > ? OR serial = ? AND part > ?) ORDER BY serial, part LIMIT ${ROWS_PER_READ}`;
  let after = { serial: from, part: 0 };
  for (;;) {
    const rows = await queries.query<HistoryRow>(sql, [domainId, from, serial, after.serial, after.serial, after.part]);
    yield* yieldBetween(rows);
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_READ) return;
    after = last;
  }
}

function toPublished(stored: StoredDerived | null): PublishedDerived | null {
  if (!stored) return null;
  const [name, type, ttl, rdata, signatures, chainKey] = stored;
  return { name, type, ttl, rdata: rdata && rdata.map(fromBase64), signatures: signatures.map(fromBase64), chainKey };
}

function fromBase64(data: string): Buffer {
  return Buffer.from(data, 'base64');
}
