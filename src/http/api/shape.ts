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

type OptionalNames<M> = { [N in keyof M]: undefined extends ValueOf<M[N]> ? N : never }[keyof M];
type ObjectOf<M> = { readonly [N in Exclude<keyof M, OptionalNames<M>>]: ValueOf<M[N]> } & {
  readonly [N in OptionalNames<M>]?: ValueOf<M[N]>;
};

/** More would not be read. */
const MAX_ISSUES = 100;
/** Characters of an unknown member's name. */
const MAX_SHOWN = 100;

export function text({ description }: { readonly description: string }): Shape<string> {
  return value({ type: 'string', description }, 'must be a string', (each) => typeof each === 'string');
}

export function flag({ description }: { readonly description: string }): Shape<boolean> {
  return value({ type: 'boolean', description }, 'must be true or false', (each) => typeof each === 'boolean');
}

export function choice<const T extends string>(
  choices: readonly T[],
  { description }: { readonly description: string },
): Shape<T> {
  const isChoice = (each: unknown) => choices.some((one) => one === each);
  return value({ enum: choices, description }, `must be one of ${choices.join(', ')}`, isChoice);
}

export function integer({
  description,
  ...range
}: {
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
}): Shape<number> {
  const { minimum = -Infinity, maximum = Infinity } = range;
  const expectation = maximum === Infinity ? 'an integer' : `an integer from ${minimum} to ${maximum}`;
  return value(
    { type: 'integer', ...range, description },
    `must be ${expectation}`,
    (each) => Number.isInteger(each) && Number(each) >= minimum && Number(each) <= maximum,
  );
}

export function number({
  description,
  minimum,
}: {
  readonly description: string;
  readonly minimum: number;
}): Shape<number> {
  const isValid = (each: unknown) => typeof each === 'number' && each >= minimum;
  return value({ type: 'number', minimum, description }, `must be a number of at least ${minimum}`, isValid);
}

/** Whose members someone else checks. */
export function anyObject({ description }: { readonly description: string }): Shape<object> {
  return value({ type: 'object', description }, 'must be an object', isObject);
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
  { description, most }: { readonly description: string; readonly most: number },
): Shape<readonly T[]> {
  return {
    schema: { type: 'array', maxItems: most, items: item.schema, description },
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

export function object<M extends Readonly<Record<string, Shape<unknown>>>>(
  members: M,
  { description }: { readonly description: string },
): Shape<ObjectOf<M>> {
  const known = new Map<string, Shape<unknown>>(Object.entries(members));
  const required = [...known].flatMap(([name, { isOptional }]) => (isOptional ? [] : [name]));
  return {
    schema: {
      type: 'object',
      description,
      properties: Object.fromEntries([...known].map(([name, { schema }]) => [name, schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    *check(each, path, issues) {
      if (!isObject(each)) {
        issues.push({ path, message: path === '' ? 'The body must be an object' : 'must be an object' });
        return;
      }
      for (const name of required)
        if (!Object.hasOwn(each, name)) issues.push({ path: memberPath(path, name), message: 'is required' });
      for (const [name, inner] of Object.entries(each)) {
        if (issues.length >= MAX_ISSUES) return;
        const shape = known.get(name);
        if (shape) yield* shape.check(inner, memberPath(path, name), issues);
        else issues.push({ path: memberPath(path, name.slice(0, MAX_SHOWN)), message: 'is not a known member' });
      }
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
