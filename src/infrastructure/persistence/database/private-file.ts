import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A database file where there is none yet, for its owner's eyes only, whatever folder it lies in: people's addresses are
 * in there. SQLite gives the files that it keeps beside it the same mode.
 */
export function ensurePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}
