import type { Issue } from '../../domain/shared/issue';
import { ValidationError } from '../../domain/shared/validation-error';
import type { Schema } from './schema';
import type { McpTool } from './tool';

/** More would not be read. */
const MAX_ISSUES = 20;
/** Characters of an unknown member's name. */
const MAX_SHOWN = 100;
const TYPES: Readonly<Record<Schema['type'], readonly [text: string, is: (value: unknown) => boolean]>> = {
  object: ['an object', isObject],
  array: ['an array', Array.isArray],
  string: ['a string', (value) => typeof value === 'string'],
  integer: ['an integer', Number.isInteger],
  number: ['a number', Number.isFinite],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
};

/** @throws ValidationError with the path of the first wrong arguments */
export function assertArguments({ name, input }: Pick<McpTool, 'name' | 'input'>, given: unknown): void {
  const found = isObject(given)
    ? membersIssues(input, given, '', `an argument of ${name}`)
    : [{ path: '', message: 'The arguments must be an object' }];
  const issues: Issue[] = [];
  for (const issue of found) if (issues.push(issue) === MAX_ISSUES) break;
  if (issues.length > 0) throw new ValidationError(issues);
}

function* issuesOf(schema: Schema, value: unknown, path: string): Generator<Issue> {
  const [text, is] = TYPES[schema.type];
  if (!is(value)) {
    yield { path, message: `must be ${text}` };
  } else if (Array.isArray(value)) {
    yield* entriesIssues(schema, value, path);
  } else if (isObject(value)) {
    yield* membersIssues(schema, value, path, `a member of ${path}`);
  } else if (schema.const !== undefined && value !== schema.const) {
    yield { path, message: `must be ${schema.const}` };
  } else if (schema.enum && !schema.enum.some((each) => each === value)) {
    yield { path, message: `must be one of ${schema.enum.join(', ')}` };
  } else if (typeof value === 'number' && !isWithin(value, schema.minimum, schema.maximum)) {
    yield { path, message: `must be ${rangeText(schema.minimum, schema.maximum)}` };
  }
}

function* entriesIssues({ items, maxItems }: Schema, entries: readonly unknown[], path: string): Generator<Issue> {
  if (!isWithin(entries.length, 0, maxItems))
    yield { path, message: `must have ${rangeText(undefined, maxItems)} entries` };
  if (items) for (const [index, entry] of entries.entries()) yield* issuesOf(items, entry, `${path}[${index}]`);
}

function* membersIssues(schema: Schema, value: object, path: string, kind: string): Generator<Issue> {
  const { properties, required = [], minProperties, maxProperties } = schema;
  if (!properties) return;
  const known = new Map(Object.entries(properties));
  const names = [...known.keys()].join(', ');
  const pathOf = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const name of required) if (!Object.hasOwn(value, name)) yield { path: pathOf(name), message: 'is required' };
  for (const [name, member] of Object.entries(value)) {
    const inner = known.get(name);
    if (inner) yield* issuesOf(inner, member, pathOf(name));
    else yield { path: pathOf(name.slice(0, MAX_SHOWN)), message: `is not ${kind}, which takes ${names}` };
  }
  if (!isWithin(Object.keys(value).length, minProperties, maxProperties))
    yield { path, message: `must have ${rangeText(minProperties, maxProperties)} of ${names}` };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWithin(value: number, least = -Infinity, most = Infinity): boolean {
  return value >= least && value <= most;
}

function rangeText(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return `at most ${most}`;
  if (most === undefined) return `at least ${least}`;
  return least === most ? `exactly ${least}` : `from ${least} to ${most}`;
}
