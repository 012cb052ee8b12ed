import type { EntityManager } from 'typeorm';
import type {
  DomainFilter,
  DomainReader,
  DomainRepository,
  ListedDomain,
  NamedDomain,
  WantedDomain,
} from '../../../../application/ports/registration/domain-repository';
import type { ListPosition, Page } from '../../../../application/ports/storage/page';
import { settleAll } from '../../../../application/shared/settle-all';
import type { Domain, DomainState } from '../../../../domain/registration/domain';
import type { DomainName } from '../../../../domain/shared/domain-name';
import { DomainUnavailable } from '../../../../domain/registration/registration-errors';
import type { Queries } from '../../database/database';
import { chunks } from '../../dns/sql-zone-reader';
import { insertTerms, readNameservers, updateTerms } from '../../portfolio/domain-term-rows';
import { isDuplicate } from '../../database/database-errors';
import { fromMillis } from '../../database/table';
import { updateDomainCounts, type CountedRow } from './domain-counts';
import { insertNameGrams } from './domain-name-search';
import { readDomainPage } from './domain-page';
import { SEARCH_LIMITS, type SearchLimits } from './domain-page-sql';
import {
  differences,
  DOMAIN_COLUMNS,
  LISTED,
  toDomain,
  toDomainState,
  toListed,
  toRow,
  type ListedRow,
} from './domain-rows';
import { DomainTable, type DomainRow } from '../registration-tables';

/** Databases limit the parameters of a statement. */
const NAMES_PER_QUERY = 1_000;

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
      "SELECT id, name FROM domains WHERE due_at <= ? AND status <> 'gone' ORDER BY due_at LIMIT ?",
      [now.getTime(), limit],
    );
  }

  async liveAmong(names: readonly string[]): Promise<readonly DomainState[]> {
    const found: DomainState[] = [];
    for (const some of chunks(names, NAMES_PER_QUERY)) {
      const marks = some.map(() => '?').join(', ');
      const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE live_name IN (${marks})`;
      found.push(...(await this.database.query<DomainRow>(sql, [...some])).map(toDomainState));
    }
    return found;
  }

  async livePage(limit: number, afterId = ''): Promise<readonly DomainState[]> {
    const rows = await this.database.query<DomainRow>(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id > ? AND live_name IS NOT NULL ORDER BY id LIMIT ?`,
      [afterId, limit],
    );
    return rows.map(toDomainState);
  }

  async nameserversAmong(hosts: readonly string[]): Promise<readonly string[]> {
    return readNameservers(this.database, hosts);
  }

  async nextDueAt(): Promise<Date | undefined> {
    const [row] = await this.database.query<{ due_at: number }>(
      "SELECT due_at FROM domains WHERE due_at IS NOT NULL AND status <> 'gone' ORDER BY due_at LIMIT 1",
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
        columns: LISTED.join(', '),
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

export class SqlDomainRepository implements DomainRepository {
  private readonly locked = new Map<string, DomainState>();
  private readonly counts: { readonly left: CountedRow[]; readonly come: CountedRow[] } = { left: [], come: [] };

  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
    private readonly skipLocked: string,
  ) {}

  async findEach(wanted: readonly WantedDomain[]): Promise<readonly (Domain | undefined)[]> {
    if (wanted.length === 0) return [];
    const marks = wanted.map(() => '?').join(', ');
    const rows = await this.manager.query<DomainRow[]>(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id IN (${marks}) AND status <> 'gone'`,
      wanted.map(({ domainId }) => domainId),
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    return wanted.map(({ accountId, domainId }) => {
      const row = found.get(domainId);
      return row?.account_id === accountId ? toDomain(row) : undefined;
    });
  }

  async nameserversAmong(hosts: readonly string[]): Promise<readonly string[]> {
    return readNameservers(this.manager, hosts);
  }

  async lock(accountId: string, id: string): Promise<Domain | undefined> {
    const domain = await this.lockAny(id);
    return domain?.toState().accountId === accountId ? domain : undefined;
  }

  async lockAny(id: string): Promise<Domain | undefined> {
    return this.locking("id = ? AND status <> 'gone'", id);
  }

  async lockByName(name: DomainName): Promise<Domain | undefined> {
    return this.locking('live_name = ?', name.value);
  }

  async lockIfFree(id: string): Promise<Domain | undefined> {
    return this.locking('id = ?', id, this.skipLocked);
  }

  private async locking(condition: string, value: string, skipLocked = ''): Promise<Domain | undefined> {
    const [row] = await this.manager.query<DomainRow[]>(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE ${condition}${this.forUpdate}${skipLocked}`,
      [value],
    );
    const domain = toDomain(row);
    if (domain) this.locked.set(domain.id, domain.toState());
    return domain;
  }

  async add(domain: Domain): Promise<void> {
    const row = toRow(domain.toState());
    try {
      await settleAll([
        this.manager.insert(DomainTable, row),
        insertNameGrams(this.manager, row),
        insertTerms(this.manager, domain.toState()),
      ]);
      this.counts.come.push(row);
    } catch (error) {
      if (isDuplicate(error)) throw new DomainUnavailable(undefined, { cause: error });
      throw error;
    }
  }

  async save(domain: Domain): Promise<void> {
    const state = domain.toState();
    const before = this.locked.get(state.id);
    const [row, rowBefore] = [toRow(state), before && toRow(before)];
    const changes = differences(rowBefore, row);
    if (Object.keys(changes).length > 0) {
      const counted = rowBefore ? [rowBefore] : await this.countedRows(state.id);
      await this.manager.update(DomainTable, { id: state.id }, changes);
      await updateTerms(this.manager, before, state);
      this.counts.left.push(...counted);
      this.counts.come.push(row);
    }
    this.locked.set(state.id, state);
  }

  /** The last statements of a transaction: domains of an account share these rows, which it then holds for the shortest time. */
  async updateCounts(): Promise<void> {
    const { left, come } = this.counts;
    if (left.length + come.length > 0) await updateDomainCounts(this.manager, left, come);
  }

  private countedRows(id: string): Promise<CountedRow[]> {
    return this.manager.query('SELECT account_id, status, expires_at, auto_renew FROM domains WHERE id = ?', [id]);
  }
}
