import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { EntityManager } from 'typeorm';
import { ValidationError } from '../../../../domain/shared/validation-error';
import type { Database } from '../database';
import { lockDatabase } from '../mysql/lock-database';
import { REQUIREMENTS_TABLE } from '../schema-requirement';

type Row = Readonly<Record<string, string | number | null>>;

/** The size of an INSERT: fits MySQL's smallest packet limit and the statement timeout. */
const ROWS_AT_A_TIME = 200;
const CHARACTERS_AT_A_TIME = 500_000;

/**
 * Copies all rows of a SQLite file that no process uses, and of the file of its simulated registry, to a MySQL database
 * without accounts: all or nothing. Tables that the target does not have are skipped. Returns how
 * many rows of each table were copied. @throws ValidationError if the two databases do not match
 */
export async function importSqlite(
  file: string,
  registryFile: string,
  target: Database,
): Promise<Readonly<Record<string, number>>> {
  if (!existsSync(file)) throw ValidationError.of(file, 'does not exist');
  const release = lockDatabase({ kind: 'sqlite', file });
  const sources = [file, registryFile]
    .filter((path) => existsSync(path))
    .map((path) => new Sqlite(path, { readonly: true }));
  try {
    return await target.transaction(async (manager) => {
      const [{ accounts } = { accounts: 0 }] = await manager.query<{ accounts: number | string }[]>(
        'SELECT COUNT(*) AS accounts FROM accounts',
      );
      if (Number(accounts) > 0)
        throw ValidationError.of('DATABASE_URL', 'has accounts already: it takes an empty database');
      return withoutForeignKeys(manager, async () => {
        const counts: Record<string, number> = {};
        for (const source of sources)
          for (const table of await commonTables(source, manager))
            counts[table] = await copyTable(table, source, manager);
        return counts;
      });
    });
  } finally {
    for (const source of sources) source.close();
    release();
  }
}

/** Tables come in any order. */
async function withoutForeignKeys<T>(manager: EntityManager, work: () => Promise<T>): Promise<T> {
  await manager.query('SET SESSION foreign_key_checks = 0');
  try {
    return await work();
  } finally {
    await manager.query('SET SESSION foreign_key_checks = 1');
  }
}

async function commonTables(source: Sqlite.Database, manager: EntityManager): Promise<string[]> {
  const found = await manager.query<{ name: string }[]>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const there = new Set(found.map(({ name }) => name));
  const here = source
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
  const [migrations] = here.filter((table) => table.endsWith('migrations'));
  if (migrations === undefined) throw ValidationError.of(source.name, 'is not a Namewright database');
  if (!there.has(migrations)) return [];
  // Earlier ones differ if one of the databases was taken over from before the first release.
  const newest = `SELECT name FROM ${migrations} ORDER BY timestamp DESC LIMIT 1`;
  const [before] = source.prepare<[], { name: string }>(newest).all();
  const [after] = await manager.query<{ name: string }[]>(newest);
  if (before?.name !== after?.name)
    throw ValidationError.of(source.name, 'is of another version: run `migrate` of this one on it first');
  return here.filter((table) => table !== migrations && table !== REQUIREMENTS_TABLE && there.has(table));
}

async function copyTable(table: string, source: Sqlite.Database, manager: EntityManager): Promise<number> {
  await manager.query(`DELETE FROM ${table}`);
  let count = 0;
  for (const rows of batches(source.prepare<[], Row>(`SELECT * FROM ${table}`).iterate())) {
    const columns = Object.keys(rows[0] ?? {});
    const places = `(${columns.map(() => '?').join(', ')})`;
    await manager.query(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')}`,
      rows.flatMap((row) => columns.map((column) => row[column])),
    );
    count += rows.length;
  }
  return count;
}

function* batches(rows: Iterable<Row>): Generator<readonly Row[]> {
  let batch: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    batch.push(row);
    characters += Object.values(row).reduce<number>((sum, value) => sum + String(value).length, 0);
    if (batch.length < ROWS_AT_A_TIME && characters < CHARACTERS_AT_A_TIME) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
