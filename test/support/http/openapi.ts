import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

interface Example {
  readonly $ref?: string;
  readonly value?: unknown;
}

interface Content {
  readonly schema: object;
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
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Described;
  readonly responses: Record<string, Described>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly responses: Record<string, Described>;
    readonly headers: Record<string, Header>;
    readonly parameters: Record<string, Parameter>;
    readonly examples: Record<string, Example>;
    readonly schemas: { readonly ErrorCode: { readonly enum: readonly string[] } };
  };
}

/** One body that the document describes: where its schema is, and the examples beside it. */
export interface DescribedBody {
  readonly mediaType: string;
  readonly pointer: string;
  readonly examples: readonly unknown[];
}

/** What an address answers that is no operation, by status. */
export const ELSEWHERE: Record<string, Described> = {
  400: { $ref: '#/components/responses/InvalidRequest' },
  404: { $ref: '#/components/responses/NotFound' },
  405: { $ref: '#/components/responses/MethodNotAllowed' },
};

export const openapi = parse(readFileSync(join(__dirname, '../../../docs/openapi.yaml'), 'utf8'), {
  maxAliasCount: -1,
}) as Document;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(openapi, 'doc');

const compiled = new Map<string, ValidateFunction>();

export function pointerTo(...steps: readonly string[]): string {
  return `#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
}

export function resolved<T extends { readonly $ref?: string }>(thing: T, components: Record<string, T>): T {
  if (thing.$ref === undefined) return thing;
  const component = components[thing.$ref.split('/').at(-1) ?? ''];
  if (!component) throw new Error(`${thing.$ref} is not in the document`);
  return component;
}

export function bodiesOf(described: Described, pointer: string): DescribedBody[] {
  const { content = {} } = resolved(described, openapi.components.responses);
  return Object.entries(content).map(([mediaType, { examples = {} }]) => ({
    mediaType,
    pointer: `${described.$ref ?? pointer}${pointerTo('content', mediaType, 'schema').slice(1)}`,
    examples: Object.values(examples).map((example) => resolved(example, openapi.components.examples).value),
  }));
}

/** The names of those that stand in the query, sorted. */
export function queryParameters(parameters: readonly Parameter[]): string[] {
  return parameters
    .map((parameter) => resolved(parameter, openapi.components.parameters))
    .flatMap(({ name, in: place }) => (place === 'query' && name !== undefined ? [name] : []))
    .toSorted();
}

/** Every body that the document describes, requests as well as answers. */
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

/** The error codes that the document names anywhere, each with the statuses that it may have. */
export function describedCodes(): Map<string, Set<number>> {
  const codes = new Map<string, Set<number>>();
  const operations = Object.values(openapi.paths).flatMap((ofPath) => Object.values(ofPath));
  const failures = [
    ...operations.flatMap(({ responses }) => Object.entries(responses)),
    ...Object.entries(ELSEWHERE),
  ].filter(([status]) => Number(status) >= 400);
  for (const [status, response] of failures) {
    for (const example of bodiesOf(response, '').flatMap(({ examples }) => examples)) {
      const { code } = (example as { error: { code: string } }).error;
      codes.set(code, (codes.get(code) ?? new Set()).add(Number(status)));
    }
  }
  return codes;
}

/** The examples of bodies that may be sent to an operation. */
export function requestExamples(method: string, path: string): readonly unknown[] {
  const requestBody = openapi.paths[path]?.[method]?.requestBody;
  return requestBody ? bodiesOf(requestBody, '').flatMap(({ examples }) => examples) : [];
}

/** What is wrong with a value, in words; undefined where nothing is. */
export function faultOf(schema: object, value: unknown): string | undefined {
  return ajv.validate(schema, value) ? undefined : ajv.errorsText();
}

/** @throws Error saying what is wrong with the body */
export function assertValid(pointer: string, body: unknown): void {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `doc${pointer}` });
  compiled.set(pointer, validate);
  if (!validate(body))
    throw new Error(`${pointer} does not describe ${JSON.stringify(body)}: ${ajv.errorsText(validate.errors)}`);
}
