import type { CooperativeTask } from '../../application/shared/run-cooperatively';
import type { Issue } from '../../domain/shared/issue';

type JsonSchema = Readonly<Record<string, unknown>>;

/** What a value must be. The same description checks values and is published as JSON Schema. */
export interface Shape<T> {
  readonly schema: JsonSchema;
  readonly isOptional?: boolean;
  /** Adds what is wrong to `issues`; pauses between values. */
  check(value: unknown, path: string, issues: Issue[]): CooperativeTask<void>;
  /** Never set: carries the type. */
  readonly of?: T;
}
export type ValueOf<S> = S extends Shape<infer T> ? T : never;

export type Members = Readonly<Record<string, Shape<unknown>>>;
type OptionalNames<M> = { [N in keyof M]: undefined extends ValueOf<M[N]> ? N : never }[keyof M];
type ObjectOf<M> = { readonly [N in Exclude<keyof M, OptionalNames<M>>]: ValueOf<M[N]> } & {
  readonly [N in OptionalNames<M>]?: ValueOf<M[N]>;
};

/** More would not be read. */
const MAX_ISSUES = 100;
/** Characters of an unknown member's name. */
const MAX_SHOWN = 100;

interface Described {
  readonly description?: string;
}

export function text(described: Described = {}): Shape<string> {
  return value({ type: 'string', ...described }, 'must be a string', (each) => typeof each === 'string');
}

export function flag(described: Described = {}): Shape<boolean> {
  return value({ type: 'boolean', ...described }, 'must be true or false', (each) => typeof each === 'boolean');
}

/** A flag that is set if it is given. */
export function yes(described: Described = {}): Shape<true> {
  return value({ type: 'boolean', const: true, ...described }, 'must be true', (each) => each === true);
}

export function choice<const T extends string>(choices: readonly T[], described: Described = {}): Shape<T> {
  const isChoice = (each: unknown) => choices.some((one) => one === each);
  return value({ enum: choices, ...described }, `must be one of ${choices.join(', ')}`, isChoice);
}

interface Range extends Described {
  readonly minimum?: number;
  readonly maximum?: number;
}

export function integer(range: Range = {}): Shape<number> {
  return ranged('integer', 'an integer', range, Number.isInteger);
}

export function number(range: Range = {}): Shape<number> {
  return ranged('number', 'a number', range, Number.isFinite);
}

function ranged(type: string, kind: string, range: Range, isOfKind: (value: unknown) => boolean): Shape<number> {
  const { minimum = -Infinity, maximum = Infinity } = range;
  const bounds = maximum < Infinity ? ` from ${minimum} to ${maximum}` : ` of at least ${minimum}`;
  return value(
    { type, ...range },
    `must be ${kind}${minimum > -Infinity ? bounds : ''}`,
    (each) => isOfKind(each) && Number(each) >= minimum && Number(each) <= maximum,
  );
}

/** Whose members someone else checks. */
export function anyObject(described: Described = {}): Shape<object> {
  return value({ type: 'object', ...described }, 'must be an object', isObject);
}

/** May be absent. */
export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return { ...shape, isOptional: true };
}

/** May be absent, and null counts as absent. */
export function nullable<T>(shape: Shape<T>): Shape<T | null | undefined> {
  return {
    schema: { ...shape.schema, ...('type' in shape.schema && { type: [shape.schema['type'], 'null'] }) },
    isOptional: true,
    *check(each, path, issues) {
      if (each !== null) yield* shape.check(each, path, issues);
    },
  };
}

export function list<T>(
  item: Shape<T>,
  { most = Infinity, ...described }: Described & { readonly most?: number } = {},
): Shape<readonly T[]> {
  return {
    schema: { type: 'array', ...(most < Infinity && { maxItems: most }), items: item.schema, ...described },
    *check(each, path, issues) {
      if (!Array.isArray(each)) issues.push({ path, message: 'must be an array' });
      else if (each.length > most) issues.push({ path, message: `must have at most ${most} entries` });
      else
        for (const [index, entry] of each.entries()) {
          if (issues.length >= MAX_ISSUES) return;
          yield* item.check(entry, `${path}[${index}]`, issues);
        }
    },
  };
}

interface ObjectOptions extends Described {
  /** Of which exactly one is given. */
  readonly hasOne?: boolean;
  /** What it is called if it is not part of another value. */
  readonly called?: string;
}

export function object<M extends Members>(
  members: M,
  { hasOne = false, called = 'The body', ...described }: ObjectOptions = {},
): Shape<ObjectOf<M>> {
  const known = new Map<string, Shape<unknown>>(Object.entries(members));
  const names = [...known.keys()].join(', ');
  const required = [...known].flatMap(([name, { isOptional }]) => (isOptional ? [] : [name]));
  return {
    schema: {
      type: 'object',
      ...described,
      properties: Object.fromEntries([...known].map(([name, { schema }]) => [name, schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...(hasOne && { minProperties: 1, maxProperties: 1 }),
    },
    *check(each, path, issues) {
      if (!isObject(each)) {
        issues.push({ path, message: path === '' ? `${called} must be an object` : 'must be an object' });
        return;
      }
      for (const name of required)
        if (!Object.hasOwn(each, name)) issues.push({ path: memberPath(path, name), message: 'is required' });
      for (const [name, inner] of Object.entries(each)) {
        if (issues.length >= MAX_ISSUES) return;
        const shape = known.get(name);
        if (shape) yield* shape.check(inner, memberPath(path, name), issues);
        else
          issues.push({
            path: memberPath(path, name.slice(0, MAX_SHOWN)),
            message: `is not a known member (known: ${names})`,
          });
      }
      if (hasOne && Object.keys(each).length !== 1) issues.push({ path, message: `must have exactly one of ${names}` });
    },
  };
}

function memberPath(path: string, name: string): string {
  const member = name === '' ? '""' : name;
  return path === '' ? member : `${path}.${member}`;
}

function isObject(each: unknown): each is object {
  return typeof each === 'object' && each !== null && !Array.isArray(each);
}

function value<T>(schema: JsonSchema, message: string, isValid: (value: unknown) => boolean): Shape<T> {
  return {
    schema,
    *check(each, path, issues) {
      yield;
      if (!isValid(each)) issues.push({ path, message });
    },
  };
}
