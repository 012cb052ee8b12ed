import type { DomainFilter } from '../../../../application/ports/registration/domain-repository';
import type { Queries } from '../../database/database';
import { forceIndex } from '../../database/mysql/force-index';
import { hasConditions, rarestDriver, rowConditions, type Driver } from './domain-conditions';
import { mayContain, NAME_CONTAINS, searchNames, type NameSearch } from './domain-name-search';
import type { DomainRow } from '../registration-tables';

/** An order of domains, with the index that has it for an account and, if the list is filtered, for a status. */
export interface DomainOrdering {
  readonly column: 'name' | 'created_at' | 'expires_at' | 'status' | 'auto_renew' | 'transfer_locked';
  readonly descending: boolean;
  /** Ends in the name, so that names are compared without reading their domains. */
  readonly index: string;
  /** Whether the index has the status before the column: it is one for lists of a status. */
  readonly hasStatus: boolean;
}

export interface DomainPage {
  readonly columns: string;
  readonly accountId: string;
  readonly filter: DomainFilter;
  readonly ordering: DomainOrdering;
  readonly limit: number;
  /** Where the page before ended. */
  readonly after: DomainPosition | undefined;
}

/** By the value in the ordering's column, then by id. */
export interface DomainPosition {
  readonly value: string | number;
  readonly id: string;
}

export interface DomainRows<R> {
  readonly rows: readonly R[];
  /** Undefined if no row follows. */
  readonly next: DomainPosition | undefined;
}

export interface SearchLimits {
  /** So many domains are looked up and sorted, at least one. If more names have a part's trigrams, the list is read in its order. */
  readonly fewNames: number;
  /** So many names of that list are compared; then the page ends, whatever it holds. */
  readonly comparedNames: number;
}

/** On MariaDB, which is the slower one, both cost about 20 ms. */
export const SEARCH_LIMITS: SearchLimits = { fewNames: 2_500, comparedNames: 15_000 };

type Row = Pick<DomainRow, 'id' | DomainOrdering['column']>;

/** A domain is compared with other conditions than a name in the time of so many names. */
const NAMES_PER_DOMAIN = 3;
/** Before the id of every domain, and after it. */
const [FIRST_ID, LAST_ID] = ['aa_0', 'zzzz_z'];
const NAMES_AT_ONCE = 500;

/** A page of an account's domains; those that are gone are left out. */
export async function readDomainPage<R extends Row>(
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

/** `found` was read with a limit of one more, to learn whether another page follows. */
function fullPage<R extends Row>({ limit, ordering: { column } }: DomainPage, found: readonly R[]): DomainRows<R> {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last && { value: last[column], id: last.id } };
}

/** Without a part of a name: the few domains of one condition, looked up and sorted, or the list in its order. */
async function readFiltered<R extends Row>(
  queries: Queries,
  page: DomainPage,
  limits: SearchLimits,
): Promise<DomainRows<R>> {
  if (!needsBound(page)) return fullPage(page, await readInOrder<R>(queries, page, undefined));
  const driver = await rarestDriver(queries, page.accountId, page.filter, limits.fewNames);
  if (driver) return fullPage(page, await readDriven<R>(queries, page, driver));
  const end = await positionAfter(queries, page, comparedRows(page, limits));
  const { rows, next } = fullPage(page, await readInOrder<R>(queries, page, end));
  return { rows, next: next ?? end };
}

function comparedRows({ filter }: DomainPage, { comparedNames }: SearchLimits): number {
  return filter.nameContains && !hasConditions(filter) ? comparedNames : Math.ceil(comparedNames / NAMES_PER_DOMAIN);
}

/** Whether the list's index does not have all that the list is filtered by. */
function needsBound({ filter, ordering: { hasStatus } }: DomainPage): boolean {
  return hasConditions(filter) || (filter.status !== undefined && !hasStatus);
}

async function readInOrder<R>(
  queries: Queries,
  page: DomainPage,
  end: DomainPosition | undefined,
): Promise<readonly R[]> {
  const { sql, parameters } = inList(page, 'domains');
  const after = beyondLastPage(page, 'domains');
  const before = upTo(page, 'domains', end);
  const conditions = rowConditions(page.accountId, page.filter, 'domains');
  return queries.query<R>(
    `SELECT ${page.columns} FROM domains${forceIndex(page.ordering.index)} WHERE ${sql} AND status <> 'gone'${after.sql}${before.sql}${conditions.sql} ORDER BY ${orderOf(page, 'domains')} LIMIT ?`,
    [...parameters, ...after.parameters, ...before.parameters, ...conditions.parameters, page.limit + 1],
  );
}

/** Looks up the few domains that one condition finds, and sorts those that match the others. */
async function readDriven<R>(queries: Queries, page: DomainPage, driver: Driver): Promise<readonly R[]> {
  const { status } = page.filter;
  const after = beyondLastPage(page, 'domains', '+');
  const conditions = rowConditions(page.accountId, page.filter, 'domains');
  return queries.query<R>(
    `SELECT /*! STRAIGHT_JOIN */ ${qualified(page.columns)} FROM (${driver.sql}) AS found CROSS JOIN domains ON domains.id = found.found_id WHERE +domains.status ${status === undefined ? "<> 'gone'" : '= ?'}${after.sql}${conditions.sql} ORDER BY ${orderOf(page, 'domains')} LIMIT ?`,
    [
      ...driver.parameters,
      ...(status === undefined ? [] : [status]),
      ...after.parameters,
      ...conditions.parameters,
      page.limit + 1,
    ],
  );
}

/** Looks up the domains with these few names, and sorts them. */
async function readNamed<R>(queries: Queries, page: DomainPage, names: readonly string[]): Promise<readonly R[]> {
  const { status, nameContains } = page.filter;
  const after = beyondLastPage(page, 'domains', '+');
  const conditions = rowConditions(page.accountId, page.filter, 'domains');
  return queries.query<R>(
    `SELECT ${page.columns} FROM domains${forceIndex('domains_by_name')} WHERE account_id = ? AND name IN (${names.map(() => '?').join(', ')}) AND +status ${status === undefined ? "<> 'gone'" : '= ?'}${nameContains === undefined ? '' : ` AND ${NAME_CONTAINS}`}${after.sql}${conditions.sql} ORDER BY ${orderOf(page, 'domains')} LIMIT ?`,
    [
      page.accountId,
      ...names,
      ...(status === undefined ? [] : [status]),
      ...(nameContains === undefined ? [] : [nameContains, nameContains]),
      ...after.parameters,
      ...conditions.parameters,
      page.limit + 1,
    ],
  );
}

/** Compares the names in the index of the list, up to `end`, and reads the domains that match. */
async function readContaining<R>(
  queries: Queries,
  page: DomainPage,
  end: DomainPosition | undefined,
): Promise<readonly R[]> {
  const { nameContains } = page.filter;
  const { sql, parameters } = inList(page, 'listed');
  const after = beyondLastPage(page, 'listed');
  const before = upTo(page, 'listed', end);
  const conditions = rowConditions(page.accountId, page.filter, 'domains');
  return queries.query<R>(
    `SELECT /*! STRAIGHT_JOIN */ ${qualified(page.columns)} FROM domains AS listed${forceIndex(page.ordering.index)} CROSS JOIN domains ON domains.id = listed.id WHERE ${sql}${after.sql}${before.sql} AND ${mayContain('listed.name')} AND ${NAME_CONTAINS} AND domains.status <> 'gone'${conditions.sql} ORDER BY ${orderOf(page, 'listed')} LIMIT ?`,
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
async function readFound<R>(queries: Queries, page: DomainPage, search: NameSearch): Promise<readonly R[]> {
  const { accountId, filter } = page;
  const { status, nameContains } = filter;
  const after = beyondLastPage(page, 'domains', '+');
  const conditions = rowConditions(accountId, filter, 'domains');
  return queries.query<R>(
    `SELECT /*! STRAIGHT_JOIN */ ${qualified(page.columns)} FROM (${search.names}) AS found CROSS JOIN domains${forceIndex('domains_by_name')} ON domains.account_id = ? AND domains.name = found.found_name WHERE ${status === undefined ? '' : '+domains.status = ? AND '}${NAME_CONTAINS} AND +domains.status <> 'gone'${after.sql}${conditions.sql} ORDER BY ${orderOf(page, 'domains')} LIMIT ?`,
    [
      ...search.parameters,
      accountId,
      ...(status === undefined ? [] : [status]),
      nameContains,
      nameContains,
      ...after.parameters,
      ...conditions.parameters,
      page.limit + 1,
    ],
  );
}

/** Reads the names with one of the part's trigrams in order: names that begin alike lie together, anywhere in the list. */
async function readByNames<R extends Row>(
  queries: Queries,
  page: DomainPage,
  search: NameSearch,
  { fewNames, comparedNames }: SearchLimits,
): Promise<DomainRows<R>> {
  const { accountId, filter, ordering, limit } = page;
  const { beyond, before, direction, lastId } = termsOf(ordering);
  const after = beyondLastPage(page, 'domains');
  const conditions = rowConditions(accountId, filter, 'domains');
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
          `SELECT ${page.columns} FROM domains${forceIndex('domains_by_name')} WHERE account_id = ? AND name IN (${names.map(() => '?').join(', ')}) AND status ${filter.status === undefined ? "<> 'gone'" : '= ?'} AND ${NAME_CONTAINS}${after.sql}${conditions.sql} ORDER BY ${orderOf(page, 'domains')} LIMIT ?`,
          [
            accountId,
            ...names.map(({ found_name }) => found_name),
            ...(filter.status === undefined ? [] : [filter.status]),
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

/** The position of the domain that is so many after the page's beginning; undefined if the list ends before. Read from the index alone. */
async function positionAfter(queries: Queries, page: DomainPage, count: number): Promise<DomainPosition | undefined> {
  const { column, index } = page.ordering;
  const { beyond, direction, lastId } = termsOf(page.ordering);
  const list = inList(page, 'domains');
  // SQLite's index of names has no id: the position is after all domains of that name.
  const isByName = column === 'name';
  const after =
    isByName && page.after
      ? { sql: ` AND name ${beyond} ?`, parameters: [page.after.value] }
      : beyondLastPage(page, 'domains');
  const [position] = await queries.query<{ value: string | number; id?: string }>(
    `SELECT ${column} AS value${isByName ? '' : ', id'} FROM domains${forceIndex(index)} WHERE ${list.sql}${after.sql} ORDER BY ${isByName ? `name ${direction}` : orderOf(page, 'domains')} LIMIT 1 OFFSET ?`,
    [...list.parameters, ...after.parameters, count],
  );
  return position && { value: position.value, id: position.id ?? lastId };
}

interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

function inList({ accountId, filter: { status }, ordering: { hasStatus } }: DomainPage, table: string): Condition {
  return {
    sql: `${table}.account_id = ?${status === undefined ? '' : ` AND ${hasStatus ? '' : '+'}${table}.status = ?`}`,
    parameters: [accountId, ...(status === undefined ? [] : [status])],
  };
}

/** After the page before; empty on the first page. */
function beyondLastPage({ ordering, after }: DomainPage, table: string, prefix: '' | '+' = ''): Condition {
  if (!after) return { sql: '', parameters: [] };
  const { beyond } = termsOf(ordering);
  const column = `${prefix}${table}.${ordering.column}`;
  return {
    sql: ` AND ${column} ${beyond}= ? AND (${column} ${beyond} ? OR ${table}.id ${beyond} ?)`,
    parameters: [after.value, after.value, after.id],
  };
}

/** Up to `end`, including it; empty if the list ends before. */
function upTo({ ordering }: DomainPage, table: string, end: DomainPosition | undefined): Condition {
  if (!end) return { sql: '', parameters: [] };
  const { before } = termsOf(ordering);
  const column = `${table}.${ordering.column}`;
  return {
    sql: ` AND ${column} ${before}= ? AND (${column} ${before} ? OR ${table}.id ${before}= ?)`,
    parameters: [end.value, end.value, end.id],
  };
}

function termsOf({ descending }: DomainOrdering) {
  return descending
    ? ({ beyond: '<', before: '>', direction: 'DESC', lastId: FIRST_ID } as const)
    : ({ beyond: '>', before: '<', direction: 'ASC', lastId: LAST_ID } as const);
}

function orderOf({ ordering }: DomainPage, table: string): string {
  const { direction } = termsOf(ordering);
  return `${table}.${ordering.column} ${direction}, ${table}.id ${direction}`;
}

function qualified(columns: string): string {
  return columns.replaceAll(/\w+/g, (column) => `domains.${column}`);
}
