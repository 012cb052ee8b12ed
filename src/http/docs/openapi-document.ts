/** A request in one language: `x-codeSamples`. */
export interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

interface Referring {
  readonly $ref?: string;
}

/** JSON Schema as docs/openapi.yaml uses it. */
export interface Schema extends Referring {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

export interface Example extends Referring {
  readonly value?: unknown;
}

export interface Content {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

/** A header has neither name nor place. */
export interface Parameter extends Referring {
  readonly name?: string;
  readonly in?: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: string | number;
}

export interface Response extends Referring {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Parameter>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** Empty if no key is needed. */
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly description?: string;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-codeSamples'?: readonly Sample[];
}

export interface Components {
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly headers: Readonly<Record<string, Parameter>>;
  readonly responses: Readonly<Record<string, Response>>;
  readonly examples: Readonly<Record<string, Example>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** The parts of docs/openapi.yaml that the API reference shows. */
export interface OpenapiDocument {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: Components;
}

/** Without the paths that refer to another one. */
export function ownPaths<P>({ paths }: { readonly paths: Readonly<Record<string, P>> }): Readonly<Record<string, P>> {
  return Object.fromEntries(
    Object.entries(paths).filter(([, operations]) => !Object.hasOwn(operations as object, '$ref')),
  );
}

/** The component that `$ref` names, or the value itself. */
export function resolveRef<T extends Referring>(value: T, components: Readonly<Record<string, T>>): T {
  if (value.$ref === undefined) return value;
  const component = components[refName(value.$ref)];
  if (!component) throw new Error(`${value.$ref} is not in docs/openapi.yaml`);
  return component;
}

export function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
