import request from 'supertest';
import { API_ROUTES } from '../support/http/api-routes';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';

const ROUTES = API_ROUTES.map(([method, path, scope]) => ({
  method,
  path: `/api${path.replace(':version', '1').replaceAll(/:\w+/g, 'unknown')}`,
  scope,
}));
const WITH_BODY = ROUTES.filter(({ method }) => method === 'post' || method === 'put');
const WITH_JSON = WITH_BODY.filter(({ path }) => !/\/(zonefile|state)$/.test(path));
const BELOW_A_DOMAIN = ROUTES.filter(({ path }) => path.startsWith('/api/domains/unknown'));

const titled = <T extends { readonly method: string; readonly path: string }>(routes: readonly T[]) =>
  routes.map((route) => [route.method.toUpperCase(), route.path, route] as const);

/** Every answer is held against the document, too: these are the failures that it names. */
describe('failures', () => {
  let service: TestService;
  let accountId: string;
  let key: string;
  let client: Api;
  let serial = 0;
  const freshName = () => `failing-${(serial += 1)}.com`;

  beforeAll(async () => {
    service = await startService();
    accountId = await service.account();
    key = await service.key(accountId);
    client = api(service, key);
  });
  afterAll(() => service.stop());

  it.each(titled(ROUTES))('%s %s requires an API key', async (_method, path, { method }) => {
    const { body, headers } = await request(service.server)[method](path).expect(401);

    expect(body).toEqual({ error: { code: 'INVALID_API_KEY', message: 'Provided key is invalid' } });
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it.each(titled(ROUTES.filter(({ scope }) => scope !== 'READ')))(
    '%s %s refuses a READ key, whatever else is wrong',
    async (_method, path, { method, scope }) => {
      const { body } = await api(service, await service.key(accountId, 'READ'))
        [method](path, method === 'delete' ? undefined : '{')
        .expect(403);

      expect(body).toEqual({
        error: { code: 'INSUFFICIENT_SCOPE', message: `This operation requires ${scope} scope` },
      });
    },
  );

  it.each(titled(WITH_JSON))(
    '%s %s refuses a body that is no JSON, or too large, before it looks anything up',
    async (_method, path, { method }) => {
      const send = (type: string, body: string) =>
        request(service.server)
          [method](path)
          .set('Authorization', `Bearer ${key}`)
          .set('Content-Type', type)
          .send(body);

      expect((await send('text/plain', '{}').expect(415)).body.error.code).toBe('UNSUPPORTED_MEDIA_TYPE');
      expect((await send('application/json', '{').expect(400)).body.error.code).toBe('VALIDATION_ERROR');
      expect((await send('application/json', `{"x":"${'x'.repeat(5_000_000)}"}`).expect(413)).body.error.code).toBe(
        'PAYLOAD_TOO_LARGE',
      );
    },
  );

  it.each(titled(ROUTES))(
    '%s %s refuses unknown query parameters after scope and before the body, and accepts `token`',
    async (_method, path, { method, scope }) => {
      const send = (query: string, token: string) =>
        request(service.server)
          [method](`${path}?token=${token}&${query}`)
          .set('Content-Type', 'application/json')
          .send(method === 'post' || method === 'put' ? '{' : undefined);

      if (scope !== 'READ') await send('page=2', await service.key(accountId, 'READ')).expect(403);
      const { body } = await send('page=2', key).expect(400);

      expect(body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: expect.stringMatching(/^page is unknown: /),
      });
      expect((await send('', key)).body.error?.details ?? '').not.toContain('is unknown: ');
    },
  );

  it('names each unknown query parameter and the known ones of the route', async () => {
    const { body } = await client.get('/api/domains?Status=active&page=2&limit=1').expect(400);

    const known =
      'limit, cursor, sort, total, status, name, tld, tag, registrar, auto_renew, transfer_locked, nameserver, expires_within, expires_from, expires_before, health, updated_since';
    expect(body.error.details).toBe(
      `Status is unknown: the query parameters of this route are ${known}; page is unknown: the query parameters of this route are ${known}`,
    );
  });

  it.each(titled(ROUTES.filter(({ path }) => path.includes('unknown'))))(
    '%s %s refuses an address that cannot be decoded',
    async (_method, path, { method }) => {
      expect((await client[method](path.replace('unknown', '%zz')).expect(400)).body.error.code).toBe(
        'VALIDATION_ERROR',
      );
    },
  );

  it.each(titled(BELOW_A_DOMAIN.filter(({ method }) => method === 'get' || method === 'delete')))(
    '%s %s finds no domain of another account',
    async (_method, path, { method }) => {
      const foreign = await registered(api(service, await service.key(await service.account())), freshName());

      for (const id of ['unknown', foreign]) {
        expect((await client[method](path.replace('unknown', id)).expect(404)).body).toEqual({
          error: { code: 'DOMAIN_NOT_FOUND', message: 'Specified domain not found' },
        });
      }
    },
  );

  it('rejects a change that makes a record invalid', async () => {
    const id = await registered(client, freshName());
    const records = `/api/domains/${id}/dns/records`;
    const add = async (name: string) =>
      (await client.post(records, { type: 'A', name, content: '192.0.2.1' }).expect(201)).body.id;
    const [first, second] = [await add('one'), await add('two')];
    const refusal = async (body: object) => (await client.put(`${records}/${first}`, body)).body.error.code;

    expect(await refusal({ type: 'NOPE' })).toBe('INVALID_RECORD_TYPE');
    expect(await refusal({ name: 'a..b' })).toBe('INVALID_RECORD_NAME');
    expect(await refusal({ content: 'x' })).toBe('INVALID_RECORD_CONTENT');
    expect(await refusal({ type: 'CNAME', name: '@', content: 'example.net' })).toBe('CNAME_AT_ROOT');
    expect(await refusal({ type: 'MX', content: 'mail.example.net' })).toBe('MISSING_PRIORITY');
    expect(await refusal({ name: 'two' })).toBe('RECORD_CONFLICT');
    expect((await client.put(`${records}/rec_unknown`, {}).expect(404)).body.error.code).toBe('RECORD_NOT_FOUND');
    expect(
      (await client.get(records).expect(200)).body.map((record: { id: string; name: string }) => [
        record.id,
        record.name,
      ]),
    ).toEqual([
      [first, 'one'],
      [second, 'two'],
    ]);
  });
});

describe('beyond the rate limit', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_PER_MINUTE: '1' });
  });
  afterAll(() => service.stop());

  it.each(titled(ROUTES))('%s %s rejects before any other check', async (_method, path, { method }) => {
    const client = api(service, await service.key(await service.account()));
    await client.get('/api/domains').expect(200);

    const { body, headers } = await client[method](
      path,
      WITH_BODY.some((route) => route.path === path) ? '{' : undefined,
    ).expect(429);

    expect(body).toEqual({ error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests' } });
    expect(headers).toMatchObject({
      'ratelimit-limit': '1',
      'ratelimit-remaining': '0',
      'retry-after': headers['ratelimit-reset'],
    });
  });
});

describe('beyond the limits of a zone', () => {
  it('rejects a record that exceeds a limit, new or changed, and still allows other changes', async () => {
    const service = await startService({ MAX_RECORDS_PER_SET: '1', MAX_RECORDS_PER_ZONE: '2' });
    try {
      const client = api(service, await service.key(await service.account()));
      const records = `/api/domains/${await registered(client, 'limited.com')}/dns/records`;
      const first = (await client.post(records, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201)).body;
      const second = (await client.post(records, { type: 'AAAA', name: 'www', content: '2001:db8::1' }).expect(201))
        .body;
      const limit = { code: 'LIMIT_EXCEEDED', message: 'DNS record limit exceeded' };

      const oneMore = await client.post(records, { type: 'TXT', name: 'www', content: 'x' }).expect(409);
      const oneMoreOfTheSet = await client
        .put(`${records}/${second.id}`, { type: 'A', content: '192.0.2.2' })
        .expect(409);

      expect(oneMore.body).toEqual({ error: { ...limit, details: 'A domain can have at most 2 records' } });
      expect(oneMoreOfTheSet.body).toEqual({
        error: { ...limit, details: 'A domain can have at most 1 A records at www' },
      });
      await client.put(`${records}/${first.id}`, { content: '192.0.2.3' }).expect(200);
    } finally {
      await service.stop();
    }
  });
});
