import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Issue } from '../../domain/shared/issue';
import { isOpenToOthers } from '../system/secret-key';

const SECRET_NAME = /pass|secret|token|private|credential|api_?key/i;

/** Where references to secrets are read from. */
export interface SecretSources {
  readonly env: NodeJS.ProcessEnv;
  /** Base of relative paths. */
  readonly folder: string;
  /** Called with the file of each secret that others than its owner may read. */
  readonly onOpenFile?: ((file: string) => void) | undefined;
}

/**
 * Replaces every `{ env: NAME }` and `{ file: PATH }` in `settings` by its text, without one trailing line break.
 * A secret written in the file itself is an issue: such files end up in repositories.
 */
export function resolveSecrets(
  settings: Readonly<Record<string, unknown>>,
  path: string,
  sources: SecretSources,
  issues: Issue[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      resolveValue(name, value, `${path}.${name}`, sources, issues),
    ]),
  );
}

/** The text of `{ file: PATH }` as it is now; undefined for anything else, or if it cannot be read. */
export function readSecretFile(value: unknown, sources: SecretSources): string | undefined {
  if (!isRecord(value) || !isReference(value) || value['file'] === undefined) return undefined;
  const issues: Issue[] = [];
  const text = readReference(value, '', sources, issues);
  return issues.length === 0 ? text : undefined;
}

function resolveValue(name: string, value: unknown, path: string, sources: SecretSources, issues: Issue[]): unknown {
  if (Array.isArray(value))
    return value.map((entry, index) => resolveValue(name, entry, `${path}[${index}]`, sources, issues));
  if (isRecord(value))
    return isReference(value)
      ? readReference(value, path, SECRET_NAME.test(name) ? sources : { ...sources, onOpenFile: undefined }, issues)
      : resolveSecrets(value, path, sources, issues);
  if (SECRET_NAME.test(name) && (typeof value === 'string' || typeof value === 'number')) {
    issues.push({
      path,
      message: 'must be a reference, { env: NAME } or { file: PATH }: secrets do not belong in this file',
    });
  }
  return value;
}

function readReference(
  reference: Readonly<Record<string, string>>,
  path: string,
  { env, folder, onOpenFile }: SecretSources,
  issues: Issue[],
): string {
  const { env: variable, file = '' } = reference;
  if (variable !== undefined) {
    const text = env[variable];
    if (text === undefined || text === '')
      issues.push({ path, message: `refers to the environment variable ${variable}, which is not set` });
    return text ?? '';
  }
  try {
    const location = resolve(folder, file);
    const text = readFileSync(location, 'utf8').replace(/\r?\n$/, '');
    if (onOpenFile && isOpenToOthers(location)) onOpenFile(location);
    return text;
  } catch (error) {
    issues.push({
      path,
      message: `refers to the file ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    });
    return '';
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isReference(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, string>> {
  const [[kind, target] = [], ...rest] = Object.entries(value);
  return rest.length === 0 && (kind === 'env' || kind === 'file') && typeof target === 'string';
}
