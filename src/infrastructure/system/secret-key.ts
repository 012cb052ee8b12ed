import { createSecretKey, randomBytes, randomUUID, type KeyObject } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isNativeError } from 'node:util/types';
import { ConfigurationError, type Config } from '../../config';
import { ValidationError } from '../../domain/shared/validation-error';
import { decodeSecretKey } from '../../config/secret-key-values';

/**
 * The key that encrypts stored secrets, from SECRET_KEY or a file; the default file is created at the first start.
 * Returns a KeyObject, which does not reveal the key when printed. @throws ConfigurationError
 */
export function loadSecretKey({ secretKey: source }: Pick<Config, 'secretKey'>): KeyObject {
  if (source.kind === 'given') return keyFrom(source.base64, 'SECRET_KEY');
  if (source.createWhenMissing) createFile(source.file);
  return keyFrom(readFile(source.file), 'SECRET_KEY_FILE');
}

/** Reads the new key for a key rotation. @throws ValidationError */
export function readNewSecretKey(file: string): KeyObject {
  if (existsSync(file) && isOpenToOthers(file)) throw ValidationError.of(file, PRIVATE);
  const bytes = decodeSecretKey(readNewKeyFile(file).trim());
  if (!bytes) throw ValidationError.of(file, 'must hold 32 bytes in base64, as `openssl rand -base64 32` prints them');
  return createSecretKey(bytes);
}

/** @throws ValidationError */
function readNewKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw ValidationError.of(file, `cannot be read (${codeOf(error) ?? 'unknown error'})`);
  }
}

function keyFrom(base64: string, variable: string): KeyObject {
  const bytes = decodeSecretKey(base64.trim());
  if (!bytes) throw new ConfigurationError([{ path: variable, message: 'must hold 32 bytes in base64' }]);
  return createSecretKey(bytes);
}

/** Creates the file atomically, because several processes may start at once. */
function createFile(file: string): void {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}

const PRIVATE = 'must be readable by its owner alone (chmod 600), or by its group as well if root owns it (chmod 640)';

/** The same rule as PostgreSQL's for its key files. Windows has no file modes. */
export function isOpenToOthers(file: string): boolean {
  if (process.platform === 'win32') return false;
  const { mode, uid } = statSync(file);
  return (mode & (uid === 0 ? 0o027 : 0o077)) !== 0;
}

function readFile(file: string): string {
  try {
    if (isOpenToOthers(file))
      throw new ConfigurationError([{ path: 'SECRET_KEY_FILE', message: `(${file}) ${PRIVATE}` }]);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError(
      [{ path: 'SECRET_KEY_FILE', message: `cannot be read: ${file} (${codeOf(error) ?? 'unknown error'})` }],
      { cause: error },
    );
  }
}

function codeOf(error: unknown): string | undefined {
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
