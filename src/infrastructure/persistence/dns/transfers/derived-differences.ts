import type { PublishedDerived, PublishedDerivedChange } from '../../../../application/ports/dns/published-zones';
import { yieldBetween } from '../../../../application/run-cooperatively';
import type { Queries } from '../../database/database';
import { START, type StoredDerived, type StoredDerivedChange } from '../dnssec/derived-rows';
import { AFTER_SERIAL, afterSerial, type CurrentZone } from '../zone-changes';

/** Octets of history that a transfer may hold in memory. With more, the whole zone is streamed instead. */
const MAX_STORED = 8 * 1024 * 1024;
const ROWS_PER_READ = 50;

/** Whether every change after serial `from` of a signed zone is stored, and the zone had signatures then. */
export async function isDerivedKnown(queries: Queries, zone: CurrentZone, from: number): Promise<boolean> {
  const { domainId, serial } = zone;
  const [row] = await queries.query<Record<'started' | 'restarted' | 'stored' | 'aliases', number | string | null>>(
    `SELECT (SELECT COUNT(*) FROM derived_changes WHERE domain_id = ? AND serial = ? AND part <= 0) AS started,
      (SELECT COUNT(*) FROM derived_changes WHERE domain_id = ? AND serial > ? AND serial <= ? AND part = ${START}) AS restarted,
      (SELECT SUM(LENGTH(rrsets)) FROM derived_changes WHERE domain_id = ? AND serial > ? AND serial <= ?) AS stored,
      (SELECT COUNT(*) FROM dns_records WHERE domain_id = ? AND type = 'ALIAS') AS aliases`,
    [domainId, from, domainId, from, serial, domainId, from, serial, domainId],
  );
  if (Number(row?.started) !== 1 || Number(row?.restarted) > 0) return false;
  // The addresses of ALIAS records have no history.
  if (Number(row?.aliases) > 0 || Number(row?.stored) > MAX_STORED) return false;
  const [known] = await queries.query<{ serials: number }>(
    `SELECT COUNT(*) AS serials FROM (
      SELECT version + serial_offset AS serial FROM zone_changes WHERE ${AFTER_SERIAL} AND part = 0
      UNION SELECT serial FROM derived_changes WHERE domain_id = ? AND serial > ? AND serial <= ?) AS known`,
    [...afterSerial(zone, from), domainId, from, serial],
  );
  return known?.serials === serial - from;
}

/** The derived RRsets that changed after serial `from`. */
export async function derivedBetween(
  queries: Queries,
  { domainId, serial }: CurrentZone,
  from: number,
): Promise<readonly PublishedDerivedChange[]> {
  const sql = `SELECT serial, part, rrsets FROM derived_changes WHERE domain_id = ? AND serial > ? AND serial <= ? AND (serial > ? OR serial = ? AND part > ?) ORDER BY serial, part LIMIT ${ROWS_PER_READ}`;
  const changes = new Map<string, PublishedDerivedChange>();
  let after = { serial: from, part: 0 };
  for (;;) {
    const rows = await queries.query<{ serial: number; part: number; rrsets: string }>(sql, [
      domainId,
      from,
      serial,
      after.serial,
      after.serial,
      after.part,
    ]);
    for await (const { rrsets } of yieldBetween(rows)) {
      for (const [before, now] of JSON.parse(rrsets) as StoredDerivedChange[]) {
        const key = `${(before ?? now)?.[0]} ${(before ?? now)?.[1]}`;
        const known = changes.get(key);
        changes.set(key, { before: known ? known.before : toPublished(before), after: toPublished(now) });
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_READ) return [...changes.values()];
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
