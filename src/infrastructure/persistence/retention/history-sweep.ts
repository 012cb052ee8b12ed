import type { EntityManager } from 'typeorm';
import type { Removal } from '../../../application/ports/storage/expired-rows';
import type { Database } from '../database/database';
import { deleteSome } from './delete-some';

const ZONES_AT_A_TIME = 500;

interface ZoneRow {
  readonly domain_id: string;
  readonly version: number;
}

interface SweptZone extends ZoneRow {
  /** This version and all earlier ones are older than the cutoff, and enough later versions remain. */
  readonly last: number;
}

/** Removes old versions of all zones, some zones at a time. */
export class HistorySweep {
  /** Zones up to this id are done in this pass. */
  private passed = '';
  /** Found by the last step, and not yet removed. */
  private found: SweptZone[] = [];

  constructor(private readonly database: Database) {}

  async removeSome(before: Date, versions: number, limit: number): Promise<Removal> {
    const zone = this.found[0];
    if (!zone) return this.findMore(before, versions);
    const removed = await this.database.transaction((manager) => removeVersions(manager, zone, limit));
    if (removed < limit) this.found.shift();
    return { removed, more: true };
  }

  private async findMore(before: Date, versions: number): Promise<Removal> {
    const zones = await this.database.query<ZoneRow>(
      'SELECT domain_id, version FROM zones WHERE domain_id > ? ORDER BY domain_id LIMIT ?',
      [this.passed, ZONES_AT_A_TIME],
    );
    for (const zone of zones) {
      if (zone.version <= versions) continue;
      const last = await this.lastExpired(zone, zone.version - versions, before);
      if (last > 0) this.found.push({ ...zone, last });
    }
    const more = zones.length === ZONES_AT_A_TIME;
    this.passed = more ? (zones.at(-1)?.domain_id ?? '') : '';
    return { removed: 0, more: more || this.found.length > 0 };
  }

  /** Below the first version that is kept, so that the history has no gap even if clocks disagree. */
  private async lastExpired({ domain_id: domainId }: ZoneRow, most: number, before: Date): Promise<number> {
    const [oldest] = await this.database.query<ZoneRow & { happened_at: number }>(
      'SELECT version, happened_at FROM zone_changes WHERE domain_id = ? ORDER BY version LIMIT 1',
      [domainId],
    );
    if (!oldest || oldest.version > most || oldest.happened_at >= before.getTime()) return 0;
    const sql =
      'SELECT version FROM zone_changes WHERE domain_id = ? AND version <= ? AND happened_at >= ? ORDER BY version LIMIT 1';
    const [kept] = await this.database.query<ZoneRow>(sql, [domainId, most, before.getTime()]);
    return kept ? kept.version - 1 : most;
  }
}

/** Part 0 of a version is deleted first: without it, the version is no longer listed and cannot be rolled back to. */
function removeVersions(
  manager: EntityManager,
  { domain_id: domainId, last }: SweptZone,
  limit: number,
): Promise<number> {
  return deleteSome(manager, {
    table: 'zone_changes',
    where: 'domain_id = ? AND version <= ?',
    parameters: [domainId, last],
    orderBy: 'domain_id, version, part',
    limit,
  });
}
