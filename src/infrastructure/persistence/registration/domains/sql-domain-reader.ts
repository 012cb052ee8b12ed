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
import { isHosted } from '../../../../domain/registration/domain-status';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { Queries } from '../../database/database';
import { readNameservers } from '../../portfolio/domain-term-rows';
import { fromMillis } from '../../database/table';
import { readDueNames } from './due-names';
import { readNeighbors, readZonesAmong, readZonesBelow } from './name-neighbors';
import { readDomainPage } from './pages/domain-page';
import { SEARCH_LIMITS, type SearchLimits } from './pages/domain-page-sql';
import { DOMAIN_COLUMNS, LISTED_COLUMNS, toDomain, toDomainState, toListed, type ListedRow } from './domain-rows';
import { type DomainRow } from '../registration-tables';

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
    const due = await readDueNames(this.database, 'registered', now.getTime(), limit);
    return due.map(({ id, name }) => ({ id, name }));
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
    const due = await readDueNames(this.database, 'unregistered', now.getTime(), limit);
    return due.map(({ id, name, status, account_id: accountId }) => ({ id, name, status, accountId }));
  }

  async nextDueAt(): Promise<Date | undefined> {
    const [next] = await readDueNames(this.database, 'registered', Number.MAX_SAFE_INTEGER, 1);
    return next && fromMillis(next.due_at);
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
