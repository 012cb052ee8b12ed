import type { EntityManager } from 'typeorm';
import type {
  DesiredStateReader,
  DesiredStateRepository,
  StoredSettings,
  StoredState,
} from '../../../application/ports/portfolio/portfolio-repositories';
import type { ListPosition } from '../../../application/ports/storage/page';
import { DRIFT_MODULUS } from '../../../domain/dns/state-drift';
import { zoneOwnerOf, type DesiredSettings } from '../../../domain/portfolio/desired-state';
import type { Queries } from '../database/database';
import { columnsOf, insertRows, rowOf, stateOf } from '../database/table';
import { isRememberedGone } from './gone-names';
import type { SettingChanges } from './setting-changes';
import { DesiredStateTable, type DesiredStateRow } from './portfolio-tables';

type DriftRow = Pick<DesiredStateRow, 'drifted_at' | 'only_settings_drifted' | 'records_drift'>;

export class SqlDesiredStateRepository implements DesiredStateRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
    private readonly changes: SettingChanges,
  ) {}

  async put(stored: StoredState): Promise<void> {
    const { domainId } = stored;
    await this.manager.delete(DesiredStateTable, { domain_id: domainId });
    await insertRows(this.manager, DesiredStateTable, [
      { ...rowOf(DesiredStateTable, stored), only_settings_drifted: null, records_drift: 0 },
    ]);
    await this.manager.query('UPDATE zones SET state_owner = ? WHERE domain_id = ?', [
      zoneOwnerOf(stored.state),
      domainId,
    ]);
  }

  async markRecordsDrifted(domainId: string, sum: number | undefined, at: Date): Promise<void> {
    const sql = `SELECT drifted_at, only_settings_drifted, records_drift FROM desired_states WHERE domain_id = ?${this.forUpdate}`;
    const [row] = await this.manager.query<DriftRow[]>(sql, [domainId]);
    if (!row) return;
    const drift = sum === undefined || isUnknown(row) ? null : (Number(row.records_drift) + sum) % DRIFT_MODULUS;
    const isSettled = drift === 0;
    const ends = isSettled && !(await this.lockSettings(domainId));
    await this.manager.query(
      'UPDATE desired_states SET records_drift = ?, only_settings_drifted = ?, drifted_at = ? WHERE domain_id = ?',
      [drift, isSettled && !ends ? 1 : null, ends ? null : (row.drifted_at ?? at.getTime()), domainId],
    );
    if (isSettled && !ends) this.changes.noteSettledRecords(domainId);
  }

  async markSettingsDrifted(domainId: string, at: Date): Promise<void> {
    const isOnly = 'CASE WHEN drifted_at IS NULL THEN 1 ELSE only_settings_drifted END';
    // MySQL assigns in this order.
    await this.manager.query(
      `UPDATE desired_states SET only_settings_drifted = ${isOnly}, drifted_at = COALESCE(drifted_at, ?) WHERE domain_id = ?`,
      [at.getTime(), domainId],
    );
  }

  async endDriftOfSettings(domainId: string): Promise<void> {
    await this.manager.query(
      'UPDATE desired_states SET drifted_at = NULL, only_settings_drifted = NULL WHERE domain_id = ? AND only_settings_drifted = 1',
      [domainId],
    );
  }

  async lockSettings(domainId: string): Promise<StoredSettings | undefined> {
    // Without the records, which can be many. The driver of MySQL parses JSON.
    const sql = `SELECT account_id, CAST(JSON_EXTRACT(state, '$.settings') AS CHAR) AS settings FROM desired_states WHERE domain_id = ?${this.forUpdate}`;
    const [row] = await this.manager.query<{ account_id: string; settings: string | null }[]>(sql, [domainId]);
    if (!row || row.settings === null) return undefined;
    return { accountId: row.account_id, settings: JSON.parse(row.settings) as DesiredSettings };
  }
}

/** A state that was applied before sums were stored; records that a process of such a version has changed. */
function isUnknown({ drifted_at: driftedAt, only_settings_drifted: isOnly, records_drift: drift }: DriftRow): boolean {
  return drift === null || (drift === 0 && driftedAt !== null && isOnly === null);
}

export class SqlDesiredStateReader implements DesiredStateReader {
  constructor(private readonly database: Queries) {}

  async find(accountId: string, domainId: string): Promise<StoredState | undefined> {
    const sql = `SELECT ${columnsOf(DesiredStateTable)} FROM desired_states WHERE domain_id = ? AND account_id = ?`;
    const [row] = await this.database.query<DesiredStateRow>(sql, [domainId, accountId]);
    return row && stateOf(DesiredStateTable, row);
  }

  async drifted(accountId: string, limit: number, after?: ListPosition): Promise<readonly StoredState[]> {
    const place = after ? ' AND drifted_at >= ? AND (drifted_at > ? OR domain_id > ?)' : ' AND drifted_at IS NOT NULL';
    const sql = `SELECT ${columnsOf(DesiredStateTable)} FROM desired_states WHERE account_id = ?${place}
      ORDER BY drifted_at, domain_id LIMIT ?`;
    const from = after ? [after.createdAt.getTime(), after.createdAt.getTime(), after.id] : [];
    const rows = await this.database.query<DesiredStateRow>(sql, [accountId, ...from, limit]);
    return rows.map((row) => stateOf(DesiredStateTable, row));
  }

  hasGone(accountId: string, name: string): Promise<boolean> {
    return isRememberedGone(this.database, accountId, name);
  }
}
