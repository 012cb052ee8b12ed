import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { OPERATOR } from '../../../src/domain/access/actor';
import { RevokeApiKey } from '../../../src/application/access/api-keys/revoke-api-key';
import { onBothDatabases } from '../../support/databases/databases';
import { signIn, DashboardClient } from '../../support/dashboard/dashboard-client';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const INVALID = { error: { code: 'INVALID_API_KEY', message: 'Provided key is invalid' } };

onBothDatabases('access', (service) => {
  it('requires an API key', async () => {
    const answer = await request(service().server).get('/api/domains').expect(401);

    expect(answer.body).toEqual(INVALID);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('sends a restrictive policy, no-referrer and nosniff with every response, errors included', async () => {
    const { headers } = await request(service().server).get('/api/domains?token=nonsense').expect(401);

    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('sends Cache-Control: no-store with every response, errors included', async () => {
    const caller = api(service(), await service().key(await service().account()));

    const answers = [
      await caller.get('/api/domains'),
      await caller.get('/api/domains/dom_0'),
      await caller.get('/api/nothing'),
      await request(service().server).get('/api/domains?token=wrong'),
    ];

    expect(answers.map(({ status, headers }) => [status, headers['cache-control']])).toEqual(
      [200, 404, 404, 401].map((status) => [status, 'no-store']),
    );
  });

  it('responds with 304 to a GET with If-None-Match: *', async () => {
    const caller = api(service(), await service().key(await service().account()));
    const id = await registered(caller, 'fresh.com');

    const answers = [
      await caller.get(`/api/domains/${id}`).set('If-None-Match', '*'),
      await caller.get(`/api/domains/${id}/operations`).set('If-None-Match', '*'),
      await caller.get(`/api/domains/${id}`).set('If-None-Match', '"1"'),
    ];

    expect(answers.map(({ status, text }) => [status, text === ''])).toEqual([
      [304, true],
      [304, true],
      [200, false],
    ]);
  });

  it("returns the request's X-Request-Id, or a new one if it is unsafe to log", async () => {
    const ofItsOwn = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

    for (const [given, id] of [
      ['Trace_1.2-3', 'Trace_1.2-3'],
      ['two words', ofItsOwn],
      ['a"b', ofItsOwn],
      ['{}', ofItsOwn],
      ['x'.repeat(129), ofItsOwn],
    ] as const) {
      const { headers } = await request(service().server).get('/healthz').set('X-Request-Id', given).expect(200);
      expect({ given, id: headers['x-request-id'] }).toEqual({ given, id });
    }
  });

  it('accepts the key as ?token=, and prefers an Authorization header even without a key', async () => {
    const key = await service().key(await service().account());

    await request(service().server).get(`/api/domains?token=${key}`).expect(200);
    await request(service().server)
      .get(`/api/domains?token=${key}`)
      .set('Authorization', 'Bearer nonsense')
      .expect(401);
    await request(service().server).get(`/api/domains?token=${key}`).set('Authorization', 'Basic bm9ib2R5').expect(401);
  });

  it('rejects a key with a wrong secret or wrong case', async () => {
    const key = await service().key(await service().account());
    const [id, secret] = [key.slice(0, key.indexOf('.') + 1), key.slice(key.indexOf('.') + 1)];
    const swapped = secret.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    const inOtherCase = secret.replace(/[a-z]/i, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    );

    for (const wrong of [
      id + swapped,
      id + inOtherCase,
      id.toUpperCase() + secret,
      `${key}x`,
      `${key} x`,
      id,
      id.slice(0, -1),
    ]) {
      expect({
        wrong,
        body: (await request(service().server).get('/api/domains').set('Authorization', `Bearer ${wrong}`).expect(401))
          .body,
      }).toEqual({ wrong, body: INVALID });
    }
  });

  it('rejects a revoked key on its next request', async () => {
    const key = await service().key(await service().account());
    const client = api(service(), key);
    await client.get('/api/domains').expect(200);

    await service()
      .container.get(RevokeApiKey)
      .execute({ actor: OPERATOR, keyId: key.slice('nw_live_'.length, key.indexOf('.')) });

    expect((await client.get('/api/domains').expect(401)).body).toEqual(INVALID);
  });

  it('allows a READ key to read, search and quote only', async () => {
    const client = api(service(), await service().key(await service().account(), 'READ'));

    await client.get('/api/domains').expect(200);
    await client.post('/api/domains/search', { query: 'abc', tlds: ['com'] }).expect(200);
    const { body } = await client.post('/api/domains', {}).expect(403);

    expect(body).toEqual({ error: { code: 'INSUFFICIENT_SCOPE', message: 'This operation requires WRITE scope' } });
  });

  it('responds to unknown routes and methods before it checks the key', async () => {
    const unknown = await request(service().server).get('/api/nothing').expect(404);
    const method = await request(service().server).patch('/api/domains').expect(405);

    expect(unknown.body.error.code).toBe('NOT_FOUND');
    expect(method.body.error.code).toBe('METHOD_NOT_ALLOWED');
    expect(method.headers['allow']).toMatch(/GET.*POST/);
  });

  it.each([
    ['malformed JSON', '{"name":', 'application/json', 400, 'VALIDATION_ERROR'],
    ['a list for a body', '[]', 'application/json', 400, 'VALIDATION_ERROR'],
    ['another content type', 'name=x', 'application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['more than 256 KiB', JSON.stringify({ name: 'x'.repeat(300_000) }), 'application/json', 413, 'PAYLOAD_TOO_LARGE'],
    [
      'a member that would change a prototype',
      '{"__proto__":{"name":"x.com"}}',
      'application/json',
      400,
      'VALIDATION_ERROR',
    ],
    ['very deep nesting', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'application/json', 400, 'VALIDATION_ERROR'],
  ])('rejects %s with the error envelope', async (_what, body, type, status, code) => {
    const key = await service().key(await service().account());

    const answer = await request(service().server)
      .post('/api/domains')
      .set('Authorization', `Bearer ${key}`)
      .set('Content-Type', type)
      .send(body)
      .expect(status);

    expect(answer.body.error.code).toBe(code);
  });

  it.each([
    [
      'compressed in an unknown encoding',
      'compress',
      415,
      'Send it as application/json, plain or compressed with gzip, deflate or br, in UTF-8',
    ],
    ['not compressed as it says', 'gzip', 400, 'The body is not what its Content-Length or Content-Encoding says'],
  ])('explains an error in a body that is %s', async (_what, encoding, status, details) => {
    const key = await service().key(await service().account());

    const answer = await request(service().server)
      .post('/api/domains')
      .set('Authorization', `Bearer ${key}`)
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', encoding)
      .send('{"name":"x.com"}')
      .expect(status);

    expect(answer.body.error).toMatchObject({ details });
  });
});

describe('limits', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_PER_MINUTE: '3', FAILED_AUTH_PER_MINUTE: '2' });
  });
  afterAll(() => service.stop());

  it('counts requests per account over all its keys and returns the remaining number', async () => {
    const accountId = await service.account();
    const [client, other] = [api(service, await service.key(accountId)), api(service, await service.key(accountId))];

    const answers = [
      await client.get('/api/domains'),
      await other.get('/api/domains'),
      await client.get('/api/domains'),
      await other.get('/api/domains'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['2', '1', '0', '0']);
    expect(answers[3]?.headers['retry-after']).toMatch(/^\d+$/);
    expect(answers[3]?.body).toEqual({ error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests' } });
  });

  it('limits failed authentications per address without blocking a valid key', async () => {
    const attempt = () => request(service.server).get('/api/domains').set('Authorization', 'Bearer wrong');

    const failures = [await attempt(), await attempt(), await attempt()];

    expect(failures.map(({ status }) => status)).toEqual([401, 401, 429]);
    await api(service, await service.key(await service.account()))
      .get('/api/domains')
      .expect(200);
  });
});

/** What is left of the rate limit after a call that gets `status`. */
async function remaining(
  status: number,
  call: PromiseLike<{ status: number; headers: Record<string, string> }>,
): Promise<number> {
  const response = await call;
  expect(response.status).toBe(status);
  return Number(response.headers['ratelimit-remaining']);
}

describe('the cost of a request', () => {
  let service: TestService;
  let client: Api;
  let accountId: string;
  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_PER_MINUTE: '40' });
    accountId = await service.account();
    client = api(service, await service.key(accountId));
  });
  afterAll(() => service.stop());

  it('is 5 for a search or quote, 10 for a batch, 1 for a read and 0 for a rejected request', async () => {
    const search = () => client.post('/api/domains/search', { query: 'name', tlds: ['com'] });
    const batch = () => client.post('/api/domains/dom_unknown/dns/records/batch', {});

    expect(await remaining(200, search())).toBe(35);
    expect(await remaining(200, client.post('/api/domains/quote', { domains: [{ name: 'name.com' }] }))).toBe(30);
    expect(await remaining(200, client.get('/api/domains'))).toBe(29);
    expect(await remaining(400, batch())).toBe(19);
    expect(await remaining(400, batch())).toBe(9);
    expect(await remaining(429, batch())).toBe(9);
    expect(await remaining(200, search())).toBe(4);
    expect(await remaining(429, search())).toBe(4);
    expect(await remaining(200, client.get('/api/domains'))).toBe(3);
  });

  it('is one more for each 64 KiB of a body, also of a compressed one, and with that at most the whole limit', async () => {
    const other = api(service, await service.key(await service.account()));
    const send = (octets: number) =>
      other
        .put('/api/domains/dom_unknown/dns/zonefile')
        .set({ 'Content-Type': 'text/dns', 'Content-Encoding': 'gzip' })
        .send(gzipSync('\n'.repeat(octets)));

    expect(await remaining(404, send(65_535))).toBe(30);
    expect(await remaining(404, send(10 * 65_536))).toBe(10);
    expect(await remaining(429, send(8_000_000))).toBe(0);
  });

  it('counts in the dashboard, too, apart from the API', async () => {
    const dashboard = await signIn(service, accountId);

    const statuses: number[] = [];
    for (let count = 0; count < 10; count += 1) statuses.push((await dashboard.get('/register')).status);
    const last = await dashboard.get('/register');

    expect(statuses).toContain(429);
    expect(last.status).toBe(429);
    expect(last.headers['retry-after']).toMatch(/^\d+$/);
    await client.get('/api/domains').expect(200);
    await new DashboardClient(service).get('/sign-in').expect(200);
  });
});
