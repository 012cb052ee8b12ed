import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { ValidationError } from '../../domain/shared/validation-error';
import { codeOf } from '../persistence/database/database-errors';
import { registryFileFor } from '../registry/sandbox/simulated/store/registry-file';
import { syncPath } from './private-files';

/** All pages in one step: a write of another process would make several steps begin again. */
const ALL_PAGES = 2 ** 30;
export const SQLITE_COPY = 'namewright.db';
const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;
const REGISTRY_COPY = /^namewright(-registry(?:-[^/]+)?\.db)$/;

/** Copies the service's file and those of its simulated registries while they are written. Returns the names of the copies. */
export async function copySqlite(file: string, folder: string): Promise<readonly string[]> {
  if (!existsSync(file)) throw ValidationError.of('DATABASE_URL', `names the file ${file}, which does not exist`);
  const names = [SQLITE_COPY];
  await copyFile(file, join(folder, SQLITE_COPY));
  for (const registryFile of registryFilesOf(file)) {
    const name = registryFile.replace(stemOf(file), 'namewright');
    await copyFile(join(dirname(file), registryFile), join(folder, name));
    names.push(name);
  }
  return names;
}

/** @throws ValidationError if SQLite finds damage */
export function inspectSqlite(file: string): {
  readonly rows: Readonly<Record<string, number>>;
  readonly schemaVersion: string;
  /** Undefined in a database that was never served. */
  readonly keyProof: string | undefined;
} {
  const database = new Sqlite(file, { readonly: true });
  try {
    const check = database.pragma('integrity_check', { simple: true });
    if (check !== 'ok') throw ValidationError.of(file, `has a damaged database: ${String(check)}`);
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .pluck()
      .all() as string[];
    const count = (table: string) => database.prepare(`SELECT COUNT(*) FROM "${table}"`).pluck().get() as number;
    const newest = tables.includes('migrations')
      ? database.prepare('SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1').pluck().get()
      : undefined;
    const keyProof = tables.includes('secret_key_proof')
      ? (database.prepare('SELECT sealed FROM secret_key_proof').pluck().get() as string | undefined)
      : undefined;
    const rows = Object.fromEntries(tables.map((table) => [table, count(table)]));
    return { rows, schemaVersion: String(newest), keyProof };
  } finally {
    database.close();
  }
}

/** Prepares a copy in a folder beside the database, and takes its place in one step. */
export class SqliteRestore {
  readonly file: string;
  private readonly folder: string;

  constructor(private readonly target: string) {
    this.folder = `${target}.restore`;
    this.file = join(this.folder, basename(target));
  }

  get isTargetEmpty(): boolean {
    return !existsSync(this.target) || statSync(this.target).size === 0;
  }

  /** The registry is another system, which went on: files of simulated registries are restored only if they are missing. */
  prepare(backup: string): void {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    copyPrivateFile(join(backup, SQLITE_COPY), this.file);
    const target = dirname(this.target);
    for (const name of registryFilesOf(this.target)) symlinkSync(resolve(target, name), join(this.folder, name));
    for (const name of readdirSync(backup)) {
      const suffix = REGISTRY_COPY.exec(name)?.[1];
      const registryFile = `${stemOf(this.target)}${suffix}`;
      if (suffix !== undefined && !existsSync(join(target, registryFile)))
        copyPrivateFile(join(backup, name), join(this.folder, registryFile));
    }
  }

  /**
   * Calls `beforehand` when nothing is left to be checked. Returns where the former database is now. No process may have
   * either file open.
   */
  switch(suffix: string, beforehand: () => void): string | undefined {
    checkpoint(this.file);
    const former = this.isTargetEmpty ? undefined : `${this.target}.${suffix}`;
    const wasDamaged = former !== undefined && isDamaged(this.target);
    beforehand();
    if (former !== undefined) keepAs(this.target, former, { wasDamaged });
    for (const name of registryFilesOf(this.file)) {
      const file = join(this.folder, name);
      if (!lstatSync(file).isSymbolicLink()) replaceBy(file, join(dirname(this.target), name));
    }
    // SQLite would replay them over the restored file.
    for (const side of SIDE_FILES) rmSync(`${this.target}${side}`, { force: true });
    replaceBy(this.file, this.target);
    this.discard();
    return former;
  }

  discard(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whatever mode the backup has: it may have been copied to other machines and back. */
function copyPrivateFile(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, 0o600);
}

/** Takes the place of `target` atomically. */
function replaceBy(file: string, target: string): void {
  checkpoint(file);
  syncPath(file);
  renameSync(file, target);
  syncPath(dirname(target));
}

/** Until `file` is replaced, it has both names. A damaged one is moved with what is beside it. */
function keepAs(file: string, former: string, { wasDamaged }: { readonly wasDamaged: boolean }): void {
  if (!wasDamaged) return linkSync(file, former);
  for (const side of ['', ...SIDE_FILES])
    if (existsSync(`${file}${side}`)) renameSync(`${file}${side}`, `${former}${side}`);
}

/** @throws Error if a process uses it */
function isDamaged(file: string): boolean {
  try {
    checkpoint(file);
    return false;
  } catch (error) {
    if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(codeOf(error))) throw error;
    return true;
  }
}

async function copyFile(from: string, to: string): Promise<void> {
  writeFileSync(to, '', { mode: 0o600, flag: 'wx' });
  const source = new Sqlite(from, { readonly: true });
  try {
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
  // Without the WAL mode of the source, a reader creates no files beside the copy.
  checkpoint(to);
  syncPath(to);
}

/** Moves everything into the file itself and removes its -wal and -shm. */
function checkpoint(file: string): void {
  const database = new Sqlite(file);
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
  if (existsSync(`${file}-wal`)) throw new Error(`another process uses ${file}; stop it`);
}

function stemOf(file: string): string {
  return basename(file).replace(/\.db$/, '');
}

/** The names of the simulated registries' files beside `file`. */
function registryFilesOf(file: string): readonly string[] {
  if (!existsSync(dirname(file))) return [];
  const start = basename(registryFileFor(file)).replace(/\.db$/, '');
  return readdirSync(dirname(file)).filter(
    (name) => name.endsWith('.db') && (name === `${start}.db` || name.startsWith(`${start}-`)),
  );
}
