import type { Queries } from '../../../database/database';
import { forceIndex } from '../../../database/mysql/force-index';
import { allConditions, statusCondition } from './domain-conditions';
import { readFiltered } from './domain-filtered-pages';
import { readByNames, readContaining, readFound } from './domain-name-pages';
import { NAME_CONTAINS, searchNames } from './domain-name-search';
import {
  beyondLastPage,
  comparedRows,
  fullPage,
  orderOf,
  positionAfter,
  type DomainPage,
  type DomainRows,
  type PageRow,
  type SearchLimits,
} from './domain-page-sql';

/** A page of an account's domains; those that are gone are left out. */
export async function readDomainPage<R extends PageRow>(
  queries: Queries,
  page: DomainPage,
  limits: SearchLimits,
): Promise<DomainRows<R>> {
  if (page.filter.names) return fullPage(page, await readNamed<R>(queries, page, page.filter.names));
  const search = await searchNames(queries, page.accountId, page.filter.nameContains, limits.fewNames);
  if (!search) return readFiltered<R>(queries, page, limits);
  if (search.isRare) return fullPage(page, await readFound<R>(queries, page, search));
  const isByName = page.ordering.column === 'name' && search.isSorted;
  if (isByName && page.filter.status === undefined) return readByNames<R>(queries, page, search, limits);
  const end = await positionAfter(queries, page, comparedRows(page, limits));
  if (isByName && end) return readByNames<R>(queries, page, search, limits);
  const { rows, next } = fullPage(page, await readContaining<R>(queries, page, end));
  return { rows, next: next ?? end };
}

/** Looks up the domains with these few names, and sorts them. */
async function readNamed<R>(queries: Queries, page: DomainPage, names: readonly string[]): Promise<readonly R[]> {
  const { nameContains } = page.filter;
  const statuses = statusCondition(page.filter);
  const after = beyondLastPage(page, 'domains', '+');
  const conditions = allConditions(page.accountId, page.filter, 'domains');
  return queries.query<R>(
    `SELECT ${page.columns} FROM domains${forceIndex('domains_by_name')} WHERE account_id = ? AND name IN (${names.map(() => '?').join(', ')}) AND +status ${statuses.sql}${nameContains === undefined ? '' : ` AND ${NAME_CONTAINS}`}${after.sql}${conditions.sql} ORDER BY ${orderOf(page, 'domains')} LIMIT ?`,
    [
      page.accountId,
      ...names,
      ...statuses.parameters,
      ...(nameContains === undefined ? [] : [nameContains, nameContains]),
      ...after.parameters,
      ...conditions.parameters,
      page.limit + 1,
    ],
  );
}
