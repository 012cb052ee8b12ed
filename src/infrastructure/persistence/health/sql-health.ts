import type { EntityManager } from 'typeorm';
import type {
  CheckedDomain,
  HealthChange,
  DomainToCheck,
  HealthReader,
  HealthRepository,
} from '../../../application/ports/health/health-repository';
import { HEALTH_STATES, type HealthState } from '../../../domain/health/health-check';
import type { HealthReport } from '../../../domain/health/health-report';
import type { Queries } from '../database/database';
import { columnsOf, placeholders, rowOf, stateOf } from '../database/table';
import { forceIndex } from '../database/mysql/force-index';
import { updateDomains } from '../registration/domains/update-domains';
import { DomainHealthTable, type DomainHealthRow } from './health-table';

const COLUMNS = columnsOf(DomainHealthTable);
const COLUMN_NAMES = Object.keys(DomainHealthTable.options.columns) as (keyof DomainHealthRow)[];
const PLACES = `(${COLUMN_NAMES.map(() => '?').join(', ')})`;

export class SqlHealthReader implements HealthReader {
  constructor(private readonly database: Queries) {}

  async find(domainId: string): Promise<HealthReport | undefined> {
    const [row] = await this.database.query<DomainHealthRow>(
      `SELECT ${COLUMNS} FROM domain_health WHERE domain_id = ?`,
      [domainId],
    );
    return row && toReport(row);
  }

  async statesOf(domainIds: readonly string[]): Promise<ReadonlyMap<string, HealthState>> {
    if (domainIds.length === 0) return new Map();
    const rows = await this.database.query<Pick<DomainHealthRow, 'domain_id' | 'state'>>(
      `SELECT domain_id, state FROM domain_health WHERE domain_id IN (${placeholders(domainIds)})`,
      [...domainIds],
    );
    return new Map(rows.map(({ domain_id: id, state }) => [id, state]));
  }

  async due(latest: Date, limit: number): Promise<readonly DomainToCheck[]> {
    const rows = await this.database.query<{ id: string; account_id: string }>(
      `SELECT id, account_id FROM domains${forceIndex('domains_by_health_check')} WHERE health_checked_at <= ? AND +live_name IS NOT NULL ORDER BY health_checked_at LIMIT ?`,
      [latest.getTime(), limit],
    );
    return rows.map(({ id, account_id: accountId }) => ({ id, accountId }));
  }
}

export class SqlHealthRepository implements HealthRepository {
  constructor(private readonly manager: EntityManager) {}

  async save(checked: readonly CheckedDomain[]): Promise<readonly HealthChange[]> {
    const ids = checked.map(({ domainId }) => domainId);
    if (ids.length === 0) return [];
    const found = await this.manager.query<{ id: string; account_id: string; name: string }[]>(
      `SELECT id, account_id, name FROM domains WHERE id IN (${placeholders(ids)})`,
      ids,
    );
    const accounts = new Map(found.map(({ id, account_id: accountId }) => [id, accountId]));
    const rows = checked.flatMap(({ domainId, report }): DomainHealthRow[] => {
      const accountId = accounts.get(domainId);
      return accountId === undefined ? [] : [toRow(domainId, accountId, report)];
    });
    if (rows.length === 0) return [];
    // Before the results, whose foreign keys lock the domains too, but not for writing.
    const placed = rows.toSorted((one, other) => (one.domain_id < other.domain_id ? -1 : 1));
    const ranks = placed.map((row) => [row.domain_id, HEALTH_STATES.indexOf(row.state)] as const);
    await updateDomains(this.manager, 'health_rank', ranks);
    const times = placed.map((row) => [row.domain_id, row.checked_at] as const);
    await updateDomains(this.manager, 'health_checked_at', times);
    // The domains are locked now, so that each change of a state is returned once.
    const former = await this.manager.query<{ domain_id: string; state: HealthState }[]>(
      `SELECT domain_id, state FROM domain_health WHERE domain_id IN (${placeholders(ids)})`,
      ids,
    );
    const replaced = ['state', 'checked_at', 'report'];
    const onDuplicate =
      this.manager.connection.options.type === 'mysql'
        ? `ON DUPLICATE KEY UPDATE ${replaced.map((column) => `${column} = VALUES(${column})`).join(', ')}`
        : `ON CONFLICT (domain_id) DO UPDATE SET ${replaced.map((column) => `${column} = excluded.${column}`).join(', ')}`;
    await this.manager.query(
      `INSERT INTO domain_health (${COLUMNS}) VALUES ${rows.map(() => PLACES).join(', ')} ${onDuplicate}`,
      rows.flatMap((row) => COLUMN_NAMES.map((column) => row[column])),
    );
    const names = new Map(found.map(({ id, name }) => [id, name]));
    const states = new Map(former.map(({ domain_id: id, state }) => [id, state]));
    return checked.flatMap(({ domainId, report: after }): HealthChange[] => {
      const [accountId, name] = [accounts.get(domainId), names.get(domainId)];
      if (accountId === undefined || name === undefined) return [];
      return [{ accountId, domain: { id: domainId, name }, before: states.get(domainId) ?? null, after }];
    });
  }

  async postpone(domainId: string, at: Date): Promise<void> {
    await updateDomains(this.manager, 'health_checked_at', [[domainId, at.getTime()]]);
  }
}

function toReport(row: DomainHealthRow): HealthReport {
  const { report, ...result } = stateOf(DomainHealthTable, row);
  return { ...report, ...result };
}

function toRow(
  domainId: string,
  accountId: string,
  { state, checkedAt, checks, servers }: HealthReport,
): DomainHealthRow {
  const result = { state, checkedAt, report: { checks, servers } };
  return rowOf(DomainHealthTable, result, { domain_id: domainId, account_id: accountId });
}
