import type {
  DomainOrder,
  DomainQueries,
  Expiring,
  SortedList,
  SortedPosition,
} from '../../../application/ports/registration/domain-queries';
import type { DomainState } from '../../../domain/registration/domain';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import { DAY_MS } from '../../../domain/shared/calendar';
import { groupedBy } from '../../../domain/shared/grouped-by';
import type { Queries } from '../database/database';
import { forceIndex } from '../database/mysql/force-index';
import { fromMillis } from '../row-times';
import { filteredDomains, IN_THAT_ORDER } from './domain-filter';
import { NAME_CONTAINS, searchNames, type NameSearch } from './domain-name-search';
import type { DomainRow } from './registration-tables';
import { DOMAIN_COLUMNS, toDomainState } from './typeorm-domain-repository';

/** MySQL answers sums as texts. */
type Count = number | string;

const COLUMN: Record<DomainOrder, string> = { name: 'name', expiry: 'expires_at' };
const INDEX: Record<DomainOrder, { readonly all: string; readonly ofStatus: string }> = {
  name: { all: 'domains_by_name', ofStatus: 'domains_by_status_and_name' },
  expiry: { all: 'domains_by_expiry', ofStatus: 'domains_by_status_and_expiry' },
};

export class TypeOrmDomainQueries implements DomainQueries {
  constructor(
    private readonly database: Queries,
    /** Tests set it: how many names with a part are few. */
    private readonly fewNames?: number,
  ) {}

  async page(
    accountId: string,
    list: SortedList,
    limit: number,
    after?: SortedPosition,
  ): Promise<readonly DomainState[]> {
    const search = await searchNames(this.database, accountId, list.nameContains, this.fewNames);
    if (search?.isSorted && !search.isRare && list.order === 'name' && list.status === undefined)
      return this.pageOfNames(accountId, list, search, limit, after);
    const index = INDEX[list.order][list.status === undefined ? 'all' : 'ofStatus'];
    const { from, conditions, parameters } = filteredDomains(accountId, list, index, search);
    const column = COLUMN[list.order];
    const { beyond, direction } = directionOf(list);
    if (after) {
      const value = list.order === 'name' ? after.name : after.expiresAt.getTime();
      conditions.push(`${column} ${beyond}= ? AND (${column} ${beyond} ? OR id ${beyond} ?)`);
      parameters.push(value, value, after.id);
    }
    const sql = `SELECT ${IN_THAT_ORDER} ${DOMAIN_COLUMNS} FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${column} ${direction}, id ${direction} LIMIT ?`;
    return (await this.database.query<DomainRow>(sql, [...parameters, limit])).map(toDomainState);
  }

  /** Reads the names with one of the part's trigrams in order: where they begin alike, a list of all domains may have them at its end. */
  private async pageOfNames(
    accountId: string,
    { nameContains = '', ...list }: SortedList,
    search: NameSearch,
    limit: number,
    after?: SortedPosition,
  ): Promise<readonly DomainState[]> {
    const { beyond, direction } = directionOf(list);
    const domains: DomainState[] = [];
    let [passed, comparison] = [after?.name, `${beyond}=`];
    for (;;) {
      const names = await this.database.query<{ found_name: string }>(
        `${search.names}${passed === undefined ? '' : ` AND name ${comparison} ?`} ORDER BY name ${direction} LIMIT ?`,
        [...search.parameters, ...(passed === undefined ? [] : [passed]), limit],
      );
      if (names.length === 0) return domains;
      const rows = await this.database.query<DomainRow>(
        `SELECT ${DOMAIN_COLUMNS} FROM domains${forceIndex(INDEX.name.all)} WHERE account_id = ? AND name IN (${names.map(() => '?').join(', ')}) AND status <> 'gone' AND ${NAME_CONTAINS} ORDER BY name ${direction}, id ${direction}`,
        [accountId, ...names.map(({ found_name }) => found_name), nameContains, nameContains],
      );
      const found = rows.filter(
        ({ id, name }) => !after || name !== after.name || (list.descending ? id < after.id : id > after.id),
      );
      domains.push(...found.slice(0, limit - domains.length).map(toDomainState));
      if (domains.length === limit || names.length < limit) return domains;
      [passed, comparison] = [names.at(-1)?.found_name, beyond];
    }
  }

  async countByStatus(accountId: string): Promise<ReadonlyMap<DomainStatus, number>> {
    const rows = await this.database.query<{ status: DomainStatus; amount: Count }>(
      'SELECT status, SUM(amount) AS amount FROM domain_counts WHERE account_id = ? GROUP BY status',
      [accountId],
    );
    return new Map(rows.map(({ status, amount }) => [status, Number(amount)]));
  }

  async expiring(accountId: string, from: Date, to: Date, spanDays: number): Promise<readonly Expiring[]> {
    const rows = await this.database.query<{ expires_on: number; auto_renew: number; amount: number }>(
      "SELECT expires_on, auto_renew, amount FROM domain_counts WHERE account_id = ? AND status = 'active' AND expires_on >= ? AND expires_on < ? ORDER BY expires_on",
      [accountId, from.getTime(), to.getTime()],
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

  async ending(accountId: string, to: Date, limit: number): Promise<readonly DomainState[]> {
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE account_id = ? AND status = 'active' AND auto_renew = 0 AND expires_at < ? ORDER BY expires_at, id LIMIT ?`;
    return (await this.database.query<DomainRow>(sql, [accountId, to.getTime(), limit])).map(toDomainState);
  }

  async held(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const sql = `SELECT id FROM domains WHERE account_id = ? AND status <> 'gone' AND id IN (${ids.map(() => '?').join(', ')})`;
    return new Set((await this.database.query<{ id: string }>(sql, [accountId, ...ids])).map(({ id }) => id));
  }

  async newest(accountId: string): Promise<DomainState | undefined> {
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE account_id = ? AND status <> 'gone' ORDER BY created_at DESC, id DESC LIMIT 1`;
    const [row] = await this.database.query<DomainRow>(sql, [accountId]);
    return row && toDomainState(row);
  }
}

function directionOf({ descending }: Pick<SortedList, 'descending'>): { beyond: '<' | '>'; direction: 'ASC' | 'DESC' } {
  return descending ? { beyond: '<', direction: 'DESC' } : { beyond: '>', direction: 'ASC' };
}
