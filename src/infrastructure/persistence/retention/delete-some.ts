import type { EntityManager } from 'typeorm';

export interface Deletion {
  readonly table: string;
  readonly where: string;
  readonly parameters: readonly unknown[];
  /** Columns of an index that `where` uses too: then neither statement reads more rows than it deletes. */
  readonly orderBy: string;
  readonly limit: number;
}

/** Deletes at most `limit` rows, the first in order. Returns how many. */
export async function deleteSome(
  manager: EntityManager,
  { table, where, parameters, orderBy, limit }: Deletion,
): Promise<number> {
  const some = (columns: string): string =>
    `SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY ${orderBy} LIMIT ?`;
  const [found] = await manager.query<{ amount: number | string }[]>(
    `SELECT COUNT(*) AS amount FROM (${some('1')}) AS expired`,
    [...parameters, limit],
  );
  const amount = Number(found?.amount ?? 0);
  if (amount === 0) return 0;
  // SQLite has no DELETE with LIMIT, MySQL no LIMIT in a subquery of IN.
  const condition =
    manager.connection.options.type === 'mysql'
      ? `${where} ORDER BY ${orderBy} LIMIT ?`
      : `rowid IN (${some('rowid')})`;
  await manager.query(`DELETE FROM ${table} WHERE ${condition}`, [...parameters, amount]);
  return amount;
}
