import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createConnection, escape, type RowDataPacket } from 'mysql2/promise';

import { Database } from '../../../src/infrastructure/persistence/database/database';
import { importSqlite } from '../../../src/infrastructure/persistence/database/sqlite/import-sqlite';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { SIMULATED_CONTENT } from '../../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { startMysql } from './mariadb';
import { createReleaseDatabase } from './release-database';
import { RELEASES, tablesOfMysql } from './releases';

/** `npm run fixtures:release`: writes databases that this version has made, with some rows in every table, and its OpenAPI document. */
describe('a release', () => {
  it('leaves its databases and its OpenAPI document as fixtures', async () => {
    copyFileSync('docs/openapi.yaml', join(RELEASES, 'openapi.yaml'));
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const folder = mkdtempSync(join(tmpdir(), 'namewright-release-'));
    const [file, registryFile] = [join(folder, 'service.db'), join(folder, 'service-registry.db')];
    const release = await createReleaseDatabase(file, registryFile);
    writeFileSync(join(RELEASES, `${version}.json`), `${JSON.stringify(release, null, 2)}\n`);
    for (const [name, path] of [
      ['sqlite', file],
      ['sqlite-registry', registryFile],
    ] as const)
      writeFileSync(join(RELEASES, `${version}-${name}.sql`), dumpOfSqlite(path));
    const mysql = await startMysql();
    const url = await mysql.createDatabase();
    const [target, registry] = [
      new Database({ kind: 'mysql', url }, SERVICE_CONTENT),
      new Database({ kind: 'mysql', url }, SIMULATED_CONTENT),
    ];
    await target.open();
    await registry.open();
    await importSqlite(file, registryFile, target);
    await Promise.all([target.close(), registry.close()]);
    writeFileSync(join(RELEASES, `${version}-mysql.sql`), await dumpOfMysql(url));
    await mysql.stop();
    rmSync(folder, { recursive: true });
  });
});

/** As `sqlite3 FILE .dump` would write it. */
function dumpOfSqlite(file: string): string {
  const database = new Sqlite(file, { readonly: true });
  const schema = database
    .prepare(
      "SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all() as { name: string; type: string; sql: string }[];
  const inserts = schema
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) =>
      database
        .prepare<[], Row>(`SELECT * FROM ${name}`)
        .all()
        .map((row) =>
          insertOf(name, row, (value) =>
            typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL'),
          ),
        ),
    );
  database.close();
  return ['PRAGMA foreign_keys = OFF', ...schema.map(({ sql }) => sql), ...inserts].map((sql) => `${sql};\n`).join('');
}

/** As `mysqldump --skip-extended-insert` would write it. */
async function dumpOfMysql(url: string): Promise<string> {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' });
  const statements = ['SET foreign_key_checks = 0'];
  for (const table of await tablesOfMysql(url)) {
    const [[created]] = await connection.query<RowDataPacket[]>(`SHOW CREATE TABLE ${table}`);
    statements.push(String(created?.['Create Table']));
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT * FROM ${table}`);
    statements.push(...rows.map((row) => insertOf(table, row as Row, (value) => escape(value))));
  }
  await connection.end();
  return [...statements, 'SET foreign_key_checks = 1'].map((sql) => `${sql};\n`).join('');
}

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

function insertOf(table: string, row: Row, literal: (value: Value) => string): string {
  return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')})`;
}
