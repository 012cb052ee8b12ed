import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/free-port';
import { waitForOperation } from '../../support/service/wait-for-operation';
import { openSandboxRegistry } from '../../support/registries/open-sandbox-registry';
import { api, registered } from '../../support/service/service';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';

/** A process that does not exit in time exits with 1, so no test measures time. */
describe('shutdown', () => {
  let folder: string;
  let service: ServiceProcess;
  let address: string;
  let key: string;

  beforeAll(build);
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-shutdown-'));
    service = startProcess({ PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'namewright.db')}` });
    key = await firstKeyOf(service);
    address = await addressOf(service);
  });
  afterEach(async () => {
    service.signal('SIGKILL');
    await service.ended;
    rmSync(folder, { recursive: true });
  });

  async function openConnection(): Promise<Socket> {
    const socket = connect(Number(new URL(address).port), '127.0.0.1').setEncoding('utf8');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  const head = (method: string, path: string, ...fields: string[]) =>
    [`${method} ${path} HTTP/1.1`, 'Host: namewright', `Authorization: Bearer ${key}`, ...fields, '', ''].join('\r\n');

  async function startStopping(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    service.signal(signal);
    await service.waitForOutput(/"msg":"stopping"/);
  }

  it('finishes running requests, accepts no new ones, and exits with 0', async () => {
    const body = JSON.stringify({ query: 'running-request', tlds: ['com'] });
    const socket = await openConnection();
    socket.write(
      head(
        'POST',
        '/api/domains/search',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
      ),
    );
    expect(await once(socket, 'data')).toEqual([expect.stringContaining('100 Continue')]);

    await startStopping();
    await expect(openConnection()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    socket.write(body);
    const [response] = (await once(socket, 'data')) as [string];

    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(response).toMatch(/\r\nConnection: close\r\n/i);
    expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n')))).toMatchObject({
      results: [{ name: 'running-request.com', available: true }],
    });
    expect((await service.ended).code).toBe(0);
  });

  it('exits with 0 while a client keeps sending requests on a keep-alive connection', async () => {
    const socket = await openConnection();
    socket.on('data', () => socket.write(head('GET', '/healthz')));
    socket.write(head('GET', '/healthz'));
    await service.waitForOutput(/"path":"\/healthz"[^]*"path":"\/healthz"/);

    await startStopping();

    expect((await service.ended).code).toBe(0);
  });

  it('exits with 0 on SIGINT', async () => {
    await startStopping('SIGINT');

    expect((await service.ended).code).toBe(0);
  });

  it('exits with 0 if a client never finishes its request', async () => {
    const socket = await openConnection();
    socket.write(
      head(
        'POST',
        '/api/domains/search',
        'Content-Type: application/json',
        'Content-Length: 1000',
        'Expect: 100-continue',
      ),
    );
    await once(socket, 'data');
    const silent = await openConnection();

    await startStopping();

    expect((await service.ended).code).toBe(0);
    silent.destroy();
  });

  it('exits with 0 if the registry hangs: the request gets 503, and the operation continues after the next start', async () => {
    const file = join(folder, 'namewright.db');
    const id = await registered(api({ server: address }, key), 'hanging.com');
    const registry = await openSandboxRegistry(file);
    await registry.sandbox.injectFault({ kind: 'latency', target: 'hanging.com', milliseconds: 60_000 });
    const waiting = api({ server: address }, key)
      .put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false })
      .then((response) => response);
    await waitForOperation(api({ server: address }, key), id, 'running');

    await startStopping();
    const { status, body, headers } = await waiting;
    expect((await service.ended).code).toBe(0);
    await registry.sandbox.clearFaults();
    await registry.close();
    service = startProcess({ PORT: '0', DATABASE_URL: `sqlite:${file}` });

    expect([status, body.error.code]).toEqual([503, 'REGISTRY_UNAVAILABLE']);
    const again = api({ server: await addressOf(service) }, key);
    expect(headers['operation-location']).toMatch(/^\/api\/operations\/op_/);
    await waitForOperation(again, id, 'succeeded');
    await again
      .get(`/api/domains/${id}`)
      .expect(200)
      .expect((response) => expect(response.body.transfer_locked).toBe(false));
  });

  it('exits with 0 if the reader of its standard output closed the pipe', async () => {
    service.closeOutput();

    service.signal('SIGTERM');

    expect((await service.ended).code).toBe(0);
  });

  it('keeps serving if the reader of its standard output closed the pipe before the first line', async () => {
    const file = join(folder, 'unread.db');
    const port = await freePort();
    const unread = startProcess({ PORT: String(port), DATABASE_URL: `sqlite:${file}` });
    unread.closeOutput();

    while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) await sleep(50);
    unread.signal('SIGTERM');

    const { code, stderr } = await unread.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('exits if the reader of its standard output stalls', async () => {
    service.stallOutput();
    for (let sent = 0; sent < 100; sent += 1) await fetch(`${address}/${'long'.repeat(2_000)}`);

    service.signal('SIGTERM');

    expect((await service.ended).code).toBeNull();
  });

  it('completes an accepted registration after the next start', async () => {
    const contacts = {
      registrant: {
        first_name: 'A',
        last_name: 'B',
        email: 'a@example.com',
        phone: '+44.1',
        address: { street: 'a', city: 'b', country: 'GB' },
      },
    };
    const { body } = await api({ server: address }, key)
      .post('/api/domains', { name: 'accepted.com', contacts })
      .expect(201);

    await startStopping();
    expect((await service.ended).code).toBe(0);
    service = startProcess({ PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'namewright.db')}` });

    const again = api({ server: await addressOf(service) }, key);
    let status: string;
    do status = (await again.get(`/api/domains/${body.id}`).expect(200)).body.status;
    while (status === 'pending');
    expect(status).toBe('active');
  });
});
