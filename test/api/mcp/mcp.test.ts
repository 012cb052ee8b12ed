import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { run } from '../../../clients/cli/src/program/program.ts';
import { McpClient, type Revision } from '../../support/mcp/mcp-client';
import { api, REGISTRANT, registered, startService, type Api, type TestService } from '../../support/service/service';

const REVISIONS: readonly Revision[] = ['2025-11-25', '2026-07-28'];
/** 6,000 tokens of 4 characters. */
const MAX_LIST_LENGTH = 24_000;

const record = (name: string) => ({ records: { create: [{ name, type: 'A', content: '192.0.2.1' }] } });

describe('/mcp', () => {
  let service: TestService;
  let accountId: string;
  let key: string;
  let rest: Api;
  let client: McpClient;
  let asking: McpClient;
  let serial = 0;

  const keyWith = async (limits: object, scope = 'WRITE') =>
    (await rest.post('/api/keys', { name: 'k', scope, limits }).expect(201)).body.key as string;
  const aName = async () => {
    serial += 1;
    await registered(rest, `agent-${serial}.com`);
    return `agent-${serial}.com`;
  };
  const recordsOf = async (name: string) => (await client.use('read_records', { name }))['records'] as object[];
  const plan = async (name: string, change: object, by = client) =>
    by.use('plan_change', { name, change }) as Promise<{ plan_id: string; needs_confirmation: boolean; plan: object }>;
  const charges = async () => (await rest.get('/api/operations').expect(200)).body as { kind: string }[];

  beforeAll(async () => {
    service = await startService();
    accountId = await service.account();
    key = await service.key(accountId);
    rest = api(service, key);
    client = new McpClient(service.server, key);
    asking = new McpClient(service.server, key, { asksPeople: true });
  });
  afterAll(() => service.stop());

  it.each(REVISIONS)('serves revision %s without sessions', async (revision) => {
    const other = new McpClient(service.server, key, { revision });
    const hello =
      revision === '2025-11-25'
        ? await other.request('initialize', {
            protocolVersion: revision,
            capabilities: {},
            clientInfo: { name: 'a', version: '1' },
          })
        : await other.request('server/discover');

    expect(hello).toMatchObject({ capabilities: { tools: { listChanged: false } } });
    const name = await aName();
    expect(await other.use('get_name', { name })).toMatchObject({ name, domain: { status: 'active' } });
  });

  it('lists at most 12 tools in fewer than 6,000 tokens, each with hints and the schema of its results', async () => {
    const list = (await client.request('tools/list')) as { tools: { annotations: object; outputSchema: object }[] };

    expect(list.tools.length).toBeLessThanOrEqual(12);
    expect(JSON.stringify(list).length).toBeLessThan(MAX_LIST_LENGTH);
    for (const tool of list.tools)
      expect(tool).toMatchObject({
        annotations: { readOnlyHint: expect.any(Boolean), destructiveHint: expect.any(Boolean) },
        inputSchema: { type: 'object', additionalProperties: false },
        outputSchema: { type: 'object' },
      });
  });

  it('refuses what has no valid key, another method, or a body that is no JSON', async () => {
    const stranger = new McpClient(service.server, 'nw_unknown');
    const message = client.message('tools/list');
    const headers = client.headers('tools/list', {});

    const refused = await stranger.post(message, headers);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { data: { code: 'INVALID_API_KEY' } } });
    const read = await fetch(client.url, { headers: { Authorization: `Bearer ${key}` } });
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await client.post('{', headers)).status).toBe(400);
    const batch = await client.post([{ jsonrpc: '2.0', id: 1, method: 'tools/list' }], {
      'MCP-Protocol-Version': '2025-11-25',
    });
    expect([batch.status, await batch.text()]).toEqual([400, expect.stringContaining('batches')]);
    expect((await client.post(`"${'x'.repeat(300_000)}"`, headers)).status).toBe(413);
    expect((await client.post('x', { ...headers, 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  it('refuses invalid arguments as the API does, in a text of bounded length', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`unknown_${index}`, 1]));

    const { isError, content } = await client.call('list_names', { ...many, limit: 'all' });

    expect(isError).toBe(true);
    const text = content?.[0]?.text ?? '';
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    expect(text.length).toBeLessThan(5_000);
  });

  it.each([
    ['name is required', 'read_records', {}],
    ['name must be a string', 'read_records', { name: 1 }],
    ['foo is not a known member (known: name, change)', 'plan_change', { name: 'a.com', change: { tags: [] }, foo: 1 }],
    ['change.dnssec must be true or false', 'plan_change', { name: 'a.com', change: { dnssec: 'on' } }],
    [
      'change.records.made is not a known member (known: create, update, delete)',
      'plan_change',
      { name: 'a.com', change: { records: { made: [] } } },
    ],
    [
      'change.records.create[0].content is required',
      'plan_change',
      { name: 'a.com', change: { records: { create: [{ name: 'w', type: 'A' }] } } },
    ],
    [
      'change must have exactly one of records, nameservers, auto_renew, transfer_locked, dnssec, tags, roll_back_to, host_dns, delete',
      'plan_change',
      { name: 'a.com', change: {} },
    ],
    [
      'change.tags must have at most 50 entries',
      'plan_change',
      { name: 'a.com', change: { tags: Array(51).fill('x') } },
    ],
    ['kind must be one of registered, hosted, all', 'list_names', { kind: 'some' }],
    [
      'limit must be an integer from 1 to 100; expires_within must be an integer of at least 0',
      'list_names',
      { limit: 0, expires_within: -1 },
    ],
  ])('names the argument that is wrong: %s', async (details, tool, given) => {
    const { isError, content } = await client.call(tool, given);

    expect(isError).toBe(true);
    expect(JSON.parse(content?.[0]?.text ?? '')).toMatchObject({ error: { code: 'VALIDATION_ERROR', details } });
  });

  it('refuses a foreign Host or Origin, so that no website reaches it by DNS rebinding', async () => {
    const { port } = service.server.address() as AddressInfo;
    const statusOf = (headers: object) =>
      new Promise<number | undefined>((resolve, reject) => {
        const all = { ...client.headers('tools/list', {}), Authorization: `Bearer ${key}`, ...headers };
        httpRequest(
          {
            port,
            path: '/mcp',
            method: 'POST',
            headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...all },
          },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        )
          .on('error', reject)
          .end(JSON.stringify(client.message('tools/list')));
      });

    expect(await statusOf({ Host: 'evil.example.com' })).toBe(403);
    expect(await statusOf({ Origin: 'http://evil.example.com' })).toBe(403);
    expect(await statusOf({ Origin: 'null' })).toBe(403);
    expect(await statusOf({ Host: `localhost:${port}`, Origin: `http://localhost:${port}` })).toBe(200);
  });

  it('shows an account nothing of another one', async () => {
    const name = await aName();
    const other = new McpClient(service.server, await service.key(await service.account()));

    expect(await other.refusalOf('get_name', { name })).toBe('ZONE_NOT_FOUND');
    expect(await other.use('list_names')).toEqual({ names: [] });
  });

  it('does a planned change once, however often it is called', async () => {
    const name = await aName();
    const { plan_id, plan: shown } = await plan(name, record('www'));
    expect(shown).toMatchObject({ result: { added: [{ name: 'www', content: '192.0.2.1' }] } });
    expect(await recordsOf(name)).toEqual([]);

    const given = { name, change: record('www'), plan_id };
    const results = await Promise.all([1, 2, 3].map(() => client.call('apply_change', given)));
    const again = await client.use('apply_change', given);

    expect(again).toMatchObject({ status: 'done', response: { created: [{ name: 'www' }] } });
    expect(results.some(({ structuredContent }) => structuredContent?.['status'] === 'done')).toBe(true);
    expect(await recordsOf(name)).toHaveLength(1);
  });

  it('makes no change with the plan of another change, of another key, or that would do something else now', async () => {
    const name = await aName();
    const { plan_id } = await plan(name, record('www'));
    const other = new McpClient(service.server, await service.key(accountId));

    expect(await client.refusalOf('apply_change', { name, change: record('api'), plan_id })).toBe('VALIDATION_ERROR');
    expect(await other.refusalOf('apply_change', { name, change: record('www'), plan_id })).toBe('VALIDATION_ERROR');
    expect(await client.refusalOf('apply_change', { name, change: record('www') })).toBe('VALIDATION_ERROR');
    const first = await plan(name, { tags: ['shop'] });
    const second = await plan(name, { tags: ['mail'] });
    await client.use('apply_change', { name, change: { tags: ['mail'] }, plan_id: second.plan_id });
    const given = { name, change: { tags: ['shop'] }, plan_id: first.plan_id };
    expect(await client.refusalOf('apply_change', given)).toBe('PRECONDITION_FAILED');
    expect(await recordsOf(name)).toEqual([]);
  });

  it('asks a person before it takes a name offline, and changes nothing until they confirm', async () => {
    const name = await aName();
    const change = { nameservers: ['ns1.example.net', 'ns2.example.net'] };
    const { plan_id, needs_confirmation } = await plan(name, change);
    const given = { name, change, plan_id };
    const nameservers = async () => ((await client.use('get_name', { name }))['domain'] as typeof change).nameservers;
    const before = await nameservers();

    expect(needs_confirmation).toBe(true);
    const asked = await asking.call('apply_change', given);
    expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    expect(asked.inputRequests?.['confirm']?.params.message).toContain(name);
    const declined = await asking.confirm('apply_change', given, { action: 'decline' });
    expect(declined.structuredContent).toEqual({ status: 'declined' });
    const forged = { inputResponses: { confirm: { action: 'accept', content: { confirm: true } } } };
    expect(await asking.call('apply_change', given, forged)).toMatchObject({ resultType: 'input_required' });
    expect(await nameservers()).toEqual(before);
    const accept = { action: 'accept', content: { confirm: true } };
    expect((await asking.confirm('apply_change', given, accept)).structuredContent).toMatchObject({ status: 'done' });
    expect(await nameservers()).toEqual(change.nameservers);
  });

  it('asks no one about records that carry neither website nor mail', async () => {
    const name = await aName();
    const change = { records: { create: [{ name: '@', type: 'TXT', content: '"v=spf1 -all"' }] } };

    expect(await plan(name, change)).toMatchObject({ needs_confirmation: false });
    expect(await plan(name, record('www'))).toMatchObject({ needs_confirmation: false });
    const { plan_id } = await plan(name, record('www'));
    expect(
      (await asking.call('apply_change', { name, change: record('www'), plan_id })).structuredContent,
    ).toMatchObject({ status: 'done' });
    const [{ id } = { id: '' }] = (await recordsOf(name)) as { id: string }[];
    expect(await plan(name, { records: { delete: [id] } })).toMatchObject({ needs_confirmation: true });
  });

  it.each(['delete', 'host_dns'])('plans nothing for %s: false', async (member) => {
    const name = await aName();

    expect(await client.call('plan_change', { name, change: { [member]: false } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(`change.${member} must be true`) }],
    });
  });

  it('shows what to do about the health of a name', async () => {
    const { checks } = await client.use('check_health', { name: await aName(), recheck: true });

    expect(checks).toContainEqual(expect.objectContaining({ advice: expect.any(String), action: expect.any(String) }));
  });

  it('repeats the outcome of a deletion, although the name is gone', async () => {
    const name = await aName();
    const change = { delete: true };
    const { plan_id } = await plan(name, change);

    const first = await client.use('apply_change', { name, change, plan_id });

    expect(first).toMatchObject({ status: 'done' });
    expect(await client.use('apply_change', { name, change, plan_id })).toEqual(first);
  });

  it('quotes first, and orders once at the quoted price', async () => {
    const contact = await aName();
    const order = { action: 'register', name: 'ordered-by-agent.com', registrant_of: contact };
    const before = (await charges()).length;
    const quote = await client.use('order', order);
    expect(quote).toMatchObject({ status: 'planned', cost: { amount: 10.44, currency: 'USD' } });
    expect(await charges()).toHaveLength(before);

    const ordered = await client.use('order', { ...order, plan_id: quote['plan_id'] });
    const again = await client.use('order', { ...order, plan_id: quote['plan_id'] });

    expect(again).toEqual(ordered);
    expect(ordered).toMatchObject({ status: 'done', response: { name: 'ordered-by-agent.com' } });
    expect(await charges()).toHaveLength(before + 1);
    expect(await client.use('list_operations', { id: ordered['operation_id'], wait: 10 })).toMatchObject({
      operations: [{ kind: 'register', state: 'succeeded', charged: { amount: 10.44 } }],
    });
  });

  it('asks a person before it buys, with the price', async () => {
    const name = await aName();
    const order = { action: 'renew', name };
    const before = (await charges()).length;

    const asked = await asking.call('order', order);
    expect(asked.inputRequests?.['confirm']?.params.message).toBe(`Renew ${name} for 10.44 USD?`);
    await asking.confirm('order', order, { action: 'cancel' });
    await asking.confirm('order', order, { action: 'accept', content: { confirm: false } });
    expect(await charges()).toHaveLength(before);
    const bought = await asking.confirm('order', order, { action: 'accept', content: { confirm: true } });

    expect(bought.structuredContent).toMatchObject({ status: 'done', response: { renewal: { price: 10.44 } } });
    expect(await charges()).toHaveLength(before + 1);
  });

  it('proposes once what an approval rule gives to a second person, and plans it as always', async () => {
    const ofAccount = await service.account();
    const [first, second] = [await service.key(ofAccount), await service.key(ofAccount)];
    const [admin, agent] = [api(service, first), new McpClient(service.server, first)];
    const name = 'two-people.com';
    await registered(admin, name);
    await admin.put('/api/approval-rules', { rules: [{ changes: ['records'] }] }).expect(200);
    const { plan_id } = await plan(name, record('www'), agent);

    const given = { name, change: record('www'), plan_id };
    const proposed = await agent.use('apply_change', given);

    expect(proposed).toMatchObject({ status: 'proposed', response: { state: 'open' } });
    expect(await agent.use('apply_change', given)).toEqual(proposed);
    expect((await agent.use('read_records', { name }))['records']).toEqual([]);
    const { body } = await api(service, second).post(`/api/proposals/${String(proposed['proposal_id'])}/accept`);
    expect(body).toMatchObject({ state: 'accepted', response: { status: 200 } });
    expect((await agent.use('read_records', { name }))['records']).toHaveLength(1);
  });

  it('only proposes with a key that may only propose, asks no one, and proposes once', async () => {
    const name = await aName();
    const text = await keyWith({ propose: true });
    const agent = new McpClient(service.server, text, { asksPeople: true });
    const change = { nameservers: ['ns1.example.net', 'ns2.example.net'] };
    const { plan_id } = await plan(name, change, agent);
    const given = { name, change, plan_id, reason: 'The new provider has the zone' };

    const proposed = await agent.use('apply_change', given);
    expect(await agent.use('apply_change', given)).toEqual(proposed);
    const order = { action: 'renew', name };
    const quote = await agent.use('order', order);
    const bought = await agent.use('order', { ...order, plan_id: quote['plan_id'] });

    expect([proposed['status'], bought['status']]).toEqual(['proposed', 'proposed']);
    const id = String(proposed['proposal_id']);
    expect(await agent.use('list_operations', { id })).toMatchObject({
      proposals: [{ id, state: 'open', reason: 'The new provider has the zone' }],
    });
    expect((await client.use('get_name', { name }))['domain']).toMatchObject({ transfer_locked: true });
    await rest.post(`/api/proposals/${id}/accept`).expect(200);
    expect((await client.use('get_name', { name }))['domain']).toMatchObject(change);
  });

  it('leaves a change to a person if it is told to', async () => {
    const name = await aName();
    const { plan_id } = await plan(name, record('www'));

    const given = { name, change: record('www'), plan_id, propose: true };

    expect(await client.use('apply_change', given)).toMatchObject({ status: 'proposed' });
    expect(await recordsOf(name)).toEqual([]);
  });

  it('keeps the scope and the limits of the key', async () => {
    const [name, other] = [await aName(), await aName()];
    const reader = new McpClient(service.server, await service.key(accountId, 'READ'));
    const limited = new McpClient(service.server, await keyWith({ domains: [name] }));

    expect(await reader.refusalOf('plan_change', { name, change: record('www') })).toBe('INSUFFICIENT_SCOPE');
    expect(await limited.use('list_names')).toMatchObject({ names: [{ name }] });
    expect(await limited.refusalOf('read_records', { name: other })).toBe('ZONE_NOT_FOUND');
    const order = { action: 'register', name: 'never-allowed.com', registrant: REGISTRANT };
    expect(await limited.refusalOf('order', order)).toBe('INSUFFICIENT_SCOPE');
  });

  it('shows neither secrets nor registrants, which the API has', async () => {
    const name = await aName();
    const order = { action: 'transfer', name: 'elsewhere.com', auth_code: 'very-secret-code', registrant_of: name };
    const given = [
      ['get_name', { name }],
      ['list_keys', {}],
      ['list_operations', {}],
      ['read_events', {}],
      ['order', order],
      ['order', { action: 'register', name: 'not-shown.com', registrant_of: name }],
    ] as const;

    const results = await Promise.all(given.map(([tool, values]) => client.call(tool, values)));

    const text = JSON.stringify(results);
    for (const hidden of [REGISTRANT.email, REGISTRANT.phone, 'very-secret-code', key])
      expect(text).not.toContain(hidden);
  });

  it('is named in /llms.txt, which needs no key', async () => {
    const response = await fetch(client.url.replace('/mcp', '/llms.txt'));

    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await response.text()).toMatch(/^# Namewright\n\n> .*\/mcp/s);
  });

  it('pages lists by cursors', async () => {
    await Promise.all([aName(), aName(), aName()]);

    const first = await client.use('list_names', { limit: 2 });
    const second = await client.use('list_names', { limit: 2, cursor: first['next_cursor'] });

    expect([first['names'], second['names']]).toEqual([expect.any(Array), expect.any(Array)]);
    expect(second['names']).not.toEqual(first['names']);
  });

  it.each(REVISIONS)(
    'serves agents on standard input and output by `namewright mcp`, revision %s',
    async (revision) => {
      const other = new McpClient(service.server, key, { revision });
      const env = { NAMEWRIGHT_URL: other.url.replace('/mcp', ''), NAMEWRIGHT_API_KEY: key };
      const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
      const first = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'a', version: '1' } };
      const messages = [
        ...(revision === '2025-11-25' ? [other.message('initialize', first)] : []),
        other.message('tools/call', { name: 'list_keys', arguments: {} }),
      ];

      input.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
      await run(['mcp'], { input, output, errors, env });

      const lines = String(output.read()).trim().split('\n');
      const responses = lines.map((line) => JSON.parse(line) as object);
      expect(responses).toHaveLength(messages.length);
      expect(responses).toContainEqual(
        expect.objectContaining({
          id: messages.length,
          result: expect.objectContaining({
            structuredContent: expect.objectContaining({ account: { name: 'Test account' } }),
          }),
        }),
      );
    },
  );

  it('returns a JSON-RPC parse error from `namewright mcp` for a line that is not JSON, and serves the next line', async () => {
    const env = { NAMEWRIGHT_URL: client.url.replace('/mcp', ''), NAMEWRIGHT_API_KEY: key };
    const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const next = client.message('tools/list') as { readonly id: number };

    input.end(`{"jsonrpc":\n${JSON.stringify(next)}\n`);
    await run(['mcp'], { input, output, errors, env });

    const lines = String(output.read()).trim().split('\n');
    const responses = lines.map((line) => JSON.parse(line) as object);
    expect(responses).toHaveLength(2);
    expect(responses).toContainEqual(
      expect.objectContaining({ jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32_700 }) }),
    );
    expect(responses).toContainEqual(expect.objectContaining({ id: next.id, result: expect.anything() }));
  });
});
