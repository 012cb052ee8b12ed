import type { EntityManager } from 'typeorm';
import type {
  ZoneState,
  UnrecordedZone,
  ZonePublicationReader,
  ZonePublicationRepository,
} from '../../../application/ports/dns/publishing';
import type { Queries } from '../database/database';
import { placeholders } from '../database/table';
import type { ZonePublicationRow } from './dns-tables';
import { IS_SERVED } from './transfers/sql-published-zones';

const UNRECORDED = `SELECT d.id, d.name, d.account_id, z.version, z.version + z.serial_offset AS serial
  FROM domains d JOIN zones z ON z.domain_id = d.id JOIN event_feeds f ON f.account_id = d.account_id
  LEFT JOIN zone_publications p ON p.domain_id = d.id
  WHERE ${IS_SERVED} AND f.publications_from <= z.changed_at AND (p.serial IS NULL OR p.serial < z.version + z.serial_offset)`;

interface UnrecordedRow {
  readonly id: string;
  readonly name: string;
  readonly account_id: string;
  readonly version: number;
  readonly serial: number;
}

export class SqlZonePublicationReader implements ZonePublicationReader {
  constructor(private readonly database: Queries) {}

  async unrecorded(zoneNames: readonly string[]): Promise<readonly UnrecordedZone[]> {
    if (zoneNames.length === 0) return [];
    const sql = `${UNRECORDED} AND d.live_name IN (${placeholders(zoneNames)})`;
    const rows = await this.database.query<UnrecordedRow>(sql, zoneNames);
    return rows.map(({ id, name, account_id: accountId, version, serial }) => ({
      domainId: id,
      zoneName: name,
      accountId,
      version,
      serial,
    }));
  }
}

export class SqlZonePublicationRepository implements ZonePublicationRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async advance<Z extends Pick<ZoneState, 'domainId' | 'serial'>>(zones: readonly Z[]): Promise<readonly Z[]> {
    if (zones.length === 0) return [];
    const ids = zones.map(({ domainId }) => domainId).toSorted();
    // The rows exist before they are locked: of two processes, one waits for the other, and finds its serials.
    const ignoring = this.manager.connection.options.type === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
    await this.manager.query(
      `${ignoring} INTO zone_publications (domain_id, serial) VALUES ${ids.map(() => '(?, -1)').join(', ')}`,
      ids,
    );
    const rows = await this.manager.query<ZonePublicationRow[]>(
      `SELECT domain_id, serial FROM zone_publications WHERE domain_id IN (${placeholders(ids)}) ORDER BY domain_id${this.forUpdate}`,
      ids,
    );
    const stored = new Map(rows.map(({ domain_id: id, serial }) => [id, serial]));
    const risen = zones.filter(({ domainId, serial }) => serial > (stored.get(domainId) ?? -1));
    if (risen.length === 0) return [];
    const cases = risen.map(() => 'WHEN ? THEN ?').join(' ');
    await this.manager.query(
      `UPDATE zone_publications SET serial = CASE domain_id ${cases} END WHERE domain_id IN (${placeholders(risen)})`,
      [...risen.flatMap(({ domainId, serial }) => [domainId, serial]), ...risen.map(({ domainId }) => domainId)],
    );
    return risen;
  }
}
