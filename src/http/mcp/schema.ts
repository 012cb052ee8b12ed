/** The part of JSON Schema that tools use, and that `assertArguments` checks. */
export interface Schema {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: true;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

type Properties = Readonly<Record<string, Schema>>;

export const TEXT: Schema = { type: 'string' };
export const INTEGER: Schema = { type: 'integer' };
export const NUMBER: Schema = { type: 'number' };
export const BOOLEAN: Schema = { type: 'boolean' };
/** Its members are those of the API. */
export const ANY_OBJECT: Schema = { type: 'object' };

export function text(description: string): Schema {
  return { type: 'string', description };
}

export function oneOf(...values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

export function list(items: Schema, maxItems?: number): Schema {
  return { type: 'array', items, ...(maxItems !== undefined && { maxItems }) };
}

/** Of a result: members that are not in it are not shown. */
export function result(properties: Properties): Schema {
  return { type: 'object', properties };
}

/** Of arguments. */
export function args(properties: Properties, required: readonly string[] = []): Schema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

const HIDDEN = '(not shown)';
/** Members of API responses that are secrets, or tell about a person what an agent does not need. */
const SECRET =
  /^(auth_code|secret|key|token|password|registrant|first_name|last_name|email|phone|phone_extension|street|street2|street3|postal_code)$/;

/** What of an API response a tool shows: what its schema has, without null, secrets and personal data. */
export function shown(schema: Schema, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((each: unknown) => shown(schema.items ?? ANY_OBJECT, each));
  if (typeof value !== 'object') return value;
  if (!schema.properties) return masked(value);
  const members = Object.entries(schema.properties).map(
    ([name, member]) => [name, shown(member, (value as Record<string, unknown>)[name])] as const,
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
