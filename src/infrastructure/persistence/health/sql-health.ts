import type { EntityManager } from 'typeorm';
import type {
  CheckedDomain,
  DomainToCheck,
  HealthReader,
  HealthRepository,
} from '../../../application/ports/health/health-repository';
import type { HealthState } from '../../../domain/health/health-check';
import type { HealthReport } from '../../../domain/health/health-report';
import type { Queries } from '../database/database';
import { columnsOf, fromMillis, fromNullableMillis } from '../database/table';
import { placeholders } from '../dns/sql-zone-reader';
import { DomainHealthTable, type DomainHealthRow } from './health-table';

const COLUMNS = columnsOf(DomainHealthTable);
const COLUMN_NAMES = Object.keys(DomainHealthTable.options.columns) as (keyof DomainHealthRow)[];
const PLACES = `(${COLUMN_NAMES.map(() => '?').join(', ')})`;

type StoredReport = Pick<HealthReport, 'checks' | 'servers'>;

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

  async walk(limit: number, afterId = ''): Promise<readonly DomainToCheck[]> {
    const rows = await this.database.query<{ id: string; account_id: string; checked_at: number | null }>(
      `SELECT domains.id, domains.account_id, domain_health.checked_at FROM domains
        LEFT JOIN domain_health ON domain_health.domain_id = domains.id
        WHERE domains.id > ? AND domains.status NOT IN ('gone', 'transferred_out') ORDER BY domains.id LIMIT ?`,
      [afterId, limit],
    );
    return rows.map(({ id, account_id: accountId, checked_at: checkedAt }) => ({
      id,
      accountId,
      checkedAt: fromNullableMillis(checkedAt),
    }));
  }
}

export class TypeOrmHealthRepository implements HealthRepository {
  constructor(private readonly manager: EntityManager) {}

  async save(checked: readonly CheckedDomain[]): Promise<void> {
    const ids = checked.map(({ domainId }) => domainId);
    if (ids.length === 0) return;
    const found = await this.manager.query<{ id: string; account_id: string }[]>(
      `SELECT id, account_id FROM domains WHERE id IN (${placeholders(ids)})`,
      ids,
    );
    const accounts = new Map(found.map(({ id, account_id: accountId }) => [id, accountId]));
    const rows = checked.flatMap(({ domainId, report }): DomainHealthRow[] => {
      const accountId = accounts.get(domainId);
      return accountId === undefined ? [] : [toRow(domainId, accountId, report)];
    });
    if (rows.length === 0) return;
    const replaced = ['state', 'checked_at', 'report'];
    const onDuplicate =
      this.manager.connection.options.type === 'mysql'
        ? `ON DUPLICATE KEY UPDATE ${replaced.map((column) => `${column} = VALUES(${column})`).join(', ')}`
        : `ON CONFLICT (domain_id) DO UPDATE SET ${replaced.map((column) => `${column} = excluded.${column}`).join(', ')}`;
    await this.manager.query(
      `INSERT INTO domain_health (${COLUMNS}) VALUES ${rows.map(() => PLACES).join(', ')} ${onDuplicate}`,
      rows.flatMap((row) => COLUMN_NAMES.map((column) => row[column])),
    );
  }
}

function toReport({ state, checked_at: checkedAt, report }: DomainHealthRow): HealthReport {
  return { ...(JSON.parse(report) as StoredReport), state, checkedAt: fromMillis(checkedAt) };
}

function toRow(
  domainId: string,
  accountId: string,
  { state, checkedAt, checks, servers }: HealthReport,
): DomainHealthRow {
  const report: StoredReport = { checks, servers };
  return {
    domain_id: domainId,
    account_id: accountId,
    state,
    checked_at: checkedAt.getTime(),
    report: JSON.stringify(report),
  };
}
