import type { LastChange, ZoneHistory, ZoneOfAccount, ZoneVersions } from '../../../application/ports/dns/zone-queries';
import type { RecordTouched, ZonePast, ZoneVersion } from '../../../application/ports/dns/zone-repository';
import type { Database } from '../database/database';
import { mappingOf, placeholders } from '../database/table';
import { ZoneChangeTable, type ZoneChangeRow } from './dns-tables';
import { allRecords } from './sql-zone-reader';
import { changesOf, hostsOf, pastOf, smallChangesOf } from './zone-changes';

const SUMMARY = ['version', 'happened_at', 'actor', 'added', 'changed', 'removed'] as const;
const LAST_CHANGE = ['version', 'happened_at', 'actor'] as const;
type VersionRow = Pick<ZoneChangeRow, (typeof SUMMARY)[number] | 'nameservers'>;
const { stateOf: toSummary } = mappingOf(ZoneChangeTable, SUMMARY);
const { stateOf: toLastChange } = mappingOf(ZoneChangeTable, LAST_CHANGE);

const ALL_VERSIONS =
  'SELECT version, happened_at, actor, added, changed, removed, nameservers FROM zone_changes WHERE domain_id = ? AND part = 0';
const VERSIONS = `${ALL_VERSIONS} AND version >= (SELECT history_from FROM zones WHERE domain_id = ?)`;

function toVersion(row: VersionRow): ZoneVersion {
  return { ...toSummary(row), nameserversBefore: hostsOf(row.nameservers) };
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
    const rows = await this.database.query<Pick<VersionRow, (typeof LAST_CHANGE)[number]> & { id: string }>(sql, [
      domainId,
      ...recordIds,
    ]);
    return new Map(rows.map((row) => [row.id, toLastChange(row)]));
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
