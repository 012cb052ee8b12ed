import { TouchedRrsets } from '../../../../application/dns/publishing/touched-rrsets';
import type { RecordTouched } from '../../../../application/ports/dns/zone-repository';
import type { RrsetChange, ZoneDifference } from '../../../../application/ports/dns/publishing';
import { DnsRecord, type DnsRecordState } from '../../../../domain/dns/records/dns-record';
import { groupedBy } from '../../../../domain/shared/grouped-by';
import { counterWithSerial } from '../../../../domain/dns/zone-serial';
import type { Queries } from '../../database/database';
import { derivedBetween, type DerivedHistory } from './derived-differences';
import { AFTER_VERSION, changesBetween, lastVersionAt, type TransferredZone } from '../zone-changes';

/** Touched records are held in memory, but a transfer of the whole zone is not. */
const MAX_TOUCHED = 10_000;
/** Beyond the records of the zone: a small zone with a long history is transferred whole. */
const MARGIN = 100;

const NO_HISTORY: DerivedHistory = { derived: [], addresses: [], signed: new Set(), addressed: new Set() };

interface Zone extends TransferredZone {
  readonly recordCount: number;
  readonly nameservers: readonly string[];
  readonly isSigned: boolean;
}

/** @param recordsAt reads the current records at some names, in the snapshot that has `zone`; ALIAS records as they are stored */
export async function readDifference(
  queries: Queries,
  zone: Zone,
  { serial, names }: { readonly serial: number; readonly names: readonly string[] },
  recordsAt: (names: ReadonlySet<string>) => Promise<readonly DnsRecordState[]>,
): Promise<ZoneDifference | undefined> {
  const from = counterWithSerial(serial, zone.serial);
  const most = Math.min(zone.recordCount + MARGIN, MAX_TOUCHED);
  if (from === undefined || zone.serial - from > most) return undefined;
  // Each version touched a record or raised the serial.
  const version = await lastVersionAt(queries, zone, from, 2 * most);
  const count = version === undefined ? undefined : await countTouched(queries, zone, version);
  if (version === undefined || count === undefined || count > most) return undefined;
  const touched = new TouchedRrsets();
  let nameservers: readonly string[] | undefined;
  let read = 0;
  const versions = new Set<number>();
  const withAlias = new Set<number>();
  for await (const change of changesBetween(queries, zone, version)) {
    read += change.records.length;
    nameservers ??= change.nameserversBefore;
    const served = change.records.filter(isServedOtherwise);
    if (served.length === 0 && change.records.length > 0) continue;
    versions.add(change.serial);
    if (served.some(isOfAlias)) withAlias.add(change.serial);
    for (const record of served) touched.add(record);
  }
  // Clean-up can remove versions between two statements.
  if (read !== count) return undefined;
  const isSimple = !zone.isSigned && withAlias.size === 0 && versions.size === zone.serial - from;
  const history = isSimple ? NO_HISTORY : await derivedBetween(queries, zone, from);
  if (!history || [...withAlias].some((each) => !history.addressed.has(each))) return undefined;
  const known = new Set([...versions, ...(zone.isSigned ? history.signed : history.addressed)]);
  const rrsets = touched.compare(await recordsAt(new Set([...touched.names, ...names])));
  // The history does not tell whether these names have or had addresses.
  const isUnclear = rrsets.some(({ name, type }) => type === 'ALIAS' && names.includes(name));
  if (known.size !== zone.serial - from || isUnclear) return undefined;
  return {
    nameservers: nameservers ?? zone.nameservers,
    rrsets: merged([...rrsets.filter(({ type }) => type !== 'ALIAS'), ...history.addresses]),
    derived: history.derived,
  };
}

/** An ALIAS record may take the place of addresses, or the other way round. */
function merged(changes: readonly RrsetChange[]): readonly RrsetChange[] {
  return [...groupedBy(changes, ({ name, type }) => `${name} ${type}`).values()].map((same) => ({
    ...(same[0] as RrsetChange),
    before: same.flatMap(({ before }) => before),
    after: same.flatMap(({ after }) => after),
  }));
}

function isOfAlias({ before, after }: RecordTouched): boolean {
  return before?.type === 'ALIAS' || after?.type === 'ALIAS';
}

/** A change of a comment is not served. */
function isServedOtherwise({ before, after }: RecordTouched): boolean {
  return !before || !after || !DnsRecord.fromState(before).isServedAs(DnsRecord.fromState(after));
}

/** How many records the changes after a version touched; undefined if one of them does not tell the former delegation. */
async function countTouched(
  queries: Queries,
  { domainId, serial, offset }: Zone,
  from: number,
): Promise<number | undefined> {
  const sql = `SELECT SUM(added + changed + removed) AS touched,
    SUM(CASE WHEN added + changed + removed = 0 AND nameservers IS NULL THEN 1 ELSE 0 END) AS untold
    FROM zone_changes WHERE ${AFTER_VERSION} AND part = 0`;
  const [row] = await queries.query<Record<'touched' | 'untold', number | string | null>>(sql, [
    domainId,
    from,
    serial - offset,
  ]);
  return Number(row?.untold ?? 0) === 0 ? Number(row?.touched ?? 0) : undefined;
}
