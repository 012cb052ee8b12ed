import type { CatalogDifference, CatalogMember } from '../../../../application/ports/dns/publishing';
import { counterWithSerial } from '../../../../domain/dns/zone-serial';
import { SERVED_STATUSES } from '../../../../domain/registration/domain-status';
import type { Queries } from '../../database/database';
import type { CatalogChangeRow } from '../dns-tables';

/** The changes are held in memory, but a transfer of the whole catalog is not. */
const MAX_CHANGES = 10_000;
/** From this many changes on, the catalog may be shorter. */
const MANY_CHANGES = 100;

export async function readCatalogDifference(
  queries: Queries,
  serial: number,
  version: number,
): Promise<CatalogDifference | undefined> {
  const from = counterWithSerial(serial, version);
  if (from === undefined || version - from > MAX_CHANGES) return undefined;
  const rows = await queries.query<Pick<CatalogChangeRow, 'domain_id' | 'zone_name' | 'is_member'>>(
    'SELECT domain_id, zone_name, is_member FROM catalog_changes WHERE version > ? AND version <= ? ORDER BY version',
    [from, version],
  );
  if (rows.length !== version - from) return undefined;
  const [added, removed] = [new Map<string, CatalogMember>(), new Map<string, CatalogMember>()];
  for (const { domain_id: domainId, zone_name: zoneName, is_member: isMember } of rows) {
    const [to, other] = isMember === 1 ? [added, removed] : [removed, added];
    if (!other.delete(domainId)) to.set(domainId, { domainId, zoneName });
  }
  const size = added.size + removed.size;
  if (size >= MANY_CHANGES && !(await hasMembers(queries, size))) return undefined;
  return { version, added: [...added.values()], removed: [...removed.values()] };
}

/** Whether the catalog has at least `count` members. */
async function hasMembers(queries: Queries, count: number): Promise<boolean> {
  const sql = `SELECT 1 FROM domains WHERE status IN (${SERVED_STATUSES.map((status) => `'${status}'`).join(', ')}) LIMIT 1 OFFSET ?`;
  return (await queries.query<unknown>(sql, [count - 1])).length > 0;
}
