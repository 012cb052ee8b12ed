import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { JsonClient, RegistryNotContacted, RegistryUnavailable } from '../../../src/adapter';
import { freePort } from '../../support/free-port';

const SECRET = 'Bearer a-very-secret-token';
let server: Server;
let respond: RequestListener;
let requests = 0;

beforeAll(async () => {
  server = createServer((req, res) => {
    requests += 1;
    respond(req, res);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

const aClient = ({ timeoutMs = 5_000, maxBytes = 1_000 } = {}) =>
  new JsonClient({
    vendor: 'Acme',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    headers: { Authorization: SECRET },
    timeoutMs,
    maxBytes,
  });

async function errorOf(promise: Promise<unknown>): Promise<RegistryUnavailable> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RegistryUnavailable)) throw new TypeError(`unexpected: ${String(error)}`);
  return error;
}

const renew = { method: 'POST', path: '/v1/renew', body: { name: 'example.com' } } as const;

describe('JsonClient for registrar adapters', () => {
  it('returns the status and the body of a success and of a rejection', async () => {
    respond = (req, res) => res.writeHead(req.method === 'GET' ? 200 : 400).end('{"code":"TAKEN"}');

    expect(await aClient().send({ method: 'GET', path: '/v1/a', query: { page: 1, tld: ['a', 'b'] } })).toMatchObject({
      status: 200,
      body: { code: 'TAKEN' },
    });
    expect(await aClient().send(renew)).toMatchObject({ status: 400, body: { code: 'TAKEN' } });
  });

  it.each([
    ['a 502 with HTML', (_req, res) => res.writeHead(502).end('<html>')],
    ['a 404 with HTML from a proxy', (_req, res) => res.writeHead(404).end('<html>')],
    ['truncated JSON', (_req, res) => res.writeHead(200).end('{"name":"exa')],
    ['a connection that breaks before the response', (req) => req.socket.destroy()],
    [
      'a connection that breaks within the response',
      (_req, res) => {
        res.writeHead(200, { 'Content-Length': 100 }).write('{');
        setImmediate(() => res.destroy());
      },
    ],
    ['a response above the size limit', (_req, res) => res.end(JSON.stringify('x'.repeat(2_000)))],
    ['a redirect', (_req, res) => res.writeHead(307, { Location: '/elsewhere' }).end()],
  ] satisfies [string, RequestListener][])('treats the outcome as unknown after %s', async (_title, listener) => {
    respond = listener;
    requests = 0;

    const error = await errorOf(aClient().send(renew));

    expect(error).not.toBeInstanceOf(RegistryNotContacted);
    expect(requests).toBe(1);
  });

  it('treats the outcome as unknown if the response does not come in time', async () => {
    respond = () => undefined;

    expect(await errorOf(aClient({ timeoutMs: 50 }).send(renew))).not.toBeInstanceOf(RegistryNotContacted);
  });

  it('reports that nothing was sent if nothing listens at the address', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const client = new JsonClient({ vendor: 'Acme', url, headers: {}, timeoutMs: 5_000 });

    expect(await errorOf(client.send(renew))).toBeInstanceOf(RegistryNotContacted);
  });

  it('sends nothing after a 429 until the time in Retry-After', async () => {
    respond = (_req, res) => res.writeHead(429, { 'Retry-After': '120' }).end('{}');
    const client = aClient();
    requests = 0;

    const first = await errorOf(client.send(renew));
    const second = await errorOf(client.send(renew));

    expect(first).toBeInstanceOf(RegistryNotContacted);
    expect(second).toBeInstanceOf(RegistryNotContacted);
    expect([first.retryAfterSeconds, second.retryAfterSeconds]).toEqual([120, 120]);
    expect(requests).toBe(1);
  });

  it('stops requests of the same rate limit only, so that searches do not delay a command', async () => {
    respond = (req, res) =>
      req.url === '/search'
        ? res.writeHead(429, { 'Retry-After': '120' }).end('{}')
        : res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    const client = aClient();
    const search = { method: 'POST', path: '/search', body: {}, limit: 'search' } as const;
    await errorOf(client.send(search));
    requests = 0;

    expect(await errorOf(client.send(search))).toBeInstanceOf(RegistryNotContacted);
    expect((await client.send(renew)).status).toBe(200);
    expect((await client.send({ method: 'GET', path: '/domains' })).status).toBe(200);
    expect(requests).toBe(2);
  });

  it('lets commands through while reads are limited', async () => {
    respond = (req, res) => res.writeHead(req.method === 'GET' ? 429 : 200, { 'Retry-After': '120' }).end('{}');
    const client = aClient();

    expect(await errorOf(client.send({ method: 'GET', path: '/domains' }))).toBeInstanceOf(RegistryNotContacted);
    expect((await client.send(renew)).status).toBe(200);
  });

  it('sends again after the time in Retry-After also if the clock was set back', async () => {
    respond = (_req, res) => res.writeHead(429, { 'Retry-After': '1' }).end('{}');
    const client = aClient();
    await errorOf(client.send(renew));
    const hourAgo = Date.now() - 3_600_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(hourAgo);
    respond = (_req, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');

    await sleep(1_100);

    expect((await client.send(renew)).status).toBe(200);
    clock.mockRestore();
  });

  it('reads X-RateLimit-Reset as a Unix time', async () => {
    const at = Math.floor(Date.now() / 1_000) + 1_800;
    respond = (_req, res) => res.writeHead(429, { 'X-RateLimit-Reset': String(at) }).end('{}');

    const { retryAfterSeconds } = await errorOf(aClient().send(renew));

    expect(retryAfterSeconds).toBeGreaterThan(1_700);
    expect(retryAfterSeconds).toBeLessThanOrEqual(1_800);
  });

  it('passes the time in Retry-After of a 503 on, with an unknown outcome', async () => {
    respond = (_req, res) => res.writeHead(503, { 'Retry-After': '77' }).end();

    const error = await errorOf(aClient().send(renew));

    expect(error).not.toBeInstanceOf(RegistryNotContacted);
    expect(error.retryAfterSeconds).toBe(77);
  });

  it('does not run a command whose credentials are rejected', async () => {
    respond = (_req, res) => res.writeHead(401).end('{}');

    expect(await errorOf(aClient().send(renew))).toBeInstanceOf(RegistryNotContacted);
  });

  it('never puts credentials, paths or bodies into errors', async () => {
    const errors: Error[] = [];
    for (const listener of [
      (_req, res) => res.writeHead(500).end('{}'),
      (_req, res) => res.writeHead(401).end('{}'),
      (req) => req.socket.destroy(),
    ] satisfies RequestListener[]) {
      respond = listener;
      errors.push(await errorOf(aClient().send({ ...renew, path: '/v1/secret-auth-code' })));
    }

    for (const error of errors)
      expect(
        `${JSON.stringify(error)} ${error.stack} ${JSON.stringify(error.cause)} ${String(error.cause)}`,
      ).not.toMatch(/secret|Bearer|example\.com/);
  });
});
