import type { QueryRunner } from 'typeorm';

/**
 * What ends a CREATE TABLE. On MySQL and MariaDB every text is compared octet by octet, blanks at the end included,
 * as SQLite does anyway; the two servers have different names for that collation.
 */
export async function tableOptions(runner: QueryRunner): Promise<string> {
  if (runner.connection.options.type !== 'mysql') return '';
  const [{ version }] = (await runner.query('SELECT VERSION() AS version')) as [{ version: string }];
  const collation = version.includes('MariaDB') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
  return ` ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation}`;
}
