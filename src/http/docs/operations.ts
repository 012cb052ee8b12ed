import { describeType, type Field } from './describe-type';
import {
  ownPaths,
  resolveRef,
  type Components,
  type OpenapiDocument,
  type ApiOperation,
  type Parameter,
  type Response,
} from './openapi-document';

/** An operation and where the API reference shows it. */
export interface ListedOperation extends ApiOperation {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly url: string;
}

export function listOperations({ paths }: OpenapiDocument): ListedOperation[] {
  return Object.entries(ownPaths({ paths })).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const [tag = ''] = operation.tags;
      return { ...operation, method: method.toUpperCase(), path, tag, url: `${tagUrl(tag)}#${operation.operationId}` };
    }),
  );
}

export function tagUrl(tag: string): string {
  return `/docs/${tag.toLowerCase().replaceAll(' ', '-')}`;
}

/** The scope that the description names; undefined if no key is needed. */
export function scopeOf({ description = '' }: ApiOperation): string | undefined {
  return /Requires\s(READ|WRITE|ADMIN)\sscope/.exec(description)?.[1];
}

/** A parameter, or a header with its name. */
export function parameterField(parameter: Parameter, { schemas }: Components): Field {
  const type = describeType(parameter.schema ?? {}, schemas);
  const { name = '', required = false, description = type.description, example } = parameter;
  const facts = example === undefined ? type.facts : [...type.facts, `example \`${example}\``];
  return { name, isRequired: required, type: { ...type, description, facts } };
}

export function examplesOf({ content = {} }: Response, components: Components): unknown[] {
  return Object.values(content)
    .flatMap(({ examples = {} }) => Object.values(examples))
    .map((example) => resolveRef(example, components.examples).value);
}

/** The codes of an error. */
export function codesOf(response: Response, components: Components): string[] {
  const bodies = examplesOf(response, components) as { readonly error: { readonly code: string } }[];
  return [...new Set(bodies.map(({ error }) => error.code))];
}
