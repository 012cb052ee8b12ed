import { recordTypesOf } from '../../../application/audit/record-lines';
import type { AuditFinds, AuditSearch } from '../../../application/ports/access/audit-and-events';
import type { ListPosition } from '../../../application/ports/storage/page';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import type { Queries } from '../database/database';
import { forceIndex } from '../database/mysql/force-index';
import { fromMillis, placeholders } from '../database/table';
import { withTags } from '../registration/domains/pages/domain-conditions';

/** So many entries of an index are compared with the conditions that it does not have. */
export const MAX_COMPARED = 2_000;
const NEWEST_FIRST = 'ORDER BY happened_at DESC, id DESC';
/** In `record_type`: records of several types, or an entry of an older release. */
export const SEVERAL_TYPES = '*';

interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Entries in the order of an index. */
interface Listed {
  readonly index: string;
  /** Those that the index has, besides the account. */
  readonly conditions: readonly Condition[];
  readonly compared: readonly Condition[];
}

type ReadEntries = (from: string, parameters: readonly unknown[]) => Promise<readonly AuditEntry[]>;

/** Reads one list for each value of the most selective condition; what its index does not have is compared, for at most so many entries. */
export async function searchAuditLog(
  queries: Queries,
  accountId: string,
  search: AuditSearch,
  limit: number,
  after: ListPosition | undefined,
  { most, readEntries }: { readonly most: number; readonly readEntries: ReadEntries },
): Promise<AuditFinds> {
  const common = [equal('account_id', accountId), ...periodOf(search), ...(after ? [olderThan(after)] : [])];
  const read = async ({ index, conditions, compared }: Listed): Promise<AuditFinds> => {
    const from = `audit_log${forceIndex(index)}`;
    const listed = [...common, ...conditions];
    const end = compared.length === 0 ? undefined : await lastCompared(queries, from, listed, most);
    const all = [...listed, ...(end ? [notOlderThan(end)] : []), ...compared];
    const rows = await readEntries(`${from} WHERE ${allOf(all)} ${NEWEST_FIRST} LIMIT ?`, [
      ...parametersOf(all),
      limit + 1,
    ]);
    const { recordType } = search;
    const isWanted = (entry: AuditEntry) => recordType === undefined || recordTypesOf(entry).includes(recordType);
    return { entries: rows.filter(isWanted), searchedTo: rows.length <= limit ? end : positionOf(rows.at(-1)) };
  };
  return merged(await Promise.all(listsOf(accountId, search).map(read)), limit);
}

function listsOf(accountId: string, search: AuditSearch): readonly Listed[] {
  const { domainId, domainNames, recordType, actions, actor, tags } = search;
  const tagged = withTags(accountId, tags, '+domain_id');
  const byTags = tags ? [{ ...tagged, sql: tagged.sql.replace(' AND ', '') }] : [];
  const byActor = [...(actor === undefined ? [] : [among('actor', [actor])]), ...byTags];
  const byAction = [...(actions ? [among('action', actions)] : []), ...byActor];
  const byType =
    recordType === undefined ? [] : [among('record_type', [recordType, SEVERAL_TYPES]), mentions(recordType)];
  if (domainId !== undefined) return [list('domain', [equal('domain_id', domainId)], [...byType, ...byAction])];
  if (domainNames)
    return domainNames.map((name) => list('name', [equal('domain_name', name)], [...byType, ...byAction]));
  if (recordType !== undefined)
    return [
      list('record_type', [equal('record_type', recordType)], byAction),
      list('record_type', [equal('record_type', SEVERAL_TYPES)], [mentions(recordType), ...byAction]),
    ];
  if (actions) return actions.map((action) => list('action', [equal('action', action)], byActor));
  if (actor !== undefined) return [list('actor', [equal('actor', actor)], byTags)];
  return [list('account', [], byTags)];
}

function list(index: string, conditions: readonly Condition[], compared: readonly Condition[]): Listed {
  return { index: `audit_log_by_${index}`, conditions, compared };
}

/** As far as every list was read. */
function merged(finds: readonly AuditFinds[], limit: number): AuditFinds {
  const ends = finds.flatMap(({ searchedTo }) => searchedTo ?? []).toSorted(newestFirst);
  const [end] = ends;
  const found = finds
    .flatMap(({ entries }) => entries.map((entry) => ({ entry, ...positionOf(entry) })))
    .filter((entry) => !end || newestFirst(entry, end) <= 0)
    .toSorted(newestFirst);
  const shown = found.slice(0, limit);
  return {
    entries: shown.map(({ entry }) => entry),
    searchedTo: found.length > limit ? positionOf(shown.at(-1)?.entry) : end,
  };
}

/** The last of the entries that are compared; undefined if the list has fewer. */
async function lastCompared(
  queries: Queries,
  from: string,
  conditions: readonly Condition[],
  most: number,
): Promise<ListPosition | undefined> {
  const [row] = await queries.query<{ happened_at: number; id: string }>(
    `SELECT happened_at, id FROM ${from} WHERE ${allOf(conditions)} ${NEWEST_FIRST} LIMIT 1 OFFSET ?`,
    [...parametersOf(conditions), most - 1],
  );
  return row && { createdAt: fromMillis(row.happened_at), id: row.id };
}

export function positionOf(entry: AuditEntry): ListPosition;
export function positionOf(entry: AuditEntry | undefined): ListPosition | undefined;
export function positionOf(entry: AuditEntry | undefined): ListPosition | undefined {
  return entry && { createdAt: entry.at, id: entry.id };
}

function newestFirst(one: ListPosition, other: ListPosition): number {
  const ms = other.createdAt.getTime() - one.createdAt.getTime();
  return ms !== 0 || one.id === other.id ? ms : one.id < other.id ? 1 : -1;
}

function equal(column: string, value: unknown): Condition {
  return { sql: `${column} = ?`, parameters: [value] };
}

/** Behind a plus, SQLite does not use it to choose another index. */
function among(column: string, values: readonly unknown[]): Condition {
  return { sql: `+${column} IN (${placeholders(values)})`, parameters: values };
}

function mentions(recordType: string): Condition {
  const patterns = [`% ${recordType} %`, `%"${recordType}"%`];
  const columns = ['facts_before', 'facts_after'];
  const each = columns.flatMap((column) => patterns.map(() => `${column} LIKE ?`));
  return { sql: `(${each.join(' OR ')})`, parameters: columns.flatMap(() => patterns) };
}

function periodOf({ since, before }: AuditSearch): readonly Condition[] {
  return [
    ...(since ? [{ sql: 'happened_at >= ?', parameters: [since.getTime()] }] : []),
    ...(before ? [{ sql: 'happened_at < ?', parameters: [before.getTime()] }] : []),
  ];
}

function olderThan({ createdAt, id }: ListPosition): Condition {
  const at = createdAt.getTime();
  return { sql: 'happened_at <= ? AND (happened_at < ? OR id < ?)', parameters: [at, at, id] };
}

function notOlderThan({ createdAt, id }: ListPosition): Condition {
  const at = createdAt.getTime();
  return { sql: 'happened_at >= ? AND (happened_at > ? OR id >= ?)', parameters: [at, at, id] };
}

function allOf(conditions: readonly Condition[]): string {
  return conditions.map(({ sql }) => sql).join(' AND ');
}

function parametersOf(conditions: readonly Condition[]): readonly unknown[] {
  return conditions.flatMap(({ parameters }) => parameters);
}
