import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createConnection, type RowDataPacket } from 'mysql2/promise';

/**
 * Databases as releases made them, and `development` as the last commit before the first release did, with all migrations that the initial
 * one replaced. `npm run fixtures:release` writes those of this version.
 */
export const RELEASES = join(__dirname, '../../fixtures/releases');
/** Under which the fixtures are sealed. */
export const SECRET_KEY = Buffer.alloc(32, 1).toString('base64');

/** What a test needs to use the database of a release. */
export interface Release {
  readonly key: string;
  readonly domainId: string;
  readonly email: string;
}

/** Rows of each table, with values as strings: drivers differ in how they return numbers. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, string | null>>[]>>;

const BOOKKEEPING = ['migrations', 'simreg_migrations', 'schema_requirements'];

export function releasedVersions(): readonly string[] {
  return readdirSync(RELEASES).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);
}

export function release(version: string): Release {
  return JSON.parse(readFileSync(join(RELEASES, `${version}.json`), 'utf8')) as Release;
}

export function loadSqlite(dump: string, file: string): void {
  const database = new Sqlite(file);
  database.exec(readFileSync(join(RELEASES, dump), 'utf8'));
  database.close();
}

export async function loadMysql(dump: string, url: string): Promise<void> {
  const connection = await createConnection({ uri: url, multipleStatements: true, charset: 'utf8mb4' });
  await connection.query(readFileSync(join(RELEASES, dump), 'utf8'));
  await connection.end();
}

/** All rows of SQLite files; a file that does not exist has none. */
export function rowsOfSqlite(...files: readonly string[]): Rows {
  const rows: Record<string, Rows[string]> = {};
  for (const file of files.filter((each) => existsSync(each))) {
    const database = new Sqlite(file, { readonly: true });
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all() as string[];
    for (const table of tables.filter((name) => !BOOKKEEPING.includes(name)))
      rows[table] = database.prepare<[], object>(`SELECT * FROM ${table}`).all().map(asStrings);
    database.close();
  }
  return rows;
}

export async function rowsOfMysql(url: string): Promise<Rows> {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' });
  const rows: Record<string, Rows[string]> = {};
  for (const table of await tablesOfMysql(url))
    if (!BOOKKEEPING.includes(table))
      rows[table] = (await connection.query<RowDataPacket[]>(`SELECT * FROM ${table}`))[0].map(asStrings);
  await connection.end();
  return rows;
}

export async function tablesOfMysql(url: string): Promise<readonly string[]> {
  const connection = await createConnection(url);
  const [tables] = await connection.query<RowDataPacket[]>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  );
  await connection.end();
  return tables.map(({ name }) => String(name));
}

function asStrings(row: object): Rows[string][number] {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, value === null ? null : String(value)]),
  );
}
