import type { DomainFilter } from '../../../application/ports/registration/domain-repository';
import type { Queries } from '../database/database';
import { forceIndex } from '../database/mysql/force-index';
import { AFTER_ALL, NAME_CONTAINS, searchNames, type NameSearch } from './domain-name-search';
import type { DomainRow } from './registration-tables';

/** An order of domains, with the index that has it for an account and, if the list is filtered, for a status. */
export interface DomainOrdering {
  readonly column: 'name' | 'created_at' | 'expires_at';
  readonly descending: boolean;
  readonly index: string;
}

export interface DomainPage {
  readonly columns: string;
  readonly accountId: string;
  readonly filter: DomainFilter;
  readonly ordering: DomainOrdering;
  readonly limit: number;
  /** The last row of the page before. */
  readonly after: DomainPosition | undefined;
}

export interface DomainPosition {
  readonly value: string | number;
  readonly id: string;
}

export interface SearchLimits {
  /** So many domains are looked up and sorted. If more names have a part's trigrams, a list in order soon has a page of them. */
  readonly fewNames: number;
  /** So many domains of that list are read; if that does not fill the page, the matches are looked up all the same. */
  readonly scannedDomains: number;
}

/** In an account of a million domains, both cost about 30 ms. */
export const SEARCH_LIMITS: SearchLimits = { fewNames: 5_000, scannedDomains: 20_000 };

/** What a SELECT of domains reads, and its conditions. */
interface Source {
  readonly from: string;
  readonly fromParameters: readonly unknown[];
  readonly conditions: readonly string[];
  readonly parameters: readonly unknown[];
  /** Before a column: keeps SQLite from finding rows by it. */
  readonly prefix?: '' | '+';
}

type Row = Pick<DomainRow, 'id' | 'name'>;

/** A page of an account's domains; those that are gone are left out. */
export async function readDomainPage<R extends Row>(
  queries: Queries,
  page: DomainPage,
  { fewNames, scannedDomains }: SearchLimits,
): Promise<readonly R[]> {
  const { accountId, filter, ordering, limit } = page;
  const search = await searchNames(queries, accountId, filter.nameContains, fewNames);
  if (!search) return select<R>(queries, page, inOrder(page));
  if (!search.isRare) {
    if (search.isSorted && ordering.column === 'name' && filter.status === undefined)
      return selectByNames<R>(queries, page, search);
    const end = await positionAfter(queries, page, scannedDomains);
    const rows = await select<R>(queries, page, containing(page, inOrder(page)), end);
    if (!end || rows.length === limit) return rows;
  }
  return select<R>(queries, page, containing(page, found(page, search)));
}

function inOrder({ accountId, filter: { status }, ordering: { index } }: DomainPage): Source {
  return {
    from: `domains${forceIndex(index)}`,
    fromParameters: [],
    conditions: ['account_id = ?', ...(status === undefined ? [] : ['status = ?'])],
    parameters: [accountId, ...(status === undefined ? [] : [status])],
  };
}

function found({ accountId, filter: { status } }: DomainPage, { names, parameters }: NameSearch): Source {
  return {
    prefix: '+',
    conditions: status === undefined ? [] : ['+status = ?'],
    parameters: status === undefined ? [] : [status],
    from: `(${names}) AS found CROSS JOIN domains${forceIndex('domains_by_name')} ON domains.account_id = ? AND domains.name = found.found_name`,
    fromParameters: [...parameters, accountId],
  };
}

function containing({ filter: { nameContains } }: DomainPage, source: Source): Source {
  return {
    ...source,
    conditions: [...source.conditions, NAME_CONTAINS],
    parameters: [...source.parameters, nameContains, nameContains],
  };
}

/** Reads the tables of a join in the order of `source.from`, as SQLite does for a CROSS JOIN, and no further than `end`. */
async function select<R>(
  queries: Queries,
  page: DomainPage,
  { from, fromParameters, conditions, parameters, prefix = '' }: Source,
  end?: DomainPosition,
): Promise<readonly R[]> {
  const { beyond, before, order } = wordsOf(page.ordering);
  const positions = [
    ...(page.after ? [condition(page.ordering, beyond, page.after, prefix)] : []),
    ...(end ? [condition(page.ordering, before, end)] : []),
  ];
  return queries.query<R>(
    `SELECT /*! STRAIGHT_JOIN */ ${page.columns} FROM ${from} WHERE ${[...conditions, "status <> 'gone'", ...positions.map(({ sql }) => sql)].join(' AND ')} ORDER BY ${order} LIMIT ?`,
    [...fromParameters, ...parameters, ...positions.flatMap((position) => position.parameters), page.limit],
  );
}

/**
 * About the position of the domain that is so many after the page's beginning; undefined if the list ends before. It is read
 * from the index alone, which on SQLite has no id beside a name.
 */
async function positionAfter(queries: Queries, page: DomainPage, count: number): Promise<DomainPosition | undefined> {
  const { ordering, after } = page;
  const { from, conditions, parameters } = inOrder(page);
  const { beyond, direction, order } = wordsOf(ordering);
  const isByName = ordering.column === 'name';
  const [position] = await queries.query<Partial<DomainPosition> & Pick<DomainPosition, 'value'>>(
    `SELECT ${ordering.column} AS value${isByName ? '' : ', id'} FROM ${from} WHERE ${[...conditions, ...(after ? [`${ordering.column} ${beyond}= ?`] : [])].join(' AND ')} ORDER BY ${isByName ? `name ${direction}` : order} LIMIT 1 OFFSET ?`,
    [...parameters, ...(after ? [after.value] : []), count],
  );
  return position && { value: position.value, id: position.id ?? (ordering.descending ? '' : AFTER_ALL) };
}

/** Reads the names with one of the part's trigrams in order: names that begin alike lie together, anywhere in the list. */
async function selectByNames<R extends Row>(
  queries: Queries,
  { columns, accountId, filter: { nameContains }, ordering, limit, after }: DomainPage,
  search: NameSearch,
): Promise<readonly R[]> {
  const { beyond, order, direction } = wordsOf(ordering);
  const domains: R[] = [];
  let [passed, comparison] = [after?.value, `${beyond}=`];
  for (;;) {
    const names = await queries.query<{ found_name: string }>(
      `${search.names}${passed === undefined ? '' : ` AND name ${comparison} ?`} ORDER BY name ${direction} LIMIT ?`,
      [...search.parameters, ...(passed === undefined ? [] : [passed]), limit],
    );
    if (names.length === 0) return domains;
    const rows = await queries.query<R>(
      `SELECT ${columns} FROM domains${forceIndex('domains_by_name')} WHERE account_id = ? AND name IN (${names.map(() => '?').join(', ')}) AND status <> 'gone' AND ${NAME_CONTAINS} ORDER BY ${order}`,
      [accountId, ...names.map(({ found_name }) => found_name), nameContains, nameContains],
    );
    const isBeyond = ({ id, name }: R): boolean =>
      !after || name !== after.value || (ordering.descending ? id < after.id : id > after.id);
    domains.push(...rows.filter(isBeyond).slice(0, limit - domains.length));
    if (domains.length === limit || names.length < limit) return domains;
    [passed, comparison] = [names.at(-1)?.found_name, beyond];
  }
}

function wordsOf({ column, descending }: DomainOrdering) {
  const [beyond, before, direction] = descending ? (['<', '>', 'DESC'] as const) : (['>', '<', 'ASC'] as const);
  return { beyond, before, direction, order: `${column} ${direction}, id ${direction}` };
}

function condition({ column }: DomainOrdering, side: '<' | '>', { value, id }: DomainPosition, prefix = '') {
  const place = prefix + column;
  return { sql: `${place} ${side}= ? AND (${place} ${side} ? OR id ${side} ?)`, parameters: [value, value, id] };
}
