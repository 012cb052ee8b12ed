import { refName, resolveRef, type Schema } from './openapi-document';

type Schemas = Readonly<Record<string, Schema>>;

/** A schema in words. */
export interface TypeDescription {
  /** Such as "string" or "array of objects". */
  readonly text: string;
  /** The component with the fields, if it has a name. */
  readonly schema: string | undefined;
  readonly isNullable: boolean;
  readonly description: string | undefined;
  /** Constraints, the default and the format, with code in backticks. */
  readonly facts: readonly string[];
  /** The permitted values; all if empty. */
  readonly values: readonly string[];
  /** Of an object, or of the objects in an array. */
  readonly fields: readonly Field[];
  /** Objects of which the value is one. */
  readonly alternatives: readonly TypeDescription[];
}

export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: TypeDescription;
}

/** A schema with its references and allOf merged into it, and without null. */
interface MergedSchema extends Schema {
  readonly name: string | undefined;
  readonly isNullable: boolean;
  readonly choices: readonly Schema[];
}

export function describeType(schema: Schema, schemas: Schemas): TypeDescription {
  const merged = merge(schema, schemas);
  const { items, additionalProperties, choices } = merged;
  const each = items && describeType(items, schemas);
  const entry = typeof additionalProperties === 'object' ? describeType(additionalProperties, schemas) : undefined;
  const described = choices.map((choice) => describeType(choice, schemas));
  const scalars = described.filter(({ fields }) => fields.length === 0);
  const alternatives = described.filter(({ fields }) => fields.length > 0);
  const fields = each?.fields ?? fieldsOf(merged, schemas);
  return {
    text: textOf(merged, each, entry),
    schema: each ? each.schema : fields.length + alternatives.length > 0 ? merged.name : undefined,
    isNullable: merged.isNullable,
    description: merged.description ?? each?.description,
    facts: [
      ...factsOf(merged),
      ...scalars.flatMap(({ facts }) => facts.map((fact) => `or ${fact}`)),
      ...[each, entry].flatMap((part) => part?.facts.map((fact) => `each ${fact}`) ?? []),
    ],
    values: [
      ...(merged.enum ?? []).filter((value) => value !== null).map(show),
      ...[...scalars, ...(each ? [each] : [])].flatMap(({ values }) => values),
    ],
    fields,
    alternatives: each?.alternatives ?? alternatives,
  };
}

function fieldsOf({ properties = {}, required = [] }: Schema, schemas: Schemas): Field[] {
  return Object.entries(properties).map(([name, property]) => ({
    name,
    isRequired: required.includes(name),
    type: describeType(property, schemas),
  }));
}

/** The later of two descriptions of a member applies, as the outer one is about this use. */
function merge(schema: Schema, schemas: Schemas): MergedSchema {
  const { $ref, allOf = [], oneOf = [], anyOf = [], ...own } = schema;
  const choices = [...oneOf, ...anyOf];
  const choicesButNull = choices.filter(({ type }) => type !== 'null');
  const parts = [
    ...($ref === undefined ? [] : [resolveRef(schema, schemas)]),
    ...allOf,
    ...(choicesButNull.length === 1 ? choicesButNull : []),
  ].map((part) => merge(part, schemas));
  const merged: Schema = Object.assign({}, ...parts, own);
  return {
    ...merged,
    properties: Object.assign({}, ...[...parts, own].map(({ properties }) => properties)),
    required: [...parts, own].flatMap(({ required = [] }) => required),
    name: $ref === undefined ? (parts.length === 1 ? parts[0]?.name : undefined) : refName($ref),
    isNullable:
      choicesButNull.length < choices.length || typesOf(own).includes('null') || parts.some((part) => part.isNullable),
    choices: choicesButNull.length > 1 ? choicesButNull : parts.flatMap((part) => part.choices),
  };
}

function typesOf({ type = [] }: Schema): readonly string[] {
  return [type].flat();
}

function textOf(merged: MergedSchema, each?: TypeDescription, entry?: TypeDescription): string {
  if (each) return `array of ${each.text}s`;
  if (entry) return `map of ${entry.text}s`;
  const types = typesOf(merged).filter((type) => type !== 'null');
  return types.join(' or ') || (merged.choices.length > 0 ? 'object' : 'any');
}

function factsOf(schema: Schema): string[] {
  return [
    schema.format,
    schema.const === undefined ? undefined : `always \`${show(schema.const)}\``,
    range(schema.minimum, schema.maximum),
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minItems, schema.maxItems, 'item'),
    schema.uniqueItems ? 'no duplicates' : undefined,
    schema.pattern === undefined ? undefined : `matches \`${schema.pattern}\``,
    schema.default === undefined ? undefined : `default \`${show(schema.default)}\``,
  ].filter((fact) => fact !== undefined);
}

function range(from: number | undefined, to: number | undefined, unit = ''): string | undefined {
  const units = unit === '' ? '' : ` ${unit}${(to ?? from) === 1 ? '' : 's'}`;
  if (from === undefined) return to === undefined ? undefined : `at most ${to}${units}`;
  return to === undefined ? `at least ${from}${units}` : `${from} to ${to}${units}`;
}

function show(value: unknown): string {
  return value === '' ? '""' : String(value);
}
