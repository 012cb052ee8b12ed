import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { DesiredState } from '../../../typescript/src/namewright.ts';
import { UsageError } from '../program/usage-error.ts';

/** A state or a zone of octoDNS, which the service reads. */
export interface StateContent {
  readonly state: DesiredState;
  readonly format: 'state' | 'octodns';
  /** Of octoDNS; a state has it in itself. */
  readonly managedBy?: string;
}

/** The text of a zone file (RFC 1035), which the service reads. */
export interface ZoneFileContent {
  readonly zoneFile: string;
}

/** What a file says about a name. */
export interface StateFile {
  readonly file: string;
  readonly name: string;
  readonly content: StateContent | ZoneFileContent;
}

interface ReadOptions {
  /** Instead of the names of the files. */
  readonly name?: string | undefined;
  /** For states that have none. */
  readonly managedBy?: string | undefined;
}

const STATES = ['.yaml', '.yml', '.json'];
const ZONE_FILES = ['.zone', '.db'];
/** Members of a state. A YAML file with others is an octoDNS zone. */
const MEMBERS = new Set([
  'managed_by',
  'records',
  'nameservers',
  'registrant',
  'transfer_locked',
  'auto_renew',
  'tags',
  'dnssec',
  'register',
  'max_price',
  'years',
]);

/** Reads files, and those of folders, each of which has the name of its domain or zone: `example.com.yaml`. */
export async function readStateFiles(paths: readonly string[], options: ReadOptions): Promise<StateFile[]> {
  const files = paths.flatMap(filesOf);
  if (options.name !== undefined && files.length !== 1) throw new UsageError('--name is for one file');
  return Promise.all(files.map((file) => readStateFile(file, options)));
}

function filesOf(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new UsageError(`${path} does not exist`);
  if (!stat.isDirectory()) return [path];
  const known = [...STATES, ...ZONE_FILES];
  return readdirSync(path)
    .filter((name) => known.includes(extname(name)))
    .toSorted()
    .map((name) => join(path, name));
}

async function readStateFile(file: string, { name: given, managedBy }: ReadOptions): Promise<StateFile> {
  const extension = extname(file);
  const name = given ?? basename(file, extension).replace(/\.$/, '');
  const text = readFileSync(file, 'utf8');
  if (ZONE_FILES.includes(extension)) {
    if (managedBy !== undefined)
      throw new UsageError(`${file} is a zone file, which is always the whole zone: without --managed-by`);
    return { file, name, content: { zoneFile: text } };
  }
  if (!STATES.includes(extension))
    throw new UsageError(`${file} ends with none of ${[...STATES, ...ZONE_FILES].join(', ')}`);
  return { file, name, content: contentOf(file, await parseDocument(file, text), managedBy) };
}

/** YAML, of which JSON is a part. */
async function parseDocument(file: string, text: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    return parse(text) as unknown;
  } catch (error) {
    // The lines after the first show the place.
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split(/:?\n/);
    throw new UsageError(`${file} is not valid: ${reason}`, { cause: error });
  }
}

function contentOf(file: string, document: unknown, managedBy: string | undefined): StateContent {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new UsageError(`${file} has no members, such as records`);
  const members = document as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(members).find((member) => !MEMBERS.has(member));
  // The service says what is wrong with the values.
  if (unknown === undefined)
    return { state: managedBy === undefined ? members : { managed_by: managedBy, ...members }, format: 'state' };
  if (!isOctoDnsZone(members))
    throw new UsageError(`${file}: ${unknown} is neither a member of a state nor a name with octoDNS records`);
  return { state: members, format: 'octodns', ...(managedBy !== undefined && { managedBy }) };
}

/** Whether each name of a document has records as octoDNS writes them. */
function isOctoDnsZone(members: Readonly<Record<string, unknown>>): boolean {
  return Object.values(members).every((entry) => [entry].flat().every(hasType));
}

function hasType(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value;
}
