import { dirname, join } from 'node:path';
import type { DatabaseConfig } from './database-values';
import { InvalidValue } from './invalid-value';

/** Where the key comes from that encrypts what must be read back in clear; `loadSecretKey` fetches it. */
export type SecretKeySource =
  | { readonly kind: 'given'; readonly base64: string }
  | { readonly kind: 'file'; readonly file: string; readonly createWhenMissing: boolean };

export function parseSecretKey(text: string): string {
  if (text !== '' && !decodeSecretKey(text))
    throw new InvalidValue('must be 32 bytes in base64, as `openssl rand -base64 32` prints them');
  return text;
}

/** A named file must exist: with a new key in place of a mistyped one, the stored secrets would be unreadable. */
export function secretKeySource(base64: string, file: string, database: DatabaseConfig): SecretKeySource {
  if (base64 !== '') return { kind: 'given', base64 };
  if (file !== '') return { kind: 'file', file, createWhenMissing: false };
  return {
    kind: 'file',
    file: join(database.kind === 'sqlite' ? dirname(database.file) : 'data', 'secret.key'),
    createWhenMissing: true,
  };
}

/** The 32 bytes that a text holds in base64 or base64url, or undefined. */
export function decodeSecretKey(base64: string): Buffer | undefined {
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}
