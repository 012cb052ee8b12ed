import type { Queries } from '../../../database/database';
import { forceIndex } from '../../../database/mysql/force-index';
import { allConditions, LEFT_OUT, statusCondition } from './domain-conditions';
import { mayContain, NAME_CONTAINS, type NameSearch } from './domain-name-search';
import {
  beyondLastPage,
  fullPage,
  inList,
  orderOf,
  placeOf,
  qualified,
  orderTerms,
  upTo,
  type DomainPage,
  type DomainPosition,
  type DomainRows,
  type PageRow,
  type SearchLimits,
} from './domain-page-sql';

const NAMES_AT_ONCE = 500;

/** Compares the names in the index of the list, up to `end`, and reads the domains that match. */
export async function readContaining<R>(
  queries: Queries,
  page: DomainPage,
  end: DomainPosition | undefined,
): Promise<readonly R[]> {
  const { nameContains } = page.filter;
  const { sql, parameters } = inList(page, 'listed', end);
  const after = beyondLastPage(page, 'listed');
  const before = upTo(page.ordering, end, placeOf(page.ordering, 'listed'));
  const conditions = allConditions(page.accountId, page.filter, 'domains', page.ordering.column);
  return queries.query<R>(
    `SELECT /*! STRAIGHT_JOIN */ ${qualified(page.columns)} FROM domains AS listed${forceIndex(page.ordering.index)} CROSS JOIN domains ON domains.id = listed.id WHERE ${sql}${after.sql}${before.sql} AND ${mayContain('listed.name')} AND ${NAME_CONTAINS} AND domains.status ${LEFT_OUT[page.filter.of ?? 'domains']}${conditions.sql} ORDER BY ${orderOf(page, 'listed')} LIMIT ?`,
    [
      ...parameters,
      ...after.parameters,
      ...before.parameters,
      nameContains,
      nameContains,
      nameContains,
      ...conditions.parameters,
      page.limit + 1,
    ],
  );
}

/** Looks up the domains of the names found, and sorts them. The `+` keeps SQLite from finding rows by those columns. */
export async function readFound<R>(queries: Queries, page: DomainPage, search: NameSearch): Promise<readonly R[]> {
  const { accountId, filter } = page;
  const { nameContains } = filter;
  const statuses = statusCondition(filter);
  const after = beyondLastPage(page, 'domains', '+');
  const conditions = allConditions(accountId, filter, 'domains');
  return queries.query<R>(
    `SELECT /*! STRAIGHT_JOIN */ ${qualified(page.columns)} FROM (${search.names}) AS found CROSS JOIN domains${forceIndex('domains_by_name')} ON domains.account_id = ? AND domains.name = found.found_name WHERE +domains.status ${statuses.sql} AND ${NAME_CONTAINS}${after.sql}${conditions.sql} ORDER BY ${orderOf(page, 'domains')} LIMIT ?`,
    [
      ...search.parameters,
      accountId,
      ...statuses.parameters,
      nameContains,
      nameContains,
      ...after.parameters,
      ...conditions.parameters,
      page.limit + 1,
    ],
  );
}

/** Reads the names with one of the part's trigrams in order: names that begin alike lie together, anywhere in the list. */
export async function readByNames<R extends PageRow>(
  queries: Queries,
  page: DomainPage,
  search: NameSearch,
  { fewNames, comparedNames }: SearchLimits,
): Promise<DomainRows<R>> {
  const { accountId, filter, ordering, limit } = page;
  const { beyond, before, direction, lastId } = orderTerms(ordering);
  const after = beyondLastPage(page, 'domains');
  const conditions = allConditions(accountId, filter, 'domains');
  const status = statusCondition(filter);
  const [last] = await queries.query<{ name: string }>(
    `SELECT name FROM ${search.grams.sql}${page.after ? ` AND name ${beyond} ?` : ''} ORDER BY name ${direction} LIMIT 1 OFFSET ?`,
    [...search.grams.parameters, ...(page.after ? [page.after.value] : []), comparedNames],
  );
  const rows: R[] = [];
  // A page that begins after all domains of a name begins at the next name: otherwise it might read that one only, and end there.
  let [passed, comparison] = [page.after?.value, page.after?.id === lastId ? beyond : `${beyond}=`];
  const atOnce = Math.min(fewNames, NAMES_AT_ONCE);
  let lookedUp = 0;
  do {
    const names = await queries.query<{ found_name: string }>(
      `${search.names}${passed === undefined ? '' : ` AND name ${comparison} ?`}${last ? ` AND name ${before}= ?` : ''} ORDER BY name ${direction} LIMIT ${atOnce}`,
      [...search.parameters, ...(passed === undefined ? [] : [passed]), ...(last ? [last.name] : [])],
    );
    if (names.length > 0)
      rows.push(
        ...(await queries.query<R>(
          `SELECT ${page.columns} FROM domains${forceIndex('domains_by_name')} WHERE account_id = ? AND name IN (${names.map(() => '?').join(', ')}) AND status ${status.sql} AND ${NAME_CONTAINS}${after.sql}${conditions.sql} ORDER BY ${orderOf(page, 'domains')} LIMIT ?`,
          [
            accountId,
            ...names.map(({ found_name }) => found_name),
            ...status.parameters,
            filter.nameContains,
            filter.nameContains,
            ...after.parameters,
            ...conditions.parameters,
            limit + 1 - rows.length,
          ],
        )),
      );
    if (rows.length > limit) return fullPage(page, rows);
    if (names.length < atOnce) return { rows, next: last && { value: last.name, id: lastId } };
    [passed, comparison] = [names.at(-1)?.found_name, beyond];
    lookedUp += names.length;
  } while (lookedUp < fewNames);
  return { rows, next: passed === undefined ? undefined : { value: passed, id: lastId } };
}
