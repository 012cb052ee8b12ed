import { OF_ZONE, readDocument } from './document.mjs';

/**
 * For languages that have no type for "one or the other", and none for an object without a name: every object has a name, every
 * operation one response, and nothing that a newer service adds is an error.
 */
export function documentWithNamedTypes(file) {
  const document = readDocument(file);
  const { openapi, info, components } = document;
  const schemas = { ...components.schemas };
  delete schemas.ApiError;
  const named = new NamedSchemas(schemas);
  const paths = {};
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (!METHODS.has(method)) continue;
      const { write, plan } = splitDryRun(operation, components);
      const suffix = operation.operationId.endsWith(OF_ZONE) ? OF_ZONE : '';
      const id = operation.operationId.slice(0, operation.operationId.length - suffix.length);
      const add = (at, variant, name) => {
        (paths[at] ??= {})[method] = operationFor(variant, name + suffix, components);
        paths[at][method].parameters &&= named.inline(paths[at][method].parameters);
        named.nameObjectsOf(paths[at][method], pascal(id), pascal(name));
      };
      add(path, write, id);
      if (plan) add(`${path}?dry_run=true`, plan, `plan${pascal(id)}`);
    }
  }
  return {
    openapi,
    info: { title: info.title, version: info.version, summary: info.summary },
    servers: document.servers,
    tags: document.tags,
    // A key in a URL ends up in logs: clients send the header only.
    security: [{ bearer: [] }],
    paths,
    components: {
      parameters: named.inline(components.parameters),
      headers: named.inline(components.headers),
      securitySchemes: { bearer: components.securitySchemes.bearer },
      schemas: named.all(),
    },
  };
}

/** The names of the schemas that requests are made of. */
export function requestSchemas({ paths, components }) {
  const names = new Set();
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return;
    const name = value.$ref?.split('/').at(-1);
    if (name && !names.has(name)) {
      names.add(name);
      visit(components.schemas[name]);
    }
    Object.values(value).forEach(visit);
  };
  for (const item of Object.values(paths)) for (const { requestBody } of Object.values(item)) visit(requestBody);
  return names;
}

// Stands for text/dns in requests: generators send a body as it is only if its type is binary.
export const TEXT = 'application/octet-stream';
const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);
const resolve = (value, list) => (value.$ref ? list[value.$ref.split('/').at(-1)] : value);
const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
const mapKeysAndValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => map(key, value)));
const pascal = (name) => name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter) => letter.toUpperCase());
const singular = (name) =>
  /(?:ss|us)$/.test(name) ? name : name.replace(/ies$/, 'y').replace(/(ss|us|ias)es$|s$/, '$1');

/**
 * With `dry_run=true` an operation responds with another object. Most languages have no type for "one or the other", and a generator
 * takes the first status: so each becomes two operations, each with its own response.
 */
function splitDryRun(operation, components) {
  const { parameters = [], responses } = operation;
  const isDryRun = (parameter) => resolve(parameter, components.parameters).name === 'dry_run';
  if (!parameters.some(isDryRun)) return { write: operation };
  const [ok, stored] = [responses['200'], responses['201'] ?? responses['200']].map((response) =>
    resolve(response, components.responses),
  );
  const schema = ok.content['application/json'].schema;
  const [written, planned] = responses['201'] ? [stored.content['application/json'].schema, schema] : schema.oneOf;
  const others = parameters.filter((parameter) => !isDryRun(parameter));
  return {
    write: {
      ...operation,
      parameters: others,
      responses: { [responses['201'] ? '201' : '200']: withSchema(stored, written) },
    },
    plan: {
      ...operation,
      summary: `Plan, without writing: ${operation.summary}`,
      parameters: others,
      responses: { 200: withSchema(ok, planned) },
    },
  };
}

const withSchema = (response, schema) => ({ ...response, content: { 'application/json': { schema } } });

/** One operation without its samples and errors: every error is the same envelope, which the clients decode themselves. */
function operationFor(operation, operationId, components) {
  const { 'x-codeSamples': _samples, responses, security, ...rest } = operation;
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2') || status === '304');
  const resolved = answers.map(([status, response]) => [
    status,
    withoutExamples(resolve(response, components.responses), ['application/json', { schema: { type: 'string' } }]),
  ]);
  const paged = resolved.some(([, { headers }]) => headers?.Link !== undefined);
  return structuredClone({
    ...rest,
    ...(rest.requestBody && {
      requestBody: withoutExamples(rest.requestBody, [TEXT, { schema: { type: 'string', format: 'binary' } }]),
    }),
    operationId,
    ...(security?.length === 0 && { security }),
    responses: Object.fromEntries(resolved),
    ...(paged && { 'x-redoclyPagination': { style: 'link', items: '' } }),
  });
}

/** Without examples, and with its own type for what is not JSON, which every generator handles. */
const withoutExamples = (message, other) => ({
  ...message,
  ...(message.content && {
    content: mapKeysAndValues(message.content, (type, { schema }) =>
      type === 'application/json' ? [type, { schema }] : other,
    ),
  }),
});

/** Alternative objects become one that has what any has, and requires what all do: most languages have no type for "one of these". */
function merged(members) {
  const objects = members.filter((member) => member.properties);
  if (objects.length < 2) return members;
  const required = objects.map((member) => member.required ?? []);
  const one = {
    type: 'object',
    required: required[0].filter((name) => required.every((names) => names.includes(name))),
    properties: Object.assign({}, ...objects.map((member) => member.properties)),
  };
  return [one, ...members.filter((member) => !member.properties)];
}

/** Gives every object below a name, after its parent and member, because generators type what is named. */
class NamedSchemas {
  #named = {};
  #sources = {};
  #scalars;

  constructor(schemas) {
    this.#scalars = new Map(
      Object.entries(schemas)
        .filter(([, schema]) => !/"(?:properties|\$ref)":/.test(JSON.stringify(schema)))
        .map(([name, schema]) => [`#/components/schemas/${name}`, schema]),
    );
    for (const [name, schema] of Object.entries(schemas)) {
      if (schema.enum) this.#named[name] = schema;
      else if (!this.#scalars.has(`#/components/schemas/${name}`))
        this.#named[name] = this.#below(structuredClone(schema), name);
    }
  }

  all() {
    return this.#named;
  }

  /** Parameters and headers keep their enums: a client sends the values that it knows. */
  inline(value) {
    if (typeof value !== 'object' || value === null) return value;
    const scalar = this.#scalars.get(value.$ref);
    if (scalar && !scalar.enum)
      return this.inline({ ...scalar, ...(value.description && { description: value.description }) });
    // Generators repeat the name of the parameter instead of writing commas: a text, as the service reads it.
    if (value.in === 'query' && value.explode === false) return { ...value, schema: { type: 'string' } };
    return Array.isArray(value)
      ? value.map((item) => this.inline(item))
      : mapValues(value, (item) => this.inline(item));
  }

  /** The operations of a domain and of a zone, and a plan, share the name of their request. */
  nameObjectsOf(operation, requestOf, responseOf) {
    for (const content of Object.values(operation.requestBody?.content ?? {}))
      content.schema = this.#name(content.schema, `${requestOf}Request`);
    for (const { content } of Object.values(operation.responses))
      for (const [type, media] of Object.entries(content ?? {}))
        if (type === 'application/json') media.schema = this.#name(media.schema, `${responseOf}Response`);
  }

  #name(schema, name) {
    const scalar = this.#scalars.get(schema.$ref);
    // A typed member could not hold a value that a newer service adds. The type stays, for its constants.
    if (scalar?.enum)
      return { type: 'string', description: `One of ${schema.$ref.split('/').at(-1)}, or a value of a newer service` };
    // Its own name for each text and number helps no one, and makes two pointers of one in Go.
    if (scalar)
      return this.#name(
        { ...structuredClone(scalar), ...(schema.description && { description: schema.description }) },
        name,
      );
    const only = schema.allOf?.length === 1 && !schema.properties && schema.allOf[0].$ref;
    if (only) return this.#name({ $ref: only, ...(schema.description && { description: schema.description }) }, name);
    if (schema.$ref || !(schema.properties || schema.allOf)) return this.#below(schema, name);
    const { type } = schema;
    const reference = { $ref: `#/components/schemas/${name}` };
    const source = JSON.stringify(schema);
    if (this.#sources[name] !== source) {
      if (this.#named[name]) throw new Error(`Two schemas would have the name ${name}`);
      this.#sources[name] = source;
      this.#named[name] = this.#below({ ...schema, type: 'object' }, name);
    }
    return Array.isArray(type) && type.includes('null') ? { oneOf: [reference, { type: 'null' }] } : reference;
  }

  #below(schema, name) {
    if (schema.properties)
      schema.properties = mapValues(schema.properties, (child, key) => this.#name(child, name + pascal(key)));
    if (schema.items) schema.items = this.#name(schema.items, singular(name) === name ? `${name}Item` : singular(name));
    if (typeof schema.additionalProperties === 'object')
      schema.additionalProperties = this.#name(schema.additionalProperties, `${name}Value`);
    // Which texts or numbers: languages have one type for all of them.
    if (schema.type === 'string') delete schema.anyOf;
    if (['integer', 'number', 'boolean'].includes(schema.type))
      for (const limit of ['const', 'enum']) delete schema[limit];
    for (const kind of ['oneOf', 'anyOf'])
      schema[kind] &&= merged(schema[kind]).map((member) => this.#name(member, name));
    schema.allOf &&= schema.allOf.map((member) => this.#below(member, name));
    return schema;
  }
}
