import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ValidationError } from '../../domain/shared/validation-error';
import { writePrivateFile } from './private-files';

export const MANIFEST = 'manifest.json';
const FORMAT = 1;

/** Where a backup stands in the binary log of its server. */
export interface BinlogPosition {
  readonly file: string;
  readonly position: number;
  /** Of MariaDB: identifies the log, because a new server reuses the file names. */
  readonly gtid: string | null;
}

/** Describes a backup. It is written last, so that a folder without it holds no complete backup. */
export interface BackupManifest {
  readonly format: typeof FORMAT;
  readonly service_version: string;
  /** The newest migration of the database. */
  readonly schema_version: string;
  /** The backup holds what was committed before. */
  readonly taken_at: string;
  readonly database: 'sqlite' | 'mysql';
  readonly server: string;
  readonly database_name: string | null;
  readonly position: BinlogPosition | null;
  /** Rows by table of the service. */
  readonly rows: Readonly<Record<string, number>>;
  readonly secret_key_fingerprint: string;
  readonly files: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
}

const FACTS = [
  'service_version',
  'taken_at',
  'database',
  'rows',
  'secret_key_fingerprint',
  'files',
] satisfies readonly (keyof BackupManifest)[];

function serviceVersion(): string {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as { version: string };
  return version;
}

/** Identifies a key without revealing it. */
export function fingerprintOf(key: KeyObject): string {
  return createHmac('sha256', key).update('namewright backup').digest('hex').slice(0, 16);
}

/** Adds the checksums of `names`, and writes the manifest. */
export async function writeManifest(
  folder: string,
  facts: Omit<BackupManifest, 'format' | 'service_version' | 'files'>,
  names: readonly string[],
): Promise<BackupManifest> {
  const files: Record<string, BackupManifest['files'][string]> = {};
  for (const name of names) files[name] = await checksumOf(join(folder, name));
  const manifest = { format: FORMAT, service_version: serviceVersion(), ...facts, files } as const;
  writePrivateFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** @throws ValidationError unless `folder` holds a complete backup that this version reads */
export function readManifest(folder: string): BackupManifest {
  const file = join(folder, MANIFEST);
  if (!existsSync(folder)) throw ValidationError.of(folder, 'does not exist');
  if (!existsSync(file)) throw ValidationError.of(folder, `holds no complete backup: ${MANIFEST} is missing`);
  const manifest = parsed(readFileSync(file, 'utf8'));
  if (typeof manifest?.format !== 'number') throw ValidationError.of(folder, `has a damaged ${MANIFEST}`);
  if (manifest.format !== FORMAT)
    throw ValidationError.of(folder, `has a backup of format ${manifest.format}; this version reads ${FORMAT}`);
  if (!FACTS.every((fact) => fact in manifest)) throw ValidationError.of(folder, `has a damaged ${MANIFEST}`);
  return { ...(manifest as BackupManifest), format: FORMAT };
}

function parsed(text: string): { readonly format?: unknown } | null {
  try {
    return JSON.parse(text) as { readonly format?: unknown } | null;
  } catch {
    return null;
  }
}

/** @throws ValidationError that names each file that is missing or differs from its checksum */
export async function assertIntact(folder: string, { files }: BackupManifest): Promise<void> {
  const problems: string[] = [];
  for (const [name, expected] of Object.entries(files)) {
    const file = join(folder, name);
    if (name.includes('/') || !existsSync(file)) problems.push(`${name} is missing`);
    else if ((await checksumOf(file)).sha256 !== expected.sha256) problems.push(`${name} differs from its checksum`);
  }
  if (problems.length > 0) throw ValidationError.of(folder, `holds a damaged backup: ${problems.join(', ')}`);
}

async function checksumOf(file: string): Promise<BackupManifest['files'][string]> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return { bytes: statSync(file).size, sha256: hash.digest('hex') };
}
