import {
  STATUSES_OF,
  type DomainOrder,
  type DomainQueries,
  type Expiring,
  type ListedDomain,
  type RenewingDomain,
  type SortedList,
  type SortedPosition,
  type UnrenewedDeletion,
  type DomainFilter,
} from '../../../../application/ports/registration/domain-repository';
import type { Page } from '../../../../application/ports/storage/page';
import type { DomainState } from '../../../../domain/registration/domain';
import type { DomainStatus } from '../../../../domain/registration/domain-status';
import { DAY_MS } from '../../../../domain/shared/time/calendar';
import { groupedBy } from '../../../../domain/shared/grouped-by';
import type { Queries } from '../../database/database';
import { forceIndex } from '../../database/mysql/force-index';
import { chunks } from '../../dns/sql-zone-reader';
import { fromMillis } from '../../database/table';
import { hasConditions, LEFT_OUT, withTags } from './pages/domain-conditions';
import { readDomainPage } from './pages/domain-page';
import {
  SEARCH_LIMITS,
  type DomainOrdering,
  type DomainRows,
  type PageRow,
  type SearchLimits,
} from './pages/domain-page-sql';
import type { DomainRow } from '../registration-tables';
import { DOMAIN_COLUMNS, LISTED_COLUMNS, toDomainState, toListed, type ListedRow } from './domain-rows';

/** MySQL returns sums as strings. */
type Count = number | string;

const IDS_PER_QUERY = 500;
const ORDERINGS: Readonly<
  Record<DomainOrder, { readonly column: DomainOrdering['column']; readonly all: string; readonly ofStatus?: string }>
> = {
  name: { column: 'name', all: 'domains_by_name', ofStatus: 'domains_by_status_and_name' },
  status: { column: 'status', all: 'domains_by_status_and_id', ofStatus: 'domains_by_status_and_id' },
  expiry: { column: 'expires_at', all: 'domains_by_expiry', ofStatus: 'domains_by_status_and_expiry' },
  auto_renewal: { column: 'auto_renew', all: 'domains_by_auto_renewal' },
  transfer_lock: { column: 'transfer_locked', all: 'domains_by_transfer_lock' },
  nameservers: { column: 'first_nameserver', all: 'domains_by_nameserver' },
  tags: { column: 'first_tag', all: 'domains_by_tag' },
  health: { column: 'health_rank', all: 'domains_by_health' },
  price: { column: 'renewal_price', all: 'domains_by_price' },
};
/** What a page is read for when its rows are only counted. */
const COUNTED_COLUMNS = 'id, name';

export class SqlDomainQueries implements DomainQueries {
  constructor(
    private readonly database: Queries,
    private readonly limits: SearchLimits = SEARCH_LIMITS,
  ) {}

  async page(
    accountId: string,
    list: SortedList,
    limit: number,
    after?: SortedPosition,
  ): Promise<Page<DomainState, SortedPosition>> {
    const { rows, next } = await this.rows<DomainRow>(DOMAIN_COLUMNS, accountId, list, limit, after);
    return { items: rows.map(toDomainState), next };
  }

  async listed(
    accountId: string,
    list: SortedList,
    limit: number,
    after?: SortedPosition,
  ): Promise<Page<ListedDomain, SortedPosition>> {
    const { rows, next } = await this.rows<ListedRow>(LISTED_COLUMNS, accountId, list, limit, after);
    return { items: rows.map(toListed), next };
  }

  private rows<R extends PageRow>(
    columns: string,
    accountId: string,
    { order, descending, ...filter }: SortedList,
    limit: number,
    after: SortedPosition | undefined,
  ): Promise<DomainRows<R>> {
    const { column, all, ofStatus } = ORDERINGS[order];
    const index = filter.status === undefined ? all : (ofStatus ?? all);
    const ordering = { column, descending, index, hasStatus: ofStatus !== undefined };
    return readDomainPage<R>(this.database, { columns, accountId, filter, ordering, limit, after }, this.limits);
  }

  async count(accountId: string, filter: DomainFilter, most: number): Promise<number | undefined> {
    const { status, nameContains, names } = filter;
    if (!hasConditions(filter) && !nameContains && !names) {
      const counts = await this.countByStatus(accountId);
      const counted = status === undefined ? STATUSES_OF[filter.of ?? 'domains'] : [status];
      return counted.reduce((sum, each) => sum + (counts.get(each) ?? 0), 0);
    }
    const { all, ofStatus = all } = ORDERINGS.name;
    const index = status === undefined ? all : ofStatus;
    const ordering = { column: 'name', descending: false, index, hasStatus: true } as const;
    const page = { columns: COUNTED_COLUMNS, accountId, filter, ordering, limit: most, after: undefined };
    const { rows, next } = await readDomainPage<DomainRow>(this.database, page, this.limits);
    return next ? undefined : rows.length;
  }

  async terms(accountId: string, prefix: string, limit: number, tags?: readonly string[]): Promise<readonly string[]> {
    if (tags) return this.termsBeside(accountId, prefix, limit, tags);
    const next = '(SELECT MIN(term) FROM domain_terms WHERE account_id = ? AND term > ';
    const rows = await this.database.query<{ term: string }>(
      `WITH RECURSIVE found (term, place) AS (SELECT ${next}?), 1 UNION ALL SELECT ${next}found.term), place + 1 FROM found WHERE found.term LIKE ? AND place < ?) SELECT term FROM found WHERE term LIKE ? ORDER BY term`,
      [accountId, prefix, accountId, `${prefix}%`, limit, `${prefix}%`],
    );
    return rows.map(({ term }) => term);
  }

  /** The terms of the domains that have one of the tags. */
  private async termsBeside(
    accountId: string,
    prefix: string,
    limit: number,
    tags: readonly string[],
  ): Promise<readonly string[]> {
    const tagged = withTags(accountId, tags, 'domain_id');
    const rows = await this.database.query<{ term: string }>(
      `SELECT DISTINCT term FROM domain_terms WHERE account_id = ? AND term LIKE ?${tagged.sql} ORDER BY term LIMIT ?`,
      [accountId, `${prefix}%`, ...tagged.parameters, limit],
    );
    return rows.map(({ term }) => term);
  }

  async countByStatus(accountId: string, tags?: readonly string[]): Promise<ReadonlyMap<DomainStatus, number>> {
    const tagged = withTags(accountId, tags, 'id');
    const rows = await this.database.query<{ status: DomainStatus; amount: Count }>(
      tags
        ? `SELECT status, COUNT(*) AS amount FROM domains WHERE account_id = ? AND status <> 'gone'${tagged.sql} GROUP BY status`
        : 'SELECT status, SUM(amount) AS amount FROM domain_counts WHERE account_id = ? GROUP BY status',
      [accountId, ...tagged.parameters],
    );
    return new Map(rows.map(({ status, amount }) => [status, Number(amount)]));
  }

  async expiring(
    accountId: string,
    from: Date,
    to: Date,
    spanDays: number,
    tags?: readonly string[],
  ): Promise<readonly Expiring[]> {
    const tagged = withTags(accountId, tags, 'id');
    const rows = await this.database.query<{ expires_on: number; auto_renew: number; amount: number }>(
      tags
        ? `SELECT expires_at - expires_at % ${DAY_MS} AS expires_on, auto_renew, 1 AS amount FROM domains WHERE account_id = ? AND status = 'active' AND expires_at >= ? AND expires_at < ?${tagged.sql} ORDER BY expires_at`
        : "SELECT expires_on, auto_renew, amount FROM domain_counts WHERE account_id = ? AND status = 'active' AND expires_on >= ? AND expires_on < ? ORDER BY expires_on",
      [accountId, from.getTime(), to.getTime(), ...tagged.parameters],
    );
    const spanMs = spanDays * DAY_MS;
    const startOf = ({ expires_on: day }: (typeof rows)[number]) => day - ((day - from.getTime()) % spanMs);
    const amountOf = (counts: typeof rows, autoRenew: number) =>
      counts.filter((row) => row.auto_renew === autoRenew).reduce((sum, { amount }) => sum + amount, 0);
    return [...groupedBy(rows, startOf)].map(([start, counts]) => ({
      from: fromMillis(start),
      renewing: amountOf(counts, 1),
      ending: amountOf(counts, 0),
    }));
  }

  async ending(
    accountId: string,
    to: Date,
    limit: number,
    deletion?: UnrenewedDeletion,
    tags?: readonly string[],
  ): Promise<readonly DomainState[]> {
    const deleted = deletion
      ? {
          sql: ` AND registrar_renews = 1 AND created_at < expires_at - ? AND SUBSTR(name, INSTR(name, '.') + 1) IN (${deletion.suffixes.map(() => '?').join(', ')})`,
          parameters: [deletion.days * DAY_MS, ...deletion.suffixes],
        }
      : { sql: '', parameters: [] };
    const tagged = withTags(accountId, tags, 'id');
    // Not by id, too: the index that has auto-renewal is in this order, and is left after the last domain of the page.
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains${forceIndex('domains_counted')} WHERE account_id = ? AND status = 'active' AND auto_renew = 0 AND expires_at < ?${deleted.sql}${tagged.sql} ORDER BY expires_at LIMIT ?`;
    const parameters = [accountId, to.getTime(), ...deleted.parameters, ...tagged.parameters, limit];
    return (await this.database.query<DomainRow>(sql, parameters)).map(toDomainState);
  }

  async renewing(accountId: string, from: Date, to: Date, limit: number): Promise<readonly RenewingDomain[]> {
    const sql =
      "SELECT id, name, expires_at FROM domains WHERE account_id = ? AND status = 'active' AND auto_renew = 1 AND expires_at >= ? AND expires_at < ? ORDER BY expires_at LIMIT ?";
    const parameters = [accountId, from.getTime(), to.getTime(), limit];
    const rows = await this.database.query<Pick<DomainRow, 'id' | 'name' | 'expires_at'>>(sql, parameters);
    return rows.map(({ id, name, expires_at }) => ({ id, name, status: 'active', expiresAt: fromMillis(expires_at) }));
  }

  async leaving(accountId: string, limit: number, tags?: readonly string[]): Promise<readonly DomainState[]> {
    const tagged = withTags(accountId, tags, 'id');
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE account_id = ? AND transfer_pending = 1${tagged.sql} ORDER BY transfer_ends_at, id LIMIT ?`;
    return (await this.database.query<DomainRow>(sql, [accountId, ...tagged.parameters, limit])).map(toDomainState);
  }

  async names(
    accountId: string,
    ids: readonly string[],
    tags?: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const tagged = withTags(accountId, tags, 'id');
    const found = new Map<string, string>();
    for (const some of chunks(ids, IDS_PER_QUERY)) {
      const sql = `SELECT id, name FROM domains WHERE account_id = ? AND status <> 'gone' AND id IN (${some.map(() => '?').join(', ')})${tagged.sql}`;
      const parameters = [accountId, ...some, ...tagged.parameters];
      const rows = await this.database.query<{ id: string; name: string }>(sql, parameters);
      for (const { id, name } of rows) found.set(id, name);
    }
    return found;
  }

  async newest(accountId: string, limit: number): Promise<readonly DomainState[]> {
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE account_id = ? AND status ${LEFT_OUT.domains} ORDER BY created_at DESC, id DESC LIMIT ?`;
    return (await this.database.query<DomainRow>(sql, [accountId, limit])).map(toDomainState);
  }
}
