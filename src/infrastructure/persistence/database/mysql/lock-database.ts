import Sqlite from 'better-sqlite3';
import type { DatabaseLocation } from '../database-location';
import { ensurePrivateFile } from '../private-file';

/**
 * Keeps a second process from using a SQLite database, because each takes over all running work when it starts. The lock is
 * the operating system's and ends with the process. Does nothing on MySQL. Returns a function that releases it.
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
