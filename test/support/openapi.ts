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

interface Described {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json': Content };
}

interface Operation {
  readonly summary: string;
  readonly requestBody?: Described;
  readonly responses: Record<string, Described>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly responses: Record<string, Described>; readonly examples: Record<string, Example> };
}

/** One body that the document describes: where its schema is, and the examples beside it. */
export interface DescribedBody {
  readonly pointer: string;
  readonly examples: readonly unknown[];
}

export const openapi = parse(readFileSync(join(__dirname, '../../docs/openapi.yaml'), 'utf8'), { maxAliasCount: -1 }) as Document;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(openapi, 'doc');

const compiled = new Map<string, ValidateFunction>();
const templates = Object.keys(openapi.paths)
  .toSorted((left, right) => left.split('{').length - right.split('{').length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`) }));

function pointerTo(...steps: readonly string[]): string {
  return `#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
}

function contentOf(described: Described, pointer: string): DescribedBody {
  const place = described.$ref ?? pointer;
  const { content } = resolved(described, openapi.components.responses);
  if (!content) throw new Error(`${place} describes no JSON`);
  const examples = Object.values(content['application/json'].examples ?? {}).map((example) => resolved(example, openapi.components.examples).value);
  return { pointer: `${place}/content/application~1json/schema`, examples };
}

function resolved<T extends { readonly $ref?: string }>(thing: T, components: Record<string, T>): T {
  if (thing.$ref === undefined) return thing;
  const component = components[thing.$ref.split('/').at(-1) ?? ''];
  if (!component) throw new Error(`${thing.$ref} is not in the document`);
  return component;
}

/** Every body that the document describes, requests as well as answers. */
export function describedBodies(): DescribedBody[] {
  return Object.entries(openapi.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody, responses }]) => [
      ...(requestBody ? [contentOf(requestBody, pointerTo('paths', path, method, 'requestBody'))] : []),
      ...Object.entries(responses).map(([status, response]) => contentOf(response, pointerTo('paths', path, method, 'responses', status))),
    ]),
  );
}

/** @throws Error saying what is wrong with the body */
export function assertValid(pointer: string, body: unknown): void {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `doc${pointer}` });
  compiled.set(pointer, validate);
  if (!validate(body)) throw new Error(`${pointer} does not describe ${JSON.stringify(body)}: ${ajv.errorsText(validate.errors)}`);
}

/** @throws Error where the document does not describe this answer */
export function assertDescribed(method: string, path: string, status: number, body: unknown): void {
  const address = path.split('?')[0] ?? '';
  const template = templates.find(({ pattern }) => pattern.test(address))?.path;
  const operation = template === undefined ? undefined : openapi.paths[template]?.[method];
  if (template === undefined || !operation) {
    if (status !== 404 && status !== 405) throw new Error(`${method} ${address} is not described, and answers ${status}`);
    assertValid(contentOf({ $ref: `#/components/responses/${status === 404 ? 'NotFound' : 'MethodNotAllowed'}` }, '').pointer, body);
    return;
  }
  const response = operation.responses[status];
  if (!response) throw new Error(`${method} ${template} does not describe the status ${status}: ${JSON.stringify(body)}`);
  assertValid(contentOf(response, pointerTo('paths', template, method, 'responses', String(status))).pointer, body);
}
