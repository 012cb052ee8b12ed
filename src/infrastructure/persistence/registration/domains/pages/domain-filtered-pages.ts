import type { DomainFilter } from '../../../../../application/ports/registration/domain-repository';
import type { DomainStatus } from '../../../../../domain/registration/domain-status';
import type { DomainTerm } from '../../../../../domain/portfolio/domain-terms';
import type { Queries } from '../../../database/database';
import { forceIndex } from '../../../database/mysql/force-index';
import type { Sql } from './delegation-conditions';
import {
  allConditions,
  amongOthers,
  hasConditions,
  LEFT_OUT,
  positiveTerms,
  rarestDriver,
  rowConditions,
  statusCondition,
  termConditions,
  type Driver,
} from './domain-conditions';
import {
  beyond,
  beyondLastPage,
  comparedRows,
  fullPage,
  inList,
  orderOf,
  placeOf,
  positionAfter,
  qualified,
  orderTerms,
  upTo,
  type DomainOrdering,
  type DomainPage,
  type DomainPosition,
  type DomainRows,
  type PageRow,
  type Place,
  type SearchLimits,
} from './domain-page-sql';

/** In a list of `domain_terms AS found`. */
const PLACE_IN_TERMS: Place = ['found.name', 'found.domain_id'];
/** In which the names of one status are in that order. */
const INDEX_OF_STATUS: Partial<Record<DomainOrdering['column'], string>> = {
  name: 'domains_by_status_and_name',
  created_at: 'domains_by_status_and_creation',
  expires_at: 'domains_by_status_and_expiry',
};

/**
 * Without a part of a name: those of most statuses, in the order of the list; those of some statuses, of each in its order; in the
 * order of names, those of a term, which are stored in that order; otherwise the few domains of one condition, looked up and sorted;
 * otherwise the list in its order.
 */
export async function readFiltered<R extends PageRow>(
  queries: Queries,
  asked: DomainPage,
  limits: SearchLimits,
): Promise<DomainRows<R>> {
  const { accountId, ordering } = asked;
  const { filter, areFew } = await amongOthers(queries, accountId, asked.filter, limits.fewNames);
  const page = { ...asked, filter };
  if (!needsBound(page)) return fullPage(page, await readInOrder<R>(queries, page, undefined));
  const { statuses = [], ...others } = filter;
  const index = INDEX_OF_STATUS[ordering.column];
  if (index && statuses.length > 0 && filter.status === undefined && !needsBound({ ...page, filter: others })) {
    if (areFew) return fullPage(page, await readInOrder<R>(queries, page, undefined));
    const ofStatus = { ...page, filter: others, ordering: { ...ordering, index, hasStatus: true } };
    return fullPage(page, await readByStatuses<R>(queries, ofStatus, statuses));
  }
  const [term, ...otherTerms] = ordering.column === 'name' ? positiveTerms(filter) : [];
  if (term !== undefined && otherTerms.length === 0 && !comparesRows(filter))
    return readByTerm<R>(queries, page, term, limits);
  const driver = await rarestDriver(queries, accountId, filter, limits.fewNames);
  const best = driver?.term ?? (driver ? undefined : term);
  if (best !== undefined && ordering.column === 'name') return readByTerm<R>(queries, page, best, limits);
  if (driver) return fullPage(page, await readDriven<R>(queries, page, driver));
  const end = await positionAfter(queries, page, comparedRows(page, limits));
  const { rows, next } = fullPage(page, await readInOrder<R>(queries, page, end));
  return { rows, next: next ?? end };
}

/** Whether the list's index does not have all that the list is filtered by. */
function needsBound({ filter, ordering: { column, hasStatus } }: DomainPage): boolean {
  const period = column === 'expires_at' ? { expiresFrom: undefined, expiresBefore: undefined } : {};
  return hasConditions({ ...filter, ...period }) || (filter.status !== undefined && !hasStatus);
}

/** Whether the filter has conditions besides terms. */
function comparesRows(filter: DomainFilter): boolean {
  return filter.status !== undefined || hasConditions({ ...filter, terms: [] });
}

/** Reads the domains with a term in the order of their names, comparing so many of them with the other conditions. */
async function readByTerm<R extends PageRow>(
  queries: Queries,
  page: DomainPage,
  term: DomainTerm,
  limits: SearchLimits,
): Promise<DomainRows<R>> {
  const { accountId, filter, ordering, limit } = page;
  const { direction } = orderTerms(ordering);
  const after = beyond(ordering, page.after, PLACE_IN_TERMS);
  const list = `found.account_id = ? AND found.term = ?${after.sql}`;
  const parameters = [accountId, term, ...after.parameters];
  const order = `found.name ${direction}, found.domain_id ${direction}`;
  const others = (filter.terms ?? []).filter(({ anyOf, not }) => not || anyOf.length > 1 || anyOf[0] !== term);
  const [end] =
    others.length === 0 && !comparesRows(filter)
      ? []
      : await queries.query<DomainPosition>(
          `SELECT found.name AS value, found.domain_id AS id FROM domain_terms AS found WHERE ${list} ORDER BY ${order} LIMIT 1 OFFSET ?`,
          [...parameters, Math.max(limits.fewNames, limit)],
        );
  const before = upTo(ordering, end, PLACE_IN_TERMS);
  const terms = termConditions(accountId, others, 'found.domain_id', 'found.name');
  const conditions = rowConditions(filter, 'domains');
  const status = statusCondition(filter);
  const found = await queries.query<R>(
    `SELECT /*! STRAIGHT_JOIN */ ${qualified(page.columns)} FROM domain_terms AS found CROSS JOIN domains ON domains.id = found.domain_id WHERE ${list}${before.sql}${terms.sql} AND +domains.status ${status.sql}${conditions.sql} ORDER BY ${order} LIMIT ?`,
    [
      ...parameters,
      ...before.parameters,
      ...terms.parameters,
      ...status.parameters,
      ...conditions.parameters,
      limit + 1,
    ],
  );
  const { rows, next } = fullPage(page, found);
  return { rows, next: next ?? end };
}

/** The ids of a page of each status in the order of its index, of which the first are the page: MariaDB writes rows with texts to a temporary table. */
async function readByStatuses<R>(
  queries: Queries,
  page: DomainPage,
  statuses: readonly DomainStatus[],
): Promise<readonly R[]> {
  const { column } = page.ordering;
  const parts = statuses.map((status) =>
    sqlInOrder({ ...page, columns: `id, ${column}`, filter: { ...page.filter, status } }),
  );
  const all = parts.map(({ sql }, index) => `SELECT * FROM (${sql}) AS of_status${index}`).join(' UNION ALL ');
  const { direction } = orderTerms(page.ordering);
  const found = `${all} ORDER BY ${column} ${direction}, id ${direction} LIMIT ?`;
  return queries.query<R>(
    `SELECT /*! STRAIGHT_JOIN */ ${qualified(page.columns)} FROM (${found}) AS found CROSS JOIN domains ON domains.id = found.id ORDER BY found.${column} ${direction}, found.id ${direction}`,
    [...parts.flatMap(({ parameters }) => parameters), page.limit + 1],
  );
}

async function readInOrder<R>(
  queries: Queries,
  page: DomainPage,
  end: DomainPosition | undefined,
): Promise<readonly R[]> {
  const { sql, parameters } = sqlInOrder(page, end);
  return queries.query<R>(sql, parameters);
}

function sqlInOrder(page: DomainPage, end?: DomainPosition): Sql {
  const { sql, parameters } = inList(page, 'domains', end);
  const after = beyondLastPage(page, 'domains');
  const before = upTo(page.ordering, end, placeOf(page.ordering, 'domains'));
  const conditions = allConditions(page.accountId, page.filter, 'domains', page.ordering.column);
  return {
    sql: `SELECT ${page.columns} FROM domains${forceIndex(page.ordering.index)} WHERE ${sql} AND status ${LEFT_OUT[page.filter.of ?? 'domains']}${after.sql}${before.sql}${conditions.sql} ORDER BY ${orderOf(page, 'domains')} LIMIT ?`,
    parameters: [...parameters, ...after.parameters, ...before.parameters, ...conditions.parameters, page.limit + 1],
  };
}

/** Looks up the few domains that one condition finds, and sorts those that match the others. */
async function readDriven<R>(queries: Queries, page: DomainPage, driver: Driver): Promise<readonly R[]> {
  const statuses = statusCondition(page.filter);
  const after = beyondLastPage(page, 'domains', '+');
  const conditions = allConditions(page.accountId, page.filter, 'domains');
  return queries.query<R>(
    `SELECT /*! STRAIGHT_JOIN */ ${qualified(page.columns)} FROM (${driver.sql}) AS found CROSS JOIN domains ON domains.id = found.found_id WHERE +domains.status ${statuses.sql}${after.sql}${conditions.sql} ORDER BY ${orderOf(page, 'domains')} LIMIT ?`,
    [...driver.parameters, ...statuses.parameters, ...after.parameters, ...conditions.parameters, page.limit + 1],
  );
}
