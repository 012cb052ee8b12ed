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

export async function dropIndex(runner: QueryRunner, index: string, table: string): Promise<void> {
  const ofTable = runner.dataSource.options.type === 'mysql' ? ` ON ${table}` : '';
  await runner.query(`DROP INDEX ${index}${ofTable}`);
}

/** Adds a column, unless an interrupted run has added it: MySQL commits each statement of a migration. */
export async function addColumn(runner: QueryRunner, table: string, column: string, type: string): Promise<void> {
  if (!(await runner.hasColumn(table, column))) await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
}

/** Adds a unique index, unless an interrupted run has added it. */
export async function addUniqueIndex(
  runner: QueryRunner,
  index: string,
  table: string,
  columns: string,
): Promise<void> {
  if (runner.dataSource.options.type !== 'mysql')
    return void (await runner.query(`CREATE UNIQUE INDEX IF NOT EXISTS ${index} ON ${table} (${columns})`));
  const found = await runner.manager.query<unknown[]>(
    'SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ?',
    [table, index],
  );
  if (found.length === 0) await runner.query(`CREATE UNIQUE INDEX ${index} ON ${table} (${columns})`);
}
