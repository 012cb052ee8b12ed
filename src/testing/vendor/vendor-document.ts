import { isIP } from 'node:net';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { isEmailAddress } from '../../domain/shared/email-address';

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: object;
}

interface Content {
  readonly schema?: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

interface Described {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Described;
  readonly responses?: Readonly<Record<string, Described>>;
}

/** An OpenAPI 3 document, parsed. */
export interface OpenApiDocument {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, object>>;
}

/** A request as the server got it. */
export interface ReceivedRequest {
  readonly method: string;
  /** Without the base path and the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Undefined without a body. */
  readonly body: unknown;
}

interface MatchedOperation {
  /** The document's `operationId`, or `GET /path` if it has none. */
  readonly id: string;
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>;
}

interface Route {
  readonly id: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly literals: number;
  readonly pointer: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const FORMATS = {
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  date: /^\d{4}-\d{2}-\d{2}$/,
  email: isEmailAddress,
  hostname: /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/i,
  ip: (text: string) => isIP(text) !== 0,
  ipv4: (text: string) => isIP(text) === 4,
  ipv6: (text: string) => isIP(text) === 6,
  uri: (text: string) => URL.canParse(text),
};
const ROOT = 'vendor';

/** Finds operations in a vendor's OpenAPI document and validates requests and responses against it. */
export class VendorDocument {
  /** Path of the document's first server: `/v2`. */
  readonly basePath: string;
  private readonly ajv: Ajv2020;
  private readonly routes: readonly Route[];
  /** For parameters, which are text on the wire. */
  private coercing: Ajv2020 | undefined;
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenApiDocument) {
    this.basePath = new URL(document.servers?.[0]?.url ?? '/', 'http://vendor').pathname.replace(/\/$/, '');
    this.ajv = this.newAjv(false);
    this.routes = Object.entries(document.paths)
      .flatMap(([path, item]) => this.routesOf(path, item as Record<string, Operation>))
      .toSorted((left, right) => right.literals - left.literals);
  }

  find(method: string, path: string): MatchedOperation | undefined {
    for (const route of this.routes) {
      const match = route.method === method ? route.pattern.exec(path) : undefined;
      if (!match) continue;
      const values = match.slice(1).map((value) => decodeURIComponent(value));
      return { id: route.id, path: Object.fromEntries(route.names.map((name, at) => [name, values[at] ?? ''])) };
    }
    return undefined;
  }

  /** One line for each violation of the document. */
  requestViolations(id: string, request: ReceivedRequest): readonly string[] {
    const route = this.routeOf(id);
    return [
      ...this.queryViolations(route, request),
      ...this.headerViolations(route, request),
      ...this.bodyViolations(route, request),
    ].map((violation) => `${id}: ${violation}`);
  }

  /** One line for each violation; a status that the document lacks is one. */
  responseViolations(id: string, status: number, body: unknown): readonly string[] {
    const { pointer, operation } = this.routeOf(id);
    const responses = operation.responses ?? {};
    const key = String(status) in responses ? String(status) : 'default';
    const described = responses[key];
    if (!described) return [`${id}: the document has no response with status ${status}`];
    const at = described.$ref?.slice(1) ?? `${pointer}/responses/${key}`;
    const schema = this.jsonSchemaAt(at);
    if (schema === undefined) return body === undefined ? [] : [`${id}: ${status} has no body in the document`];
    return this.violations(schema, body).map((violation) => `${id} ${status}: ${violation}`);
  }

  /** The document's first example of a response; undefined without one. */
  exampleOf(id: string, status: number): unknown {
    const described = this.resolve(this.routeOf(id).operation.responses?.[String(status)]);
    const content = described?.content?.['application/json'];
    return content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
  }

  private newAjv(coerceTypes: false | 'array'): Ajv2020 {
    const options = { strict: false, allErrors: true, logger: false, validateSchema: false, formats: FORMATS } as const;
    return new Ajv2020({ ...options, coerceTypes }).addSchema({ ...this.document, $id: ROOT });
  }

  private routeOf(id: string): Route {
    const route = this.routes.find((candidate) => candidate.id === id);
    if (!route) throw new TypeError(`the vendor's document has no operation ${id}`);
    return route;
  }

  private routesOf(path: string, item: Readonly<Record<string, Operation>>): Route[] {
    const shared = (item['parameters'] ?? []) as readonly Parameter[];
    const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
    const pattern = path
      .split(/\{[^}]+\}/)
      .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('([^/:]+)');
    return METHODS.flatMap((method): Route[] => {
      const operation = item[method];
      if (!operation) return [];
      return [
        {
          id: operation.operationId ?? `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          pattern: new RegExp(`^${pattern}$`),
          names,
          literals: path.replace(/\{[^}]+\}/g, '').length,
          pointer: `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
          operation,
          parameters: [...shared, ...(operation.parameters ?? [])].flatMap((each) => this.resolve(each) ?? []),
        },
      ];
    });
  }

  private queryViolations({ parameters }: Route, { query }: ReceivedRequest): string[] {
    const described = parameters.filter((parameter) => parameter.in === 'query');
    const named = new Map(described.map((parameter) => [parameter.name?.replace(/\[\]$/, ''), parameter]));
    const unknown = [...query.keys()].filter((name) => !named.has(name.replace(/\[\]$/, '')));
    return [
      ...unknown.map((name) => `unknown query parameter ${name}`),
      ...described.flatMap(({ name = '', required, schema }) => {
        const values = query.getAll(name);
        if (values.length === 0) return required === true ? [`query parameter ${name} is missing`] : [];
        const value: unknown = values.length === 1 ? values[0] : values;
        return this.parameterViolations(`query parameter ${name}`, schema, value);
      }),
    ];
  }

  private headerViolations({ parameters }: Route, { headers }: ReceivedRequest): string[] {
    return parameters.flatMap(({ in: place, name = '', required }) =>
      place === 'header' && required === true && headers[name.toLowerCase()] === undefined
        ? [`header ${name} is missing`]
        : [],
    );
  }

  private bodyViolations({ pointer, operation }: Route, { headers, body }: ReceivedRequest): string[] {
    const described = this.resolve(operation.requestBody);
    if (body === undefined) return described?.required === true ? ['the body is missing'] : [];
    if (!described) return ['the document has no body for this request'];
    if (!/^application\/json\b/.test(String(headers['content-type'])))
      return [`the body is ${String(headers['content-type'])} instead of application/json`];
    const schema = this.jsonSchemaAt(operation.requestBody?.$ref?.slice(1) ?? `${pointer}/requestBody`);
    return schema === undefined ? [] : this.violations(schema, body);
  }

  private parameterViolations(what: string, schema: object | undefined, value: unknown): string[] {
    if (!schema) return [];
    this.coercing ??= this.newAjv('array');
    const validate = this.coercing.compile({ type: 'object', properties: { value: rebased(schema) } });
    return validate({ value }) ? [] : (validate.errors ?? []).map(({ message }) => `${what} ${message}`);
  }

  /** The pointer of the JSON schema of a described body; undefined without one. */
  private jsonSchemaAt(pointer: string): string | undefined {
    const described = this.at(pointer) as Described | undefined;
    const type = Object.keys(described?.content ?? {}).find((name) => /^application\/(.+\+)?json\b/.test(name));
    if (type === undefined || !described?.content?.[type]?.schema) return undefined;
    return `${pointer}/content/${type.replaceAll('/', '~1')}/schema`;
  }

  private violations(pointer: string, value: unknown): string[] {
    const reference = `${ROOT}#${pointer.split('/').map(encodeURIComponent).join('/')}`;
    const validate = this.validators.get(reference) ?? this.ajv.compile({ $ref: reference });
    this.validators.set(reference, validate);
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`);
  }

  private resolve<T extends { readonly $ref?: string }>(value: T | undefined): T | undefined {
    return value?.$ref === undefined ? value : (this.at(value.$ref.slice(1)) as T | undefined);
  }

  /** The value at a JSON pointer (RFC 6901). */
  private at(pointer: string): unknown {
    return pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], this.document);
  }
}

/** The schema with its references to the document's root. */
function rebased(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${ROOT}#/`)) as object;
}
