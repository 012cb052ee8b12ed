import type { QueryRunner } from 'typeorm';
import type { DatabaseContent } from './data-source';
import { migrationsOf } from './resumable-migrations';

/** Not copied from one database to another. */
export const REQUIREMENTS_TABLE = 'schema_requirements';
/** Parameters: migration, part, migration. */
export const RAISE_REQUIREMENT = `UPDATE ${REQUIREMENTS_TABLE} SET oldest_migration = ? WHERE part = ? AND oldest_migration < ?`;
const TIMESTAMP = /\d{13}$/;

/** A newer version has migrated the schema, and this version cannot use it. */
export class SchemaTooNew extends Error {
  constructor(readonly reason: string) {
    super(
      `a newer version of Namewright has migrated this database, and this version cannot use it: ${reason}. ` +
        'Start the newer version, or restore the backup from before the upgrade',
    );
  }
}

/**
 * The schema states the newest migration that a version of the service must know to use it. Throws if this version does not
 * know it; raises it before this version runs migrations that older versions cannot work with.
 * @throws Error for the operator
 */
export async function assertSchemaUsable(runner: QueryRunner, content: DatabaseContent): Promise<void> {
  const known = migrationsOf(content).map(timestampOf);
  if (known.length === 0) return;
  const part = content.migrationsTableName ?? 'migrations';
  await assertReleased(runner, part, Math.min(...known));
  await runner.query(
    `CREATE TABLE IF NOT EXISTS ${REQUIREMENTS_TABLE} (part VARCHAR(64) NOT NULL PRIMARY KEY, oldest_migration BIGINT NOT NULL)`,
  );
  const [row] = await runner.manager.query<{ oldest_migration: number | string }[]>(
    `SELECT oldest_migration FROM ${REQUIREMENTS_TABLE} WHERE part = ?`,
    [part],
  );
  const stated = Number(row?.oldest_migration ?? 0);
  if (stated > 0 && !known.includes(stated))
    throw new SchemaTooNew(`it does not know migration ${stated} (its newest is ${Math.max(...known)})`);
  const required = Math.max(
    0,
    ...migrationsOf(content)
      .filter(({ expandOnly }) => expandOnly !== true)
      .map(timestampOf),
  );
  if (required <= stated) return;
  const sql = row
    ? `UPDATE ${REQUIREMENTS_TABLE} SET oldest_migration = ? WHERE part = ?`
    : `INSERT INTO ${REQUIREMENTS_TABLE} (oldest_migration, part) VALUES (?, ?)`;
  await runner.query(sql, [required, part]);
}

/** Commits before 0.1.0 had other migrations, which the initial migration replaced. */
async function assertReleased(runner: QueryRunner, migrationsTable: string, oldest: number): Promise<void> {
  if (!(await runner.hasTable(migrationsTable))) return;
  const [unreleased] = await runner.manager.query<{ name: string }[]>(
    `SELECT name FROM ${migrationsTable} WHERE timestamp < ? ORDER BY timestamp LIMIT 1`,
    [oldest],
  );
  if (!unreleased) return;
  throw new Error(
    `a development version from before 0.1.0 has created this database (${migrationsTable} has ${unreleased.name}), and no release can migrate it. ` +
      'Set DATABASE_URL to a new, empty database; to read the old data, start the commit that created it',
  );
}

function timestampOf({ name }: { readonly name: string }): number {
  return Number(TIMESTAMP.exec(name)?.[0] ?? 0);
}
