import type {
  LastChange,
  RecordTouched,
  ZoneHistory,
  ZoneOfAccount,
  ZonePast,
  ZoneVersion,
  ZoneVersions,
} from '../../../application/ports/dns/zone-repository';
import { parseActor } from '../../../domain/access/actor';
import type { Database } from '../database/database';
import { fromMillis, placeholders } from '../database/table';
import { allRecords } from './sql-zone-reader';
import { changesOf, hostsOf, pastOf, smallChangesOf } from './zone-changes';

interface VersionRow {
  readonly version: number;
  readonly happened_at: number;
  readonly actor: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly nameservers: string | null;
}

const ALL_VERSIONS =
  'SELECT version, happened_at, actor, added, changed, removed, nameservers FROM zone_changes WHERE domain_id = ? AND part = 0';
const VERSIONS = `${ALL_VERSIONS} AND version >= (SELECT history_from FROM zones WHERE domain_id = ?)`;

function toVersion({ happened_at, actor, nameservers, ...row }: VersionRow): ZoneVersion {
  const nameserversBefore = hostsOf(nameservers);
  return { ...row, at: fromMillis(happened_at), actor: parseActor(actor), nameserversBefore };
}

export class SqlZoneHistory implements ZoneHistory {
  constructor(private readonly database: Database) {}

  async page(domainId: string, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<readonly ZoneVersion[]> {
    const sql = `${VERSIONS} AND version < ? ORDER BY version DESC LIMIT ?`;
    return (await this.database.query<VersionRow>(sql, [domainId, domainId, before, limit])).map(toVersion);
  }

  async wholePage(domainId: string, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<readonly ZoneVersion[]> {
    const sql = `${ALL_VERSIONS} AND version < ? ORDER BY version DESC LIMIT ?`;
    return (await this.database.query<VersionRow>(sql, [domainId, before, limit])).map(toVersion);
  }

  smallChanges(domainId: string, versions: readonly number[]): Promise<ReadonlyMap<number, readonly RecordTouched[]>> {
    return smallChangesOf(this.database, domainId, versions);
  }

  async lastChanges(domainId: string, recordIds: readonly string[]): Promise<ReadonlyMap<string, LastChange>> {
    if (recordIds.length === 0) return new Map();
    const sql = `SELECT r.id, c.version, c.happened_at, c.actor FROM dns_records r
      JOIN zone_changes c ON c.domain_id = r.domain_id AND c.version = r.version AND c.part = 0
      JOIN zones z ON z.domain_id = r.domain_id AND c.version >= z.history_from
      WHERE r.domain_id = ? AND r.id IN (${placeholders(recordIds)})`;
    const rows = await this.database.query<Pick<VersionRow, 'version' | 'happened_at' | 'actor'> & { id: string }>(
      sql,
      [domainId, ...recordIds],
    );
    return new Map(
      rows.map(({ id, version, happened_at, actor }) => [
        id,
        { version, at: fromMillis(happened_at), actor: parseActor(actor) },
      ]),
    );
  }

  withPast<T>(
    { accountId, domainId }: ZoneOfAccount,
    use: (past: ZonePast & ZoneVersions) => Promise<T>,
  ): Promise<T | undefined> {
    return this.database.snapshot(async (queries) => {
      const [zone] = await queries.query<{ version: number; serial: number }>(
        'SELECT version, version + serial_offset AS serial FROM zones WHERE domain_id = ?',
        [domainId],
      );
      if (!zone) return undefined;
      const past = await pastOf(queries, { domainId, ...zone }, () => allRecords(queries, domainId));
      return use({
        ...past,
        find: async (version) =>
          (await queries.query<VersionRow>(`${VERSIONS} AND version = ?`, [domainId, domainId, version])).map(
            toVersion,
          )[0],
        changesOf: (version) => changesOf(queries, domainId, version),
      });
    }, accountId);
  }
}
