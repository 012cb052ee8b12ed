import type { DatabaseContent } from './data-source';
import { migrationsOf } from './resumable-migrations';

type Query = <T>(sql: string, parameters?: unknown[]) => Promise<T[]>;

/** Not among the tables that are copied from one database to another. */
export const REQUIREMENTS_TABLE = 'schema_requirements';
const TIMESTAMP = /\d{13}$/;

/**
 * The schema states the newest migration that a version of the service must know to use it. Refuses to go on where this
 * version does not know it, and raises it before migrations run that older versions cannot work with.
 * @throws Error for the operator
 */
export async function assertSchemaUsable(query: Query, content: DatabaseContent): Promise<void> {
  const migrations = migrationsOf(content);
  if (migrations.length === 0) return;
  const part = content.migrationsTableName ?? 'migrations';
  await query(
    `CREATE TABLE IF NOT EXISTS ${REQUIREMENTS_TABLE} (part VARCHAR(64) NOT NULL PRIMARY KEY, oldest_migration BIGINT NOT NULL)`,
  );
  const [row] = await query<{ oldest_migration: number | string }>(
    `SELECT oldest_migration FROM ${REQUIREMENTS_TABLE} WHERE part = ?`,
    [part],
  );
  const stated = Number(row?.oldest_migration ?? 0);
  const known = migrations.map(timestampOf);
  if (stated > 0 && !known.includes(stated)) {
    throw new Error(
      `a newer version of Namewright has migrated this database, and this version cannot use it: it does not know migration ${stated} (its newest is ${Math.max(0, ...known)}). ` +
        'Start the newer version, or restore the back-up from before the upgrade',
    );
  }
  const required = Math.max(0, ...migrations.filter(({ expandOnly }) => expandOnly !== true).map(timestampOf));
  if (required <= stated) return;
  const sql = row
    ? `UPDATE ${REQUIREMENTS_TABLE} SET oldest_migration = ? WHERE part = ?`
    : `INSERT INTO ${REQUIREMENTS_TABLE} (oldest_migration, part) VALUES (?, ?)`;
  await query(sql, [required, part]);
}

function timestampOf({ name }: { readonly name: string }): number {
  return Number(TIMESTAMP.exec(name)?.[0] ?? 0);
}
