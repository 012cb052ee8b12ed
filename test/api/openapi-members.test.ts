import { assertValid, bodiesOf, describedBodies, openapi, pointerTo, queryParameters } from '../support/http/openapi';

const OBJECTS_OF_ANY_MEMBERS = new Set([
  'request',
  // Of a trust rule.
  'claims',
  // Of a proposed write.
  'body',
  'before',
  'after',
  'result',
  'filter',
  'skipped',
  'skipped_types',
  'values',
  'current_expiry',
  // A desired state, or a zone of octoDNS.
  'state',
  'data',
]);
const isRequest = ({ pointer }: { readonly pointer: string }) => pointer.includes('/requestBody/');
const isJson = ({ mediaType }: { readonly mediaType: string }) => mediaType === 'application/json';
const isPlan = (example: unknown): example is { readonly dry_run: unknown } =>
  typeof example === 'object' && example !== null && 'dry_run' in example;
const bodies = describedBodies().filter((body) => isJson(body) && !body.pointer.includes('openapi.json'));

const isReference = (value: unknown) => typeof value === 'object' && value !== null && '$ref' in value;

/** Copies of the value; in each, another one of its objects has a new member. */
function withNewMember(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    OBJECTS_OF_ANY_MEMBERS.has(key)
      ? []
      : withNewMember(member).map((changed) =>
          Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed },
        ),
  );
  return Array.isArray(value) ? inner : [{ ...value, undocumented: 'new' }, ...inner];
}

/** The JSON of what a pointer names, with its references resolved. */
function schemaText(pointer: string): string {
  const value = pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], openapi);
  return JSON.stringify(value, (_, part) =>
    typeof part?.$ref === 'string' ? openapi.components.schemas[part.$ref.split('/').at(-1)] : part,
  );
}

describe('the members of the OpenAPI document', () => {
  it('are open to new ones in every object of a response, where the tests permit none', () => {
    for (const { pointer, examples } of bodies.filter((body) => !isRequest(body))) {
      expect(schemaText(pointer)).not.toMatch(/"(additional|unevaluated)Properties":false/);
      for (const widened of examples.flatMap(withNewMember)) {
        expect(() => assertValid(pointer, widened, 'published')).not.toThrow();
        expect(() => assertValid(pointer, widened)).toThrow('does not describe');
      }
    }
  });

  it('are all of those that a request may have', () => {
    for (const { pointer, examples } of bodies.filter(isRequest))
      for (const widened of examples.flatMap(withNewMember))
        expect(() => assertValid(pointer, widened, 'published')).toThrow('does not describe');
  });

  it('tell a dry run from a write by dry_run, which is always true', () => {
    const dryRuns = Object.entries(openapi.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { parameters = [] }]) => queryParameters(parameters).includes('dry_run'))
        .map(([method, { responses }]) => ({
          route: `${method} ${path}`,
          plans: bodiesOf(responses['200'] ?? {}, pointerTo('paths', path, method, 'responses', '200')).flatMap(
            ({ pointer, examples }) => examples.filter(isPlan).map((plan) => ({ pointer, plan })),
          ),
        })),
    );

    expect(dryRuns).not.toEqual([]);
    expect(dryRuns.filter(({ plans }) => plans.length === 0)).toEqual([]);
    for (const { pointer, plan } of dryRuns.flatMap(({ plans }) => plans)) {
      assertValid(pointer, plan, 'published');
      const { dry_run: _, ...unmarked } = plan;
      for (const other of [unmarked, { ...plan, dry_run: false }])
        expect(() => assertValid(pointer, other, 'published')).toThrow('does not describe');
    }
  });

  it('have the header Zone-Version described once', () => {
    const described: unknown[] = [];
    JSON.stringify(openapi, (name, value) => {
      if (name === 'Zone-Version') described.push(value);
      return value;
    });

    expect(described.filter((header) => !isReference(header))).toHaveLength(1);
    expect(described.length).toBeGreaterThan(3);
  });

  it('are of schemas without a name that a language of the clients reserves', () => {
    const names = Object.keys(openapi.components.schemas);

    expect(names).toContain('ApiError');
    expect(
      names.filter((name) => /^(Array|Date|Error|Exception|Function|Map|Object|Set|String|Type)$/.test(name)),
    ).toEqual([]);
  });
});
