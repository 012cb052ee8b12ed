import { TouchedRrsets } from '../../../../application/dns/publishing/touched-rrsets';
import type { ZoneDifference } from '../../../../application/ports/dns/published-zones';
import type { DnsRecordState } from '../../../../domain/dns/records/dns-record';
import { counterWithSerial } from '../../../../domain/dns/zone-serial';
import type { Queries } from '../../database/database';
import { derivedBetween, isDerivedKnown } from './derived-differences';
import { AFTER_SERIAL, afterSerial, changesBetween, type CurrentZone } from '../zone-changes';

/** Touched records are held in memory, but a transfer of the whole zone is not. */
const MAX_TOUCHED = 10_000;
/** Beyond the records of the zone: a small zone with a long history is transferred whole. */
const MARGIN = 100;

interface Zone extends CurrentZone {
  readonly recordCount: number;
  readonly nameservers: readonly string[];
  readonly isSigned: boolean;
}

/** @param recordsAt reads the current records at some names, in the snapshot that has `zone` */
export async function readDifference(
  queries: Queries,
  zone: Zone,
  { serial, names }: { readonly serial: number; readonly names: readonly string[] },
  recordsAt: (names: ReadonlySet<string>) => Promise<readonly DnsRecordState[]>,
): Promise<ZoneDifference | undefined> {
  const from = counterWithSerial(serial, zone.serial);
  const most = Math.min(zone.recordCount + MARGIN, MAX_TOUCHED);
  if (from === undefined || zone.serial - from > most) return undefined;
  if (zone.isSigned && !(await isDerivedKnown(queries, zone, from))) return undefined;
  const count = await countTouched(queries, zone, from);
  if (count === undefined || count > most) return undefined;
  const touched = new TouchedRrsets();
  let nameservers: readonly string[] | undefined;
  let read = 0;
  for await (const change of changesBetween(queries, zone, from)) {
    nameservers ??= change.nameserversBefore;
    for (const record of change.records) touched.add(record);
    read += change.records.length;
  }
  // Clean-up can remove versions between two statements.
  if (read !== count || touched.hasAlias) return undefined;
  const present = await recordsAt(new Set([...touched.names, ...names]));
  const derived = zone.isSigned ? await derivedBetween(queries, zone, from) : [];
  return { nameservers: nameservers ?? zone.nameservers, rrsets: touched.compare(present), derived };
}

/** How many records the changes after serial `from` touched; undefined if one of them is missing, or if it does not tell the former delegation. */
async function countTouched(queries: Queries, zone: Zone, from: number): Promise<number | undefined> {
  const sql = `SELECT COUNT(*) AS serials, SUM(added + changed + removed) AS touched,
    SUM(CASE WHEN added + changed + removed = 0 AND nameservers IS NULL THEN 1 ELSE 0 END) AS untold
    FROM zone_changes WHERE ${AFTER_SERIAL} AND part = 0`;
  const [row] = await queries.query<Record<'serials' | 'touched' | 'untold', number | string | null>>(
    sql,
    afterSerial(zone, from),
  );
  // A signed zone has serials without a change of its records.
  const isComplete = zone.isSigned || Number(row?.serials) === zone.serial - from;
  return isComplete && Number(row?.untold) === 0 ? Number(row?.touched ?? 0) : undefined;
}
