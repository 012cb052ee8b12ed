import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { parseDocument } from 'yaml';
import type { Issue } from '../../../domain/shared/issue';

export type Reading<T> = { readonly written: T } | { readonly issues: readonly Issue[] };

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });

/** Reads a file in YAML, of which JSON is a part, and holds it against `schema`. */
export function readWritten<T>(file: string, schema: object): Reading<T> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return {
      issues: [
        { path: '', message: `cannot be read: ${file} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})` },
      ],
    };
  }
  const document = parseDocument(text, { prettyErrors: false });
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0)
    return {
      issues: problems.map(({ code, pos }) => ({
        path: '',
        message: `is no YAML in line ${text.slice(0, pos[0]).split('\n').length} (${code})`,
      })),
    };
  try {
    return judged(document.toJS({ maxAliasCount: 100 }), schema);
  } catch (error) {
    if (error instanceof ReferenceError)
      return { issues: [{ path: '', message: 'has too many aliases, or one of nothing' }] };
    throw error;
  }
}

export function judged<T>(value: unknown, schema: object): Reading<T> {
  const validate = ajv.compile(schema) as ValidateFunction<T>;
  return validate(value) ? { written: value } : { issues: (validate.errors ?? []).map(issueOf) };
}

function issueOf({ instancePath, keyword, params, message = 'will not do' }: ErrorObject): Issue {
  const path = pathOf(instancePath);
  const within = (name: unknown) => [path, String(name)].filter((part) => part !== '').join('.');
  if (keyword === 'required') return { path: within(params['missingProperty']), message: 'is missing' };
  if (keyword === 'additionalProperties')
    return { path: within(params['additionalProperty']), message: 'is not known' };
  return { path, message: message };
}

/** `/registries/a/tlds/0` is `registries.a.tlds[0]`. */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '');
}
