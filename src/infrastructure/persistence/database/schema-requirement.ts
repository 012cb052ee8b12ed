import type { QueryRunner } from 'typeorm';
import type { DatabaseContent } from './data-source';
import { migrationsOf, type MigrationClass } from './resumable-migrations';

/** Not copied from one database to another. */
export const REQUIREMENTS_TABLE = 'schema_requirements';
/** Parameters: migration, part, migration. */
const RAISE_REQUIREMENT = `UPDATE ${REQUIREMENTS_TABLE} SET oldest_migration = ? WHERE part = ? AND oldest_migration < ?`;
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
  await runner.query(
    `CREATE TABLE IF NOT EXISTS ${REQUIREMENTS_TABLE} (part VARCHAR(64) NOT NULL PRIMARY KEY, oldest_migration BIGINT NOT NULL)`,
  );
  const initial = migrationsOf(content).toSorted((one, other) => timestampOf(one) - timestampOf(other))[0];
  if (initial) await takeOver(runner, part, initial);
  const [row] = await runner.manager.query<{ oldest_migration: number | string }[]>(
    `SELECT oldest_migration FROM ${REQUIREMENTS_TABLE} WHERE part = ?`,
    [part],
  );
  const stated = Number(row?.oldest_migration ?? 0);
  if (stated > Math.min(...known) && !known.includes(stated))
    throw new SchemaTooNew(`it does not know migration ${stated} (its newest is ${Math.max(...known)})`);
  const executed = await executedMigrations(runner, part);
  const required = Math.max(
    0,
    ...migrationsOf(content)
      .filter(({ name, expandOnly }) => expandOnly !== true && !executed.includes(name))
      .map(timestampOf),
  );
  if (required <= stated) return;
  const sql = row
    ? `UPDATE ${REQUIREMENTS_TABLE} SET oldest_migration = ? WHERE part = ?`
    : `INSERT INTO ${REQUIREMENTS_TABLE} (oldest_migration, part) VALUES (?, ?)`;
  await runner.query(sql, [required, part]);
}

/**
 * Takes a database at the last of the migrations that `initial` replaces over as it is: its older processes can go on, and start again.
 * An older database, or one of a commit that `initial` does not replace, is refused.
 */
async function takeOver(runner: QueryRunner, part: string, initial: MigrationClass): Promise<void> {
  const executed = await executedMigrations(runner, part);
  const former = executed.filter((name) => timestampOf({ name }) < timestampOf(initial));
  const newest = former.at(-1);
  if (newest === undefined) return;
  const { last, commit } = initial.replaces ?? {};
  if (last === undefined || !former.includes(last)) throw new Error(tooOld(part, newest, commit));
  const required = timestampOf({ name: last });
  await runner.query(RAISE_REQUIREMENT, [required, part, required]);
  if (!executed.includes(initial.name))
    await runner.query(`INSERT INTO ${part} (timestamp, name) VALUES (?, ?)`, [timestampOf(initial), initial.name]);
}

/** Oldest first. */
async function executedMigrations(runner: QueryRunner, part: string): Promise<readonly string[]> {
  if (!(await runner.hasTable(part))) return [];
  const rows = await runner.manager.query<{ name: string }[]>(`SELECT name FROM ${part} ORDER BY timestamp`);
  return rows.map(({ name }) => name);
}

function tooOld(part: string, name: string, commit: string | undefined): string {
  const remedy = commit
    ? `Start commit ${commit} once, which brings it to where this version takes over`
    : 'Set DATABASE_URL to a new, empty database; to read the old data, start the commit that created it';
  return `a development version from before 0.1.0 has created this database, and this version cannot migrate it (${part} ends with ${name}). ${remedy}`;
}

function timestampOf({ name }: { readonly name: string }): number {
  return Number(TIMESTAMP.exec(name)?.[0] ?? 0);
}
