import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parsedYaml } from '../parsed-yaml';
import { closeSchema, mapValues, type JsonSchema } from './close-schema';

interface Example {
  readonly $ref?: string;
  readonly value?: unknown;
}

interface Content {
  readonly schema: JsonSchema;
  readonly examples?: Record<string, Example>;
}

export interface Header {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly schema?: { readonly type?: string };
}

export interface Described {
  readonly $ref?: string;
  readonly headers?: Record<string, Header>;
  readonly content?: Record<string, Content>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
}

interface Operation {
  readonly summary: string;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Described;
  readonly responses: Record<string, Described>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  /** By the type of the event. */
  readonly webhooks: Record<string, { readonly post: Operation }>;
  readonly components: {
    readonly responses: Record<string, Described>;
    readonly headers: Record<string, Header>;
    readonly parameters: Record<string, Parameter>;
    readonly examples: Record<string, Example>;
    readonly schemas: { readonly ErrorCode: { readonly enum: readonly string[] } } & Record<string, JsonSchema>;
  };
}

/** A body in the document: the pointer to its schema, and its examples. */
export interface DescribedBody {
  readonly mediaType: string;
  readonly pointer: string;
  readonly examples: readonly unknown[];
}

/** Responses to a path or method without an operation, by status. */
export const RESPONSES_WITHOUT_OPERATION: Record<string, Described> = {
  400: { $ref: '#/components/responses/InvalidRequest' },
  404: { $ref: '#/components/responses/NotFound' },
  405: { $ref: '#/components/responses/MethodNotAllowed' },
};

export const published = parsedYaml(join(__dirname, '../../../docs/openapi.yaml')) as Document;
/** Each path that refers to another one has that one's operations. */
export const openapi = withoutReferences(published);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(openapi, 'published');
ajv.addSchema(closeDocument(openapi), 'closed');

const compiled = new Map<string, ValidateFunction>();

function withoutReferences({ paths, ...document }: Document): Document {
  const operationsOf = (operations: Record<string, Operation>) => {
    const { $ref } = operations as { readonly $ref?: string };
    return $ref === undefined ? operations : (paths[pathIn($ref)] ?? {});
  };
  return { ...document, paths: mapValues(paths, operationsOf) };
}

function pathIn($ref: string): string {
  return $ref.slice('#/paths/'.length).replaceAll('~1', '/');
}

function closeDocument({ paths, webhooks, components }: Document): object {
  const { schemas, responses } = components;
  const closeContent = <T extends Described>({ content = {}, ...described }: T) => ({
    ...described,
    content: mapValues(content, ({ schema }) => ({ schema: closeSchema(schema, schemas) })),
  });
  return {
    paths: mapValues(paths, (operations) =>
      mapValues(operations, ({ requestBody = {}, responses: own }) => ({
        requestBody: closeContent(requestBody),
        responses: mapValues(own, closeContent),
      })),
    ),
    webhooks: mapValues(webhooks, ({ post: { requestBody = {} } }) => ({
      post: { requestBody: closeContent(requestBody) },
    })),
    components: {
      schemas: mapValues(schemas, (schema) => closeSchema(schema, schemas)),
      responses: mapValues(responses, closeContent),
    },
  };
}

export function pointerTo(...steps: readonly string[]): string {
  return `#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
}

export function resolveRef<T extends { readonly $ref?: string }>(thing: T, components: Record<string, T>): T {
  if (thing.$ref === undefined) return thing;
  const component = components[thing.$ref.split('/').at(-1) ?? ''];
  if (!component) throw new Error(`${thing.$ref} is not in the document`);
  return component;
}

export function bodiesOf(described: Described, pointer: string): DescribedBody[] {
  const { content = {} } = resolveRef(described, openapi.components.responses);
  return Object.entries(content).map(([mediaType, { examples = {} }]) => ({
    mediaType,
    pointer: `${described.$ref ?? pointer}${pointerTo('content', mediaType, 'schema').slice(1)}`,
    examples: Object.values(examples).map((example) => resolveRef(example, openapi.components.examples).value),
  }));
}

/** The names of the query parameters, sorted. */
export function queryParameters(parameters: readonly Parameter[]): string[] {
  return parameters
    .map((parameter) => resolveRef(parameter, openapi.components.parameters))
    .flatMap(({ name, in: place }) => (place === 'query' && name !== undefined ? [name] : []))
    .toSorted();
}

/** Every request and response body in the document. */
export function describedBodies(): DescribedBody[] {
  return Object.entries(openapi.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody, responses }]) => [
      ...(requestBody ? bodiesOf(requestBody, pointerTo('paths', path, method, 'requestBody')) : []),
      ...Object.entries(responses).flatMap(([status, response]) =>
        bodiesOf(response, pointerTo('paths', path, method, 'responses', status)),
      ),
    ]),
  );
}

/** Every error code in the document, with its statuses. */
export function describedCodes(): Map<string, Set<number>> {
  const codes = new Map<string, Set<number>>();
  const operations = Object.values(openapi.paths).flatMap((ofPath) => Object.values(ofPath));
  const failures = [
    ...operations.flatMap(({ responses }) => Object.entries(responses)),
    ...Object.entries(RESPONSES_WITHOUT_OPERATION),
  ].filter(([status]) => Number(status) >= 400);
  for (const [status, response] of failures) {
    for (const example of bodiesOf(response, '').flatMap(({ examples }) => examples)) {
      const { code } = (example as { error: { code: string } }).error;
      codes.set(code, (codes.get(code) ?? new Set()).add(Number(status)));
    }
  }
  return codes;
}

/** The example request bodies of an operation. */
export function requestExamples(method: string, path: string): readonly unknown[] {
  const requestBody = openapi.paths[path]?.[method]?.requestBody;
  return requestBody ? bodiesOf(requestBody, '').flatMap(({ examples }) => examples) : [];
}

/** The validation error of a value; undefined if it is valid. */
export function findSchemaError(schema: object, value: unknown): string | undefined {
  return ajv.validate(schema, value) ? undefined : ajv.errorsText();
}

/** Responses of the published document are open to new members; `closed` finds those that it does not describe. */
export type Variant = 'published' | 'closed';

/** @throws Error with the validation errors of the body */
export function assertValid(pointer: string, body: unknown, variant: Variant = 'closed'): void {
  const reference = `${variant}${pointer}`;
  const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference });
  compiled.set(reference, validate);
  if (!validate(body))
    throw new Error(`${pointer} does not describe ${JSON.stringify(body)}: ${ajv.errorsText(validate.errors)}`);
}
