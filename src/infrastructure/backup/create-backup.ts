import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Config } from '../../config';
import { ValidationError } from '../../domain/shared/validation-error';
import { codeOf } from '../persistence/database/database-errors';
import { isProofOf } from '../persistence/sealing/secret-key-proof';
import { AesSecretBox } from '../system/aes-secret-box';
import { loadSecretKey } from '../system/secret-key';
import { assertIntact, fingerprintOf, readManifest, writeManifest, type BackupManifest } from './manifest';
import { dumpMysql, MYSQL_DUMP, rowsOfDump, withConnection } from './mysql-backup';
import { createBackupFolder, writePrivateFile } from './private-files';
import { copySqlite, inspectSqlite, SQLITE_COPY } from './sqlite-backup';

export const KEY_COPY = 'secret.key';
const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

export interface BackupOptions {
  readonly withKey: boolean;
  /** For what does not spoil the backup. */
  readonly warn?: (message: string) => void;
}

type BackupConfig = Pick<Config, 'database' | 'secretKey'>;

/**
 * Backs up the database to a new folder, while the service runs. The key is copied only if `withKey`. Leaves no folder with a
 * manifest unless it is complete. @throws ValidationError, ConfigurationError
 */
export async function createBackup(
  { database, secretKey: source }: BackupConfig,
  folder: string,
  { withKey, warn }: BackupOptions,
): Promise<BackupManifest> {
  createBackupFolder(folder);
  const manifest = await writeBackup({ database, secretKey: source }, folder, withKey).catch((error: unknown) => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A mount point can only be emptied.
    }
    if (!NO_ROOM.has(codeOf(error))) throw error;
    throw new Error(`the disk of ${folder} has no room for the backup, and nothing was left there`, { cause: error });
  });
  await reportSuccess(database, manifest).catch((error: unknown) =>
    warn?.(`the backup is complete, and its time could not be stored for monitoring: ${String(error)}`),
  );
  return manifest;
}

async function writeBackup(
  { database, secretKey: source }: BackupConfig,
  folder: string,
  withKey: boolean,
): Promise<BackupManifest> {
  const secretKey = loadSecretKey({ secretKey: withoutCreating(source) });
  const takenAt = new Date();
  const copied = await copyDatabase(database, folder);
  if (copied.keyProof !== undefined && !isProofOf(new AesSecretBox(secretKey), copied.keyProof))
    throw ValidationError.of(variableOf(source), 'is not the key that this database is encrypted with');
  if (withKey) writePrivateFile(join(folder, KEY_COPY), `${secretKey.export().toString('base64')}\n`);
  return writeManifest(
    folder,
    {
      ...copied.facts,
      taken_at: takenAt.toISOString(),
      secret_key_fingerprint: fingerprintOf(secretKey),
    },
    [...copied.names, ...(withKey ? [KEY_COPY] : [])],
  );
}

/** Reads the whole backup. @throws ValidationError that says what is missing or damaged */
export async function verifyBackup(folder: string): Promise<BackupManifest> {
  const manifest = readManifest(folder);
  await assertIntact(folder, manifest);
  const rows =
    manifest.database === 'sqlite' ? inspectSqlite(join(folder, SQLITE_COPY)).rows : await rowsOfDump(folder);
  const differing = Object.keys({ ...manifest.rows, ...rows }).filter(
    (table) => (manifest.rows[table] ?? 0) !== (rows[table] ?? 0),
  );
  if (differing.length > 0)
    throw ValidationError.of(folder, `has other numbers of rows than its manifest: ${differing.join(', ')}`);
  return manifest;
}

/** The variable that names the key. */
export function variableOf(source: BackupConfig['secretKey']): 'SECRET_KEY' | 'SECRET_KEY_FILE' {
  return source.kind === 'given' ? 'SECRET_KEY' : 'SECRET_KEY_FILE';
}

/** A missing key must not be replaced by a new one, which opens nothing. */
export function withoutCreating(source: BackupConfig['secretKey']): BackupConfig['secretKey'] {
  return source.kind === 'file' ? { ...source, createWhenMissing: false } : source;
}

interface Copied {
  readonly names: readonly string[];
  readonly keyProof: string | undefined;
  readonly facts: Pick<
    BackupManifest,
    'database' | 'server' | 'database_name' | 'position' | 'rows' | 'schema_version'
  >;
}

async function copyDatabase(database: BackupConfig['database'], folder: string): Promise<Copied> {
  if (database.kind === 'mysql') {
    const { rows, position, schemaVersion, server, databaseName, keyProof } = await dumpMysql(database, folder);
    const facts = { server, position, rows, schema_version: schemaVersion, database_name: databaseName };
    return { names: [MYSQL_DUMP], keyProof, facts: { database: 'mysql', ...facts } };
  }
  const names = await copySqlite(database.file, folder);
  const { rows, schemaVersion, keyProof } = inspectSqlite(join(folder, SQLITE_COPY));
  return {
    names,
    keyProof,
    facts: {
      database: 'sqlite',
      server: `SQLite ${sqliteVersion()}`,
      database_name: null,
      position: null,
      rows,
      schema_version: schemaVersion,
    },
  };
}

/** For monitoring. A database of an older version has no table for it. */
async function reportSuccess(database: BackupConfig['database'], { taken_at, files }: BackupManifest): Promise<void> {
  const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
  const values = [Date.parse(taken_at), bytes];
  const sql = 'REPLACE INTO last_backup (id, succeeded_at, bytes) VALUES (1, ?, ?)';
  try {
    if (database.kind === 'mysql') return void (await withConnection(database, (source) => source.query(sql, values)));
    const connection = new Sqlite(database.file, { timeout: 5_000 });
    try {
      connection.prepare(sql).run(...values);
    } finally {
      connection.close();
    }
  } catch (error) {
    if (!/no such table|doesn't exist/.test(String(error))) throw error;
  }
}

function sqliteVersion(): string {
  const database = new Sqlite(':memory:');
  const version = database.prepare('SELECT sqlite_version()').pluck().get() as string;
  database.close();
  return version;
}
