import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { MysqlTls } from '../config/database-values';
import { decodeSecretKey } from '../config/secret-key-values';
import { ReconcileRestored, type RestoredReport } from '../application/registrar/reconciliation/reconcile-restored';
import type { Config } from '../config';
import { ValidationError } from '../domain/shared/validation-error';
import { KEY_COPY, variableOf, verifyBackup, withoutCreating } from '../infrastructure/backup/create-backup';
import { fingerprintOf, type BackupManifest } from '../infrastructure/backup/manifest';
import { MysqlRestore } from '../infrastructure/backup/mysql-restore';
import { writePrivateFile } from '../infrastructure/backup/private-files';
import { prepareRestored } from '../infrastructure/backup/prepare-restored';
import { SqliteRestore } from '../infrastructure/backup/sqlite-backup';
import { SchemaTooNew } from '../infrastructure/persistence/database/schema-requirement';
import { lockDatabase } from '../infrastructure/persistence/database/mysql/lock-database';
import { loadSecretKey } from '../infrastructure/system/secret-key';
import { createContainer } from './container';

export interface RestoreOptions {
  /** MySQL only: the moment to restore, from the binary logs; the moment of the backup if absent. */
  readonly at?: Date | undefined;
  /** A folder with copies of the binary logs; the server's own if absent. */
  readonly binlogs?: string | undefined;
  /** Replaces a database that is not empty. */
  readonly replace: boolean;
  /** Adopts what the registries and secondaries have since. */
  readonly fix: boolean;
  /** The account for names that are missing; the only account if absent. */
  readonly accountId?: string | undefined;
}

export interface Restored extends RestoredReport {
  readonly manifest: BackupManifest;
  readonly at: Date;
  /** Where the former database is now. */
  readonly former: string | undefined;
  /** Databases that earlier, killed restores have left. */
  readonly leftovers: readonly string[];
}

/** Prepares a database beside the configured one. Until `switch`, the configured one is unchanged. */
interface RestoreTarget {
  readonly location: Config['database'];
  isEmpty(): Promise<boolean>;
  prepare(): Promise<void>;
  /** Calls `beforehand` when nothing is left to be checked. Returns where the former database is now. */
  switch(beforehand: () => void): Promise<string | undefined>;
  leftovers(): Promise<readonly string[]>;
  discard(): Promise<void>;
}

/**
 * Restores a backup beside the configured database, settles it with registries and secondaries there, and then takes the
 * database's place in one step. @throws ValidationError, ConfigurationError; then the configured database is unchanged
 */
export async function restoreBackup(config: Config, folder: string, options: RestoreOptions): Promise<Restored> {
  const manifest = await verifyBackup(folder);
  if (manifest.database !== config.database.kind)
    throw ValidationError.of(
      folder,
      `has a backup of ${manifest.database}, and DATABASE_URL is ${config.database.kind}`,
    );
  if (manifest.database === 'sqlite' && options.at)
    throw ValidationError.of('at', 'works with MySQL only: SQLite has no log of changes');
  const { key, store } = restoredKey(config, folder, manifest);
  const release = lockDatabase(config.database);
  const target = targetOf(config, folder, manifest, options);
  try {
    if (!options.replace && !(await target.isEmpty()))
      throw ValidationError.of('DATABASE_URL', 'names a database that is not empty: --replace moves it aside');
    await target.prepare();
    const at = options.at ?? new Date(manifest.taken_at);
    const report = await settle({ ...config, database: target.location }, key, { ...options, at });
    // Before the switch: a restored database without its key would be of no use.
    const former = await target.switch(store);
    const leftovers = await target.leftovers().catch(() => []);
    return { ...report, manifest, at, former, leftovers };
  } catch (error) {
    await target.discard().catch(() => undefined);
    if (error instanceof SchemaTooNew)
      throw ValidationError.of(
        folder,
        `has a backup of version ${manifest.service_version}, which this version cannot use: ${error.reason}. Restore it with that version`,
      );
    throw error;
  } finally {
    release();
  }
}

async function settle(
  config: Config,
  secretKey: KeyObject,
  { fix, at, accountId }: RestoreOptions & { readonly at: Date },
): Promise<RestoredReport> {
  const { container, database, close } = await createContainer({ ...config, logLevel: 'silent' }, { secretKey });
  try {
    await prepareRestored(database, new Date());
    return await container.get(ReconcileRestored).execute({ fix, at, accountId });
  } finally {
    await close();
  }
}

function targetOf(
  { database }: Config,
  folder: string,
  manifest: BackupManifest,
  { at, binlogs }: RestoreOptions,
): RestoreTarget {
  const startedAt = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const suffix = `${startedAt}_${randomBytes(3).toString('hex')}`;
  if (database.kind === 'sqlite') {
    const restore = new SqliteRestore(database.file);
    return {
      location: { kind: 'sqlite', file: restore.file },
      isEmpty: async () => restore.isTargetEmpty,
      prepare: async () => restore.prepare(folder),
      switch: async (beforehand) => restore.switch(`replaced-${suffix}`, beforehand),
      // The next restore removes them.
      leftovers: async () => [],
      discard: async () => restore.discard(),
    };
  }
  const restore = new MysqlRestore(database, suffix);
  const location: { kind: 'mysql'; url: string; tls?: MysqlTls } = { kind: 'mysql', ...restore.location };
  return {
    location,
    isEmpty: () => restore.isTargetEmpty(),
    prepare: async () => {
      await restore.assertUnused();
      await restore.prepare(folder, manifest, at && { until: at, binlogs });
    },
    switch: (beforehand) => restore.switch(beforehand),
    leftovers: () => restore.leftovers(),
    discard: () => restore.discard(),
  };
}

interface RestoredKey {
  readonly key: KeyObject;
  readonly store: () => void;
}

/** The configured key; if its file is missing, that of the backup, which `store` puts there. */
function restoredKey({ secretKey: source }: Config, folder: string, manifest: BackupManifest): RestoredKey {
  const copy = join(folder, KEY_COPY);
  if (source.kind === 'file' && !existsSync(source.file) && existsSync(copy)) {
    const bytes = decodeSecretKey(readFileSync(copy, 'utf8').trim());
    if (bytes && fingerprintOf(createSecretKey(bytes)) === manifest.secret_key_fingerprint)
      return {
        key: createSecretKey(bytes),
        store: () => writePrivateFile(source.file, `${bytes.toString('base64')}\n`),
      };
  }
  const key = loadSecretKey({ secretKey: withoutCreating(source) });
  if (fingerprintOf(key) !== manifest.secret_key_fingerprint)
    throw ValidationError.of(
      variableOf(source),
      `is not the key of this backup, which has the fingerprint ${manifest.secret_key_fingerprint}`,
    );
  return { key, store: () => undefined };
}
