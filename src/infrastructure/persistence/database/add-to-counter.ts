import type { EntityManager } from 'typeorm';

/** Adds to a counter of `table` that has `key` as its primary key; inserts it if it does not exist. */
export async function addToCounter(
  manager: EntityManager,
  table: string,
  key: Readonly<Record<string, string | number>>,
  counter: string,
  by: number,
): Promise<void> {
  const columns = Object.keys(key).join(', ');
  const places = Object.keys(key).map(() => '?');
  const onDuplicate =
    manager.connection.options.type === 'mysql'
      ? `ON DUPLICATE KEY UPDATE ${counter} = ${counter} + VALUES(${counter})`
      : `ON CONFLICT (${columns}) DO UPDATE SET ${counter} = ${counter} + excluded.${counter}`;
  await manager.query(`INSERT INTO ${table} (${columns}, ${counter}) VALUES (${places.join(', ')}, ?) ${onDuplicate}`, [
    ...Object.values(key),
    by,
  ]);
}
