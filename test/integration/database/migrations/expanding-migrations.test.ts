import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Database } from '../../../../src/infrastructure/persistence/database/database';
import type { DatabaseLocation } from '../../../../src/infrastructure/persistence/database/database-location';
import { SERVICE_CONTENT } from '../../../../src/infrastructure/persistence/service-content';
import { withEachDatabase } from '../../../support/databases/each-database';

type Migrations = readonly (new () => MigrationInterface)[];
const MIGRATIONS = SERVICE_CONTENT.migrations as unknown as Migrations;
/** Whether an INSERT must give a value, by `table.column`. */
type Schema = ReadonlyMap<string, boolean>;

const COLUMNS = {
  sqlite: `SELECT t.name || '.' || c.name AS name, c."notnull" = 1 AND c.dflt_value IS NULL AND c.pk = 0 AS needed
    FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'`,
  mysql: `SELECT CONCAT(table_name, '.', column_name) AS name, is_nullable = 'NO' AND column_default IS NULL
      AND extra NOT LIKE '%auto_increment%' AS needed
    FROM information_schema.columns WHERE table_schema = DATABASE()`,
};

withEachDatabase('migrations in a rolling upgrade', (databases) => {
  it('only add: an older version finds its columns, and may leave out the new ones', async () => {
    expect(await conflictsOf(MIGRATIONS, await databases.create())).toEqual([]);
  });

  it('are compared: a column that is dropped and one that is required are found', async () => {
    class Rename1999000000001 {
      readonly name = 'Rename1999000000001';
      up = async (runner: QueryRunner) => void (await runner.query('ALTER TABLE accounts RENAME COLUMN name TO title'));
      down = async () => undefined;
    }

    expect(await conflictsOf([...MIGRATIONS.slice(0, 1), Rename1999000000001], await databases.create())).toEqual([
      'Rename1999000000001 removes accounts.name',
      'Rename1999000000001 requires accounts.title',
    ]);
  });
});

/** What of each migration a process of the version before it would fail on. */
async function conflictsOf(migrations: Migrations, location: DatabaseLocation): Promise<readonly string[]> {
  const conflicts: string[] = [];
  let before: Schema = new Map();
  for (const [index, { name }] of migrations.entries()) {
    const database = new Database(location, { ...SERVICE_CONTENT, migrations: migrations.slice(0, index + 1) });
    await database.open();
    const rows = await database.query<{ name: string; needed: number | string }>(COLUMNS[location.kind]);
    await database.close();
    const after: Schema = new Map(rows.map((row) => [row.name, Number(row.needed) === 1]));
    const known = new Set([...before.keys()].map(tableOf));
    for (const column of before.keys()) if (!after.has(column)) conflicts.push(`${name} removes ${column}`);
    for (const [column, isNeeded] of after)
      if (isNeeded && known.has(tableOf(column)) && !before.get(column)) conflicts.push(`${name} requires ${column}`);
    before = after;
  }
  return conflicts;
}

function tableOf(column: string): string {
  return column.split('.', 1)[0] ?? '';
}
