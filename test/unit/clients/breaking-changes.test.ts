import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SCRIPT = resolve(__dirname, '../../../scripts/clients/breaking-changes.mjs');
const folder = mkdtempSync(join(tmpdir(), 'namewright-breaking-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Schema {
  type?: string | string[];
  enum?: string[];
  pattern?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  $ref?: string;
}

/** One operation, its request and its response, of which each sample changes one thing. */
interface Sample {
  operationId: string;
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  request: Schema;
  response: Schema;
  responseName: string;
}

const sample = (name: string): Sample => ({
  operationId: `read${name}`,
  parameters: [{ name: 'filter', in: 'query', schema: { type: 'string', enum: ['a', 'b'] } }],
  request: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, ttl: { type: 'integer' }, mode: { type: 'string', enum: ['p', 'q'] } },
  },
  response: {
    type: 'object',
    required: ['id', 'status'],
    properties: {
      id: { type: 'string', pattern: '^a' },
      note: { type: 'string' },
      status: { type: 'string', enum: ['x'] },
    },
  },
  responseName: `${name}Answer`,
});

const content = (schema: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } });

function documentOf(samples: Readonly<Record<string, Sample | undefined>>): string {
  const paths: Record<string, unknown> = {};
  const schemas: Record<string, Schema> = {};
  for (const [name, one] of Object.entries(samples)) {
    if (!one) continue;
    schemas[`${name}Request`] = one.request;
    schemas[one.responseName] = one.response;
    paths[`/${name.toLowerCase()}`] = {
      post: {
        operationId: one.operationId,
        parameters: one.parameters,
        requestBody: { required: true, content: content(`${name}Request`) },
        responses: { 200: { description: 'The answer', content: content(one.responseName) } },
      },
    };
  }
  const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } };
  const components = { parameters: {}, headers: {}, responses: {}, securitySchemes, schemas };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Names', version: '1.0.0' },
    servers: [{ url: '/' }],
    paths,
    components,
  });
}

const properties = (schema: Schema) => schema.properties!;

/** Each breaks the source or the work of a client; undefined removes the operation. */
const BREAKS: Readonly<Record<string, (one: Sample) => Sample | undefined>> = {
  Gone: () => undefined,
  Called: (one) => ({ ...one, operationId: 'getCalled' }),
  Typed: (one) => ({ ...one, responseName: 'TypedReply' }),
  Lost: (one) => (delete properties(one.response)['note'], one),
  Unsent: (one) => (delete properties(one.request)['ttl'], one),
  Maybe: (one) => ((one.response.required = ['id']), one),
  Nullable: (one) => ((properties(one.response)['id']!.type = ['string', 'null']), one),
  Number: (one) => ((properties(one.response)['note'] = { type: 'integer' }), one),
  Text: (one) => ((properties(one.request)['ttl'] = { type: 'string' }), one),
  Asked: (one) => ((properties(one.request)['more'] = { type: 'string' }), one.request.required!.push('more'), one),
  Forced: (one) => (one.request.required!.push('ttl'), one),
  Choice: (one) => ((properties(one.request)['mode']!.enum = ['p']), one),
  Dropped: (one) => ({ ...one, parameters: [] }),
  Needed: (one) => ((one.parameters[0]!.required = true), one),
  Added: (one) => (one.parameters.push({ name: 'age', in: 'query', required: true, schema: { type: 'integer' } }), one),
  Counted: (one) => ((one.parameters[0]!.schema = { type: 'integer' }), one),
};

/** Clients bear each. */
const ADDITIONS: Readonly<Record<string, (one: Sample) => Sample>> = {
  Same: (one) => one,
  Member: (one) => ((properties(one.response)['more'] = { type: 'string' }), one.response.required!.push('more'), one),
  Optional: (one) => ((properties(one.request)['more'] = { type: 'string' }), one),
  Parameter: (one) => (one.parameters.push({ name: 'age', in: 'query', schema: { type: 'integer' } }), one),
  Value: (one) => ((properties(one.response)['status']!.enum = ['x', 'y']), one),
  Pattern: (one) => ((properties(one.response)['id']!.pattern = '^[ab]'), one),
};

const FINDINGS = [
  /Path `\/gone` was removed/,
  /Type `GoneAnswer` was removed or renamed/,
  /Type `GoneRequest` was removed or renamed/,
  /`operationId` of operation `POST \/called` changed/,
  /Type `TypedAnswer` was removed or renamed/,
  /Property `note` of `LostAnswer` was removed/,
  /Property `ttl` of `UnsentRequest` was removed/,
  /`MaybeAnswer` are no longer required: `status`/,
  /Type of `id` widened from 'string' to 'string \| null'/,
  /Type of `note` widened from 'string' to 'integer'/,
  /Type of `ttl` narrowed from 'integer' to 'string'/,
  /`AskedRequest` became required: `more`/,
  /`ForcedRequest` became required: `ttl`/,
  /Enum of `mode` lost values: 'q'/,
  /`filter` query parameter was removed/,
  /`filter` query parameter became required/,
  /Required `age` query parameter was added/,
  /`readCounted`: Type narrowed from 'string' to 'integer'/,
];

function compare(changes: Readonly<Record<string, (one: Sample) => Sample | undefined>>, changelog: string) {
  const names = Object.keys(changes);
  const [base, revision] = [join(folder, 'base.json'), join(folder, 'revision.json')];
  writeFileSync(base, documentOf(Object.fromEntries(names.map((name) => [name, sample(name)]))));
  writeFileSync(revision, documentOf(Object.fromEntries(names.map((name) => [name, changes[name]!(sample(name))]))));
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, base, revision, join(folder, 'CHANGELOG.md')], {
    encoding: 'utf8',
  });
  return { status, findings: stdout.trim().split('\n').filter(Boolean) };
}

describe('the comparison of the OpenAPI document with that of the last release', () => {
  it('fails for each change that breaks a client and that CHANGELOG.md does not name', () => {
    const changelog = `# Changelog\n\n## [Unreleased]\n\n### Added\n\n- \`note\` of \`LostAnswer\`\n\n### Breaking\n\n- \`ttl\` of \`UnsentRequest\` is gone.\n`;

    const { status, findings } = compare(BREAKS, changelog);

    expect(status).toBe(1);
    for (const expected of FINDINGS) expect(findings).toContainEqual(expect.stringMatching(expected));
    expect(findings).toHaveLength(FINDINGS.length);
    const named = findings.filter((finding) => finding.startsWith('named: '));
    expect(named).toEqual(['named: Property `ttl` of `UnsentRequest` was removed.']);
  });

  it('passes if every break is named, and without breaks', () => {
    const { Lost, Unsent } = BREAKS;
    const changelog =
      '## [Unreleased]\n\n### Breaking\n\n- `LostAnswer`: no `note`.\n- `UnsentRequest`: no `ttl`.\n\n## [1.0.0]\n';

    expect(compare({ Lost: Lost!, Unsent: Unsent! }, changelog)).toMatchObject({ status: 0, findings: { length: 2 } });
    expect(compare(ADDITIONS, '## [Unreleased]\n')).toEqual({ status: 0, findings: [] });
  });
});
