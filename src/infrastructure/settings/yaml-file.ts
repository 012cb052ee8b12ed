import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { parseDocument } from 'yaml';
import type { Issue } from '../../domain/shared/issue';

export type Validated<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });

/** Reads a YAML or JSON file and validates it against a JSON Schema. Paths in issues look like `registries.verisign.tlds[0]`. */
export function readYaml<T>(file: string, schema: object): Validated<T> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return fileIssue(`cannot be read: ${file} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
  const document = parseDocument(text, { prettyErrors: false });
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0)
    return {
      issues: errors.map(({ code, pos }) => ({
        path: '',
        message: `is not valid YAML: line ${text.slice(0, pos[0]).split('\n').length} (${code})`,
      })),
    };
  try {
    return validateSchema(document.toJS({ maxAliasCount: 100 }), schema);
  } catch (error) {
    if (error instanceof ReferenceError) return fileIssue('has too many aliases, or an alias without an anchor');
    throw error;
  }
}

export function validateSchema<T>(value: unknown, schema: object): Validated<T> {
  const validate = ajv.compile(schema) as ValidateFunction<T>;
  return validate(value) ? { value } : { issues: (validate.errors ?? []).map(issueOf) };
}

function fileIssue(message: string): Validated<never> {
  return { issues: [{ path: '', message }] };
}

function issueOf({ instancePath, keyword, params, message = 'is invalid' }: ErrorObject): Issue {
  const path = pathOf(instancePath);
  const within = (name: unknown) => [path, String(name)].filter((part) => part !== '').join('.');
  if (keyword === 'required') return { path: within(params['missingProperty']), message: 'is missing' };
  if (keyword === 'additionalProperties')
    return { path: within(params['additionalProperty']), message: 'is not a known setting' };
  if (keyword === 'enum')
    return { path, message: `must be one of ${(params['allowedValues'] as string[]).join(', ')}` };
  return { path, message };
}

/** `/registries/a/tlds/0` is `registries.a.tlds[0]`. */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '');
}
