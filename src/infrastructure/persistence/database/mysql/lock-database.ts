import Sqlite from 'better-sqlite3';
import type { DatabaseLocation } from '../data-source';
import { ensurePrivateFile } from '../private-file';

/**
 * On SQLite one process does it all, and begins by taking what runs for abandoned: a second one is kept out. The lock is
 * the operating system's, so it ends with its process, however that ends. On MySQL there is none. Returns a function that releases it.
 */
export function lockDatabase(location: DatabaseLocation): () => void {
  if (location.kind === 'mysql') return () => undefined;
  const file = `${location.file}.lock`;
  ensurePrivateFile(file);
  const lock = new Sqlite(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw new Error(`another process serves ${location.file}; stop it, or set DATABASE_URL to another file`, {
      cause: error,
    });
  }
  return () => void lock.close();
}
