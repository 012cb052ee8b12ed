import type { QueryRunner } from 'typeorm';

/**
 * Table options of CREATE TABLE. On MySQL and MariaDB every text is compared octet by octet, including trailing spaces,
 * as SQLite does; the two servers name that collation differently.
 */
export async function tableOptions(runner: QueryRunner): Promise<string> {
  if (runner.dataSource.options.type !== 'mysql') return '';
  const [server] = await runner.manager.query<{ version: string }[]>('SELECT VERSION() AS version');
  const collation = server?.version.includes('MariaDB') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
  return ` ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation}`;
}

/** Named after its table and column, and quoted: TypeORM finds no other name in a schema of SQLite. `target` is `table (column)`. */
export function foreignKey(runner: QueryRunner, table: string, column: string, target: string): string {
  const quote = runner.dataSource.options.type === 'mysql' ? '`' : '"';
  const quoted = (name: string): string => `${quote}${name}${quote}`;
  return `CONSTRAINT ${quoted(`${table}_${column}`)} FOREIGN KEY (${quoted(column)}) REFERENCES ${target.replace(/^\w+/, quoted)}`;
}
