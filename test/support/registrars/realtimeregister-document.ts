import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { OpenApiDocument } from '../../../src/testing/vendor/vendor-document';
import { parsedYaml } from '../parsed-yaml';

/** The vendor's own format: a file for each category, with operations, shared types and enumerations. */
interface Field {
  readonly type: string;
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly enumRef?: string;
  readonly enum?: readonly string[];
  readonly items?: string;
  readonly itemsRef?: string;
  readonly fieldsRef?: string;
}

interface NamedField extends Field {
  readonly name: string;
}

interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly pathParams?: readonly NamedField[];
  readonly queryParams?: readonly NamedField[];
  readonly requestBody?: { readonly fields: Readonly<Record<string, Field>> };
  readonly responses: Readonly<Record<string, object>>;
}

interface Shared {
  readonly enums: Readonly<Record<string, { readonly values?: readonly unknown[] }>>;
  readonly types: Readonly<Record<string, { readonly fields: Readonly<Record<string, Field>> }>>;
}

const FOLDER = resolve(__dirname, '../../fixtures/registrars/realtimeregister');
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE']);
const PATTERNS: Readonly<Record<string, string>> = {
  e164: String.raw`^\+[0-9]{1,3}\.[0-9]{1,14}$`,
  fqdn: String.raw`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`,
};

/** The document of Realtime Register as OpenAPI. A body with a field that it does not name is invalid. */
export function realtimeRegisterDocument(): OpenApiDocument {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
  const shared = read('_shared.yaml') as Shared;
  const paths: Record<string, Record<string, object>> = {};
  for (const file of files.filter((name) => name !== '_shared.yaml'))
    for (const operation of (read(file) as { operations: readonly Operation[] }).operations)
      if (METHODS.has(operation.method) && operation.path.startsWith('/v2/'))
        (paths[operation.path] ??= {})[operation.method.toLowerCase()] = toOpenApi(operation, shared);
  return { servers: [{ url: 'https://api.yoursrs.com' }], paths };
}

function read(file: string): unknown {
  return parsedYaml(join(FOLDER, file));
}

function toOpenApi(operation: Operation, shared: Shared): object {
  const { operationId, pathParams = [], queryParams = [], requestBody, responses } = operation;
  const parameter = (place: string) => (field: NamedField) => ({
    name: field.name,
    in: place,
    required: field.required ?? false,
    schema: toSchema(field, shared),
  });
  return {
    operationId,
    parameters: [...pathParams.map(parameter('path')), ...queryParams.map(parameter('query'))],
    ...(requestBody && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: toObject(requestBody.fields, shared) } },
      },
    }),
    responses,
  };
}

function toObject(fields: Readonly<Record<string, Field>>, shared: Shared): object {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    additionalProperties: false,
    required: entries.filter(([, { required }]) => required === true).map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, field]) => [name, toSchema(field, shared)])),
  };
}

function toSchema(field: Field, shared: Shared): object {
  const { type, enumRef, items, itemsRef, fieldsRef, format = '', required: _required, ...limits } = field;
  const values = field.enum ?? shared.enums[enumRef ?? '']?.values;
  const pattern = PATTERNS[format];
  if (type === 'array')
    return {
      type,
      ...limits,
      enum: undefined,
      items: itemsRef
        ? toObject(shared.types[itemsRef]?.fields ?? {}, shared)
        : { type: items, ...(values && { enum: values }) },
    };
  if (fieldsRef) return toObject(shared.types[fieldsRef]?.fields ?? {}, shared);
  return { type, ...limits, ...(values && { enum: values }), ...(pattern && { pattern }) };
}
