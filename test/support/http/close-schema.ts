/** The keywords of JSON Schema that hold schemas, as docs/openapi.yaml uses them. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly unevaluatedProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * The schema, and those within it, without members that it does not name. A free-form object stays open: one without `properties`,
 * and one with `additionalProperties`.
 */
export function closeSchema(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const parts = closeParts(schema, schemas);
  // Without `type`, `properties` only narrow members that another part of an allOf describes.
  const isObject = (schema.type === 'object' && schema.properties !== undefined) || schema.allOf !== undefined;
  return isObject && schema.additionalProperties === undefined ? { ...parts, unevaluatedProperties: false } : parts;
}

/** A schema whose members are only some of those of the object: what it refers to is copied, because that is closed by itself. */
function closePart({ $ref, ...schema }: JsonSchema, schemas: Schemas): JsonSchema {
  if ($ref === undefined) return closeParts(schema, schemas);
  const referred = schemas[$ref.split('/').at(-1) ?? ''];
  if (!referred) throw new Error(`${$ref} is not in the document`);
  return closePart(referred, schemas);
}

function closeParts(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { properties, additionalProperties, items, allOf, oneOf, anyOf } = schema;
  const close = (whole: JsonSchema) => closeSchema(whole, schemas);
  const part = (some: JsonSchema) => closePart(some, schemas);
  // Alternatives beside `properties` are parts of one object; alone, each is an object by itself.
  const alternative = properties || allOf ? part : close;
  return {
    ...schema,
    ...(properties && {
      properties: mapValues(properties, (value) => (typeof value === 'boolean' ? value : close(value))),
    }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: close(additionalProperties) }),
    ...(items && { items: close(items) }),
    ...(allOf && { allOf: allOf.map(part) }),
    ...(oneOf && { oneOf: oneOf.map(alternative) }),
    ...(anyOf && { anyOf: anyOf.map(alternative) }),
    ...mapValues(conditional(schema), part),
  };
}

function conditional(schema: JsonSchema): Record<string, JsonSchema> {
  const keywords = ['if', 'then', 'else'] as const;
  return Object.fromEntries(keywords.flatMap((keyword) => (schema[keyword] ? [[keyword, schema[keyword]]] : [])));
}

export function mapValues<V, W>(values: Readonly<Record<string, V>>, of: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, of(value)]));
}
