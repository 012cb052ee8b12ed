import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ValidationError } from '../../domain/shared/validation-error';

/** Creates `folder`, or takes an empty one. @throws ValidationError */
export function createBackupFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw ValidationError.of(folder, `cannot be created: ${(error as Error).message}`);
  }
  if (readdirSync(folder).length > 0) throw ValidationError.of(folder, 'must be empty, or not exist yet');
}

/** Readable by its owner only. The file has its whole content, or does not exist. */
export function writePrivateFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.part`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, file);
  syncPath(dirname(file));
}

/** A temporary file that is open but has no name, so that no process leaves it behind, even if it is killed. */
export async function openUnnamedFile(text = ''): Promise<FileHandle> {
  const path = join(tmpdir(), `namewright-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  unlinkSync(path);
  // At a position, so that a reader of the descriptor begins at the start.
  await file.write(text, 0);
  return file;
}

/** Makes a file, or the names in a folder, survive a power failure. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
