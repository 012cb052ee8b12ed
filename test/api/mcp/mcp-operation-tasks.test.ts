import { setTimeout as sleep } from 'node:timers/promises';
import { PassThrough } from 'node:stream';
import { run } from '../../../clients/cli/src/program/program.ts';
import { McpClient } from '../../support/mcp/mcp-client';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const TASKS = 'io.modelcontextprotocol/tasks';

const errorOf = async (by: McpClient, method: string, taskId: unknown) =>
  (await by.exchange(method, { taskId })).at(-1)?.['error'] as { code: number; data?: object };

describe('operations as tasks of /mcp', () => {
  let service: TestService;
  let key: string;
  let rest: Api;
  let client: McpClient;
  let other: McpClient;
  let serial = 0;

  beforeAll(async () => {
    service = await startService({ OPERATION_WAIT_MS: '300' });
    key = await service.key(await service.account());
    rest = api(service, key);
    client = new McpClient(service.server, key, { takesTasks: true });
    other = new McpClient(service.server, key);
  });
  afterAll(() => service.stop());

  /** Unlocks a name; the registry takes its time, and then does as the fault says. */
  const unlocked = async (by: McpClient, ...faults: readonly object[]) => {
    serial += 1;
    const name = `task-${serial}.com`;
    await registered(rest, name);
    const call = { name, change: { transfer_locked: false } };
    const { plan_id } = await by.use('plan_change', call);
    for (const fault of faults)
      await rest.post('/api/sandbox/faults', { target: name, times: 1, ...fault }).expect(200);
    return by.call('apply_change', { ...call, plan_id }) as Promise<Record<string, unknown>>;
  };
  const slow = { kind: 'latency', milliseconds: 3_000 };
  const ended = async (taskId: unknown) => {
    for (;;) {
      const task = await client.request('tasks/get', { taskId });
      if (task['status'] !== 'working') return task;
      await sleep(50);
    }
  };
  it('are what a call returns that would wait longer, to a client that polls tasks', async () => {
    expect(await client.request('server/discover')).toMatchObject({ capabilities: { extensions: { [TASKS]: {} } } });

    const task = await unlocked(client, slow);

    expect(task).toMatchObject({
      resultType: 'task',
      taskId: expect.stringMatching(/^op_/),
      status: 'working',
      ttlMs: null,
      pollIntervalMs: 5_000,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(await client.request('tasks/get', { taskId: task['taskId'] })).toMatchObject({
      resultType: 'complete',
      taskId: task['taskId'],
      status: 'working',
    });
    const done = await ended(task['taskId']);
    expect(done).toMatchObject({
      resultType: 'complete',
      status: 'completed',
      result: {
        structuredContent: { status: 'done', operation_id: task['taskId'], response: { state: 'succeeded' } },
      },
    });
    expect(await rest.get(`/api/operations/${String(task['taskId'])}`)).toMatchObject({ body: { state: 'succeeded' } });
  });

  it('are completed with the error of the tool if the registry refuses', async () => {
    const { taskId } = await unlocked(client, slow, { kind: 'refuse' });

    const { status, result } = (await ended(taskId)) as { status: string; result: { content: [{ text: string }] } };

    expect([status, result]).toEqual([
      'completed',
      { isError: true, content: [{ type: 'text', text: expect.any(String) }] },
    ]);
    expect(JSON.parse(result.content[0].text)).toMatchObject({
      error: { code: 'REGISTRY_REJECTED' },
      operation_id: taskId,
    });
  });

  it('are acknowledged, and go on, if the client cancels or updates them', async () => {
    const { taskId } = await unlocked(client, slow);

    expect(await client.request('tasks/cancel', { taskId })).toMatchObject({ resultType: 'complete' });
    expect(await client.request('tasks/update', { taskId, inputResponses: {} })).toMatchObject({
      resultType: 'complete',
    });
    expect(await ended(taskId)).toMatchObject({ status: 'completed' });
  });

  it('are results that are pending for a client that does not poll tasks, which is refused their state', async () => {
    const result = await unlocked(other, slow);

    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'pending' } });
    const { operation_id: id } = result['structuredContent'] as { operation_id: string };
    expect(await errorOf(other, 'tasks/get', id)).toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    });
    const old = new McpClient(service.server, key, { revision: '2025-11-25' });
    expect((await errorOf(old, 'tasks/get', id)).code).toBe(-32_601);
    const called = { name: 'list_operations', arguments: { id }, task: { ttl: 60_000 } };
    expect(await old.request('tools/call', called)).toMatchObject({ structuredContent: { operations: [{ id }] } });
  });

  it('are polled by `namewright mcp`, which names them in the header', async () => {
    const { taskId } = await unlocked(client, slow);
    const env = { NAMEWRIGHT_URL: client.url.replace('/mcp', ''), NAMEWRIGHT_API_KEY: key };
    const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];

    input.end(`${JSON.stringify(client.message('tasks/get', { taskId }))}\n`);
    await run(['mcp'], { input, output, errors, env });

    expect(JSON.parse(String(output.read()))).toMatchObject({ result: { resultType: 'complete', taskId } });
  });

  it('are found only by keys of the account that may see them', async () => {
    const { taskId } = await unlocked(client, slow);
    const stranger = await service.key(await service.account());
    const { body } = await rest.post('/api/keys', { name: 'k', scope: 'READ', limits: { domains: ['none.com'] } });

    for (const text of [stranger, body.key as string]) {
      const by = new McpClient(service.server, text, { takesTasks: true });
      for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
        expect((await errorOf(by, method, taskId)).code).toBe(-32_602);
    }
    for (const id of ['', 'op_none', '../keys', 'prop_1'])
      expect((await errorOf(client, 'tasks/get', id)).code).toBe(-32_602);
  });
});
