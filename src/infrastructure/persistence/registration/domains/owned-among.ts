import type { Queries } from '../../database/database';

/** SQLite takes 32,766 parameters, MySQL 65,535. */
const MAX_PLACES = 1_000;

/** Those of `ids`, any number of them, that are rows of the account. */
export async function ownedAmong(
  database: Queries,
  table: 'operations' | 'transfers',
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const owned = new Set<string>();
  for (let start = 0; start < ids.length; start += MAX_PLACES) {
    const some = ids.slice(start, start + MAX_PLACES);
    const sql = `SELECT id FROM ${table} WHERE id IN (${some.map(() => '?').join(', ')}) AND account_id = ?`;
    for (const { id } of await database.query<{ id: string }>(sql, [...some, accountId])) owned.add(id);
  }
  return owned;
}
