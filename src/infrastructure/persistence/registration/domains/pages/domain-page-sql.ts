import type { DomainFilter } from '../../../../../application/ports/registration/domain-repository';
import type { Queries } from '../../../database/database';
import { forceIndex } from '../../../database/mysql/force-index';
import { hasConditions } from './domain-conditions';
import type { DomainRow } from '../../registration-tables';

/** An order of domains, with the index that has it for an account and, if the list is filtered, for a status. */
export interface DomainOrdering {
  readonly column:
    | 'name'
    | 'created_at'
    | 'expires_at'
    | 'status'
    | 'auto_renew'
    | 'transfer_locked'
    | 'first_nameserver'
    | 'first_tag'
    | 'health_rank'
    | 'renewal_price';
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
  /** At most this many names of that list are compared; then the page ends, even if it is not full. */
  readonly comparedNames: number;
}

/** On MariaDB, which is the slower one, both cost about 20 ms. */
export const SEARCH_LIMITS: SearchLimits = { fewNames: 2_500, comparedNames: 15_000 };

/** The columns of a row that a page needs: the id and that of its ordering. */
export type PageRow = Pick<DomainRow, 'id'> & Partial<Pick<DomainRow, DomainOrdering['column']>>;

/** A domain is compared with other conditions than a name in the time of so many names. */
const NAMES_PER_DOMAIN = 8;
/** Before the id of every domain, and after it. */
const [FIRST_ID, LAST_ID] = ['aa_0', 'zzzz_z'];

/** `found` was read with a limit of one more, to learn whether another page follows. */
export function fullPage<R extends PageRow>(
  { limit, ordering: { column } }: DomainPage,
  found: readonly R[],
): DomainRows<R> {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last && { value: last[column] ?? '', id: last.id } };
}

/** The position of the domain that is so many after the page's beginning; undefined if the list ends before. Read from the index alone. */
export async function positionAfter(
  queries: Queries,
  page: DomainPage,
  count: number,
): Promise<DomainPosition | undefined> {
  const { column, index } = page.ordering;
  const { beyond, direction, lastId } = orderTerms(page.ordering);
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

/**
 * In the order of expiry, a period is a part of the list. The `+` keeps SQLite from bounding an index by it where the page before, or
 * `end`, bounds it more closely.
 */
export function inList(
  { accountId, after, filter: { status, expiresFrom, expiresBefore }, ordering }: DomainPage,
  table: string,
  end?: DomainPosition,
): Condition {
  const { column, descending, hasStatus } = ordering;
  const [from, before] = column === 'expires_at' ? [expiresFrom, expiresBefore] : [];
  const [lower, upper] = descending ? [end, after] : [after, end];
  const conditions: readonly (readonly [sql: string, value: string | number | undefined])[] = [
    [`${table}.account_id = ?`, accountId],
    [`${hasStatus ? '' : '+'}${table}.status = ?`, status],
    [`${lower ? '+' : ''}${table}.expires_at >= ?`, from?.getTime()],
    [`${upper ? '+' : ''}${table}.expires_at < ?`, before?.getTime()],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  return { sql: given.map(([sql]) => sql).join(' AND '), parameters: given.map(([, value]) => value) };
}

/** After the page before; empty on the first page. */
export function beyondLastPage({ ordering, after }: DomainPage, table: string, prefix: '' | '+' = ''): Condition {
  return beyond(ordering, after, placeOf(ordering, table, prefix));
}

/** The columns that tell where a row is in a list: the value by which it is ordered, and the id. */
export type Place = readonly [value: string, id: string];

export function placeOf({ column }: DomainOrdering, table: string, prefix: '' | '+' = ''): Place {
  return [`${prefix}${table}.${column}`, `${table}.id`];
}

/** After `position`; empty without one. */
export function beyond(ordering: DomainOrdering, position: DomainPosition | undefined, place: Place): Condition {
  return comparedWith(position, orderTerms(ordering).beyond, place);
}

/** Up to `end`, including it; empty if the list ends before. */
export function upTo(ordering: DomainOrdering, end: DomainPosition | undefined, place: Place): Condition {
  return comparedWith(end, `${orderTerms(ordering).before}=`, place);
}

/**
 * Many domains have the same value, so an index must be read by value and id. SQLite does so for the pair, and MySQL for its
 * parts, which the `+` keeps from SQLite.
 */
function comparedWith(position: DomainPosition | undefined, operator: string, [value, id]: Place): Condition {
  if (!position) return { sql: '', parameters: [] };
  return {
    sql: ` AND (${value}, ${id}) ${operator} (?, ?) AND (+${value} ${operator.slice(0, 1)} ? OR (+${value} = ? AND +${id} ${operator} ?))`,
    parameters: [position.value, position.id, position.value, position.value, position.id],
  };
}

export function orderTerms({ descending }: DomainOrdering) {
  return descending
    ? ({ beyond: '<', before: '>', direction: 'DESC', lastId: FIRST_ID } as const)
    : ({ beyond: '>', before: '<', direction: 'ASC', lastId: LAST_ID } as const);
}

export function orderOf({ ordering }: DomainPage, table: string): string {
  const { direction } = orderTerms(ordering);
  return `${table}.${ordering.column} ${direction}, ${table}.id ${direction}`;
}

export function qualified(columns: string): string {
  return columns.replaceAll(/\w+/g, (column) => `domains.${column}`);
}

/** So many rows of a list are compared with a filter, before its page ends. */
export function comparedRows({ filter }: DomainPage, { comparedNames }: SearchLimits): number {
  return filter.nameContains && !hasConditions(filter) ? comparedNames : Math.ceil(comparedNames / NAMES_PER_DOMAIN);
}
