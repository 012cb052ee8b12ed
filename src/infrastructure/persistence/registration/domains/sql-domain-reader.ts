import type {
  DomainFilter,
  DomainReader,
  ListedDomain,
  NamedDomain,
  UnregisteredName,
} from '../../../../application/ports/registration/domain-repository';
import type { ListPosition, Page } from '../../../../application/ports/storage/page';
import type { NameNeighbors } from '../../../../domain/dns/zone-names/zone-ownership';
import type { Domain, DomainState } from '../../../../domain/registration/domain';
import { isHosted, UNREGISTERED_STATUSES } from '../../../../domain/registration/domain-status';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { Queries } from '../../database/database';
import { readNameservers } from '../../portfolio/domain-term-rows';
import { fromMillis } from '../../database/table';
import { readNeighbors, readZonesAmong, readZonesBelow } from './name-neighbors';
import { readDomainPage } from './pages/domain-page';
import { SEARCH_LIMITS, type SearchLimits } from './pages/domain-page-sql';
import { DOMAIN_COLUMNS, LISTED_COLUMNS, toDomain, toDomainState, toListed, type ListedRow } from './domain-rows';
import { type DomainRow } from '../registration-tables';

const UNREGISTERED = UNREGISTERED_STATUSES.map((status) => `'${status}'`).join(', ');

export class SqlDomainReader implements DomainReader {
  constructor(
    private readonly database: Queries,
    private readonly limits: SearchLimits = SEARCH_LIMITS,
  ) {}

  async find(accountId: string, id: string): Promise<Domain | undefined> {
    const [row] = await this.database.query<DomainRow>(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = ? AND account_id = ? AND status <> 'gone'`,
      [id, accountId],
    );
    return toDomain(row);
  }

  async findEvenGone(accountId: string, id: string): Promise<Domain | undefined> {
    const [row] = await this.database.query<DomainRow>(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = ? AND account_id = ?`,
      [id, accountId],
    );
    return toDomain(row);
  }

  async due(now: Date, limit: number): Promise<readonly NamedDomain[]> {
    return this.database.query<NamedDomain>(
      `SELECT id, name FROM domains WHERE due_at <= ? AND status NOT IN (${UNREGISTERED}) ORDER BY due_at LIMIT ?`,
      [now.getTime(), limit],
    );
  }

  async liveAmong(names: readonly string[]): Promise<readonly DomainState[]> {
    return (await this.zonesAmong(names)).filter(({ status }) => !isHosted(status));
  }

  async zonesAmong(names: readonly string[]): Promise<readonly DomainState[]> {
    return readZonesAmong(this.database, names);
  }

  async zonesBelow(accountId: string, name: string): Promise<readonly DomainState[]> {
    return readZonesBelow(this.database, accountId, name);
  }

  async livePage(limit: number, afterId = ''): Promise<readonly DomainState[]> {
    const rows = await this.database.query<DomainRow>(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id > ? AND live_name IS NOT NULL AND status <> 'hosted' ORDER BY id LIMIT ?`,
      [afterId, limit],
    );
    return rows.map(toDomainState);
  }

  async nameserversAmong(hosts: readonly string[]): Promise<readonly string[]> {
    return readNameservers(this.database, hosts);
  }

  async neighbors(name: string, accountId: string): Promise<NameNeighbors> {
    return readNeighbors(this.database, name, accountId);
  }

  async dueUnregistered(now: Date, limit: number): Promise<readonly UnregisteredName[]> {
    const sql = `SELECT id, name, account_id, status FROM domains WHERE due_at <= ? AND status IN (${UNREGISTERED}) ORDER BY due_at LIMIT ?`;
    const rows = await this.database.query<Pick<DomainRow, 'id' | 'name' | 'account_id' | 'status'>>(sql, [
      now.getTime(),
      limit,
    ]);
    return rows.map(({ account_id: accountId, ...row }) => ({ ...row, accountId }));
  }

  async nextDueAt(): Promise<Date | undefined> {
    const [row] = await this.database.query<{ due_at: number }>(
      `SELECT due_at FROM domains WHERE due_at IS NOT NULL AND status NOT IN (${UNREGISTERED}) ORDER BY due_at LIMIT 1`,
    );
    return row && fromMillis(row.due_at);
  }

  async findByName(accountId: string, name: DomainName): Promise<Domain | undefined> {
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE account_id = ? AND name = ? AND status <> 'gone' ORDER BY live_name IS NULL, created_at DESC LIMIT 1`;
    const [row] = await this.database.query<DomainRow>(sql, [accountId, name.value]);
    return toDomain(row);
  }

  async page(
    accountId: string,
    filter: DomainFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<Page<ListedDomain, ListPosition>> {
    const { rows, next } = await readDomainPage<ListedRow>(
      this.database,
      {
        columns: LISTED_COLUMNS,
        accountId,
        filter,
        ordering: {
          column: 'created_at',
          descending: false,
          index: filter.status === undefined ? 'domains_by_account' : 'domains_by_status_and_creation',
          hasStatus: true,
        },
        limit,
        after: after && { value: after.createdAt.getTime(), id: after.id },
      },
      this.limits,
    );
    return {
      items: rows.map(toListed),
      next: next && { createdAt: fromMillis(Number(next.value)), id: next.id },
    };
  }
}
