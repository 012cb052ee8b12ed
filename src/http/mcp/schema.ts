import { anyObject, choice, flag, integer, number, object, text, type Members, type Shape } from '../api/shape';

export const TEXT = text();
export const INTEGER = integer();
export const NUMBER = number();
export const BOOLEAN = flag();
/** Its members are those of the API. */
export const ANY_OBJECT = anyObject();

/** With a type, which some models need. */
export function oneOf<const T extends string>(...values: readonly T[]): Shape<T> {
  const shape = choice(values);
  return { ...shape, schema: { type: 'string', ...shape.schema } };
}

export function args<M extends Members>(members: M) {
  return object(members, { called: 'The arguments' });
}

/** Of a result: members that are not in it are not shown, and none is required. */
export function result(members: Members): Shape<object> {
  const properties = Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema]));
  return { ...ANY_OBJECT, schema: { type: 'object', properties } };
}

const HIDDEN = '(not shown)';
/** Members of API responses that are secrets, or tell about a person what an agent does not need. */
const SECRET =
  /^(auth_code|secret|key|token|password|registrant|first_name|last_name|email|phone|phone_extension|street|street2|street3|postal_code)$/;

interface Shown {
  readonly items?: Shown;
  readonly properties?: Readonly<Record<string, Shown>>;
}

/** What of an API response a tool shows: what its schema has, without null, secrets and personal data. */
export function shown({ schema }: Shape<unknown>, value: unknown): unknown {
  return shownIn(schema, value);
}

function shownIn({ items = {}, properties }: Shown, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((each: unknown) => shownIn(items, each));
  if (typeof value !== 'object') return value;
  if (!properties) return masked(value);
  const members = Object.entries(properties).map(
    ([name, member]) => [name, shownIn(member, (value as Record<string, unknown>)[name])] as const,
  );
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function masked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(masked);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, SECRET.test(name) ? HIDDEN : masked(member)]),
  );
}
