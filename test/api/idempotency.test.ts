import { IdempotentRequests } from '../../src/application/idempotency/idempotent-requests';
import { AuditReader } from '../../src/application/ports/access/audit-and-events';
import { RegistryUnavailable } from '../../src/application/ports/registry/registry-errors';
import { RegistryPort } from '../../src/application/ports/registry/registry-port';
import { StorageUnavailable } from '../../src/application/ports/storage/storage-unavailable';
import { UnitOfWork } from '../../src/application/ports/storage/unit-of-work';
import { RegisterDomain } from '../../src/application/registration/register-domain';
import { RenewDomain } from '../../src/application/registration/renew-domain';
import { SERVICE } from '../../src/domain/access/actor';
import { Operation } from '../../src/domain/registration/operations/operation';
import { toRegistrant } from '../../src/http/api/resources/registration/contacts';
import { requestFingerprint } from '../../src/http/api/request-fingerprint';
import { endIdempotencyLeases, killedBeforeResponse } from '../support/service/killed-request';
import { onBothDatabases } from '../support/databases/databases';
import { sandboxOf } from '../support/registries/sandbox';
import { api, REGISTRANT, registered, type Api } from '../support/service/service';

type KeyedCall = ReturnType<Api['post']>;

interface Site {
  readonly domainId: string;
  readonly at: string;
  readonly recordId: string;
  readonly version: string;
}

const HOSTS = { nameservers: ['ns1.example.com', 'ns2.example.com'] };
const KEY = 'Idempotency-Key';

onBothDatabases('an Idempotency-Key', (service) => {
  let accountId: string;
  let client: Api;
  let serial = 0;
  const freshName = () => `keyed-${(serial += 1)}.com`;
  const freshKey = () => `key-${(serial += 1)}`;
  const charged = async (name: string) =>
    (await sandboxOf(service()).ledger()).filter((entry) => entry.name.value === name).map(({ kind }) => kind);

  const inDoubt = async (operationId: string) => {
    for (;;) {
      const { body } = await client.get(`/api/operations/${operationId}`).expect(200);
      if (body.state === 'uncertain') return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  /** A domain with one record, of which an earlier version had another. */
  const aSite = async (): Promise<Site> => {
    const domainId = await registered(client, freshName());
    const at = `/api/domains/${domainId}`;
    const { headers, body } = await client
      .post(`${at}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' })
      .expect(201);
    await client.put(`${at}/dns/records/${body.id}`, { ttl: 600 }).expect(200);
    return { domainId, at, recordId: body.id, version: headers['zone-version'] ?? '' };
  };

  const changesOf = async ({ domainId }: Site) =>
    service().container.get<AuditReader>(AuditReader).page(accountId, { domainId }, 100);

  const keyed = (call: () => KeyedCall) => {
    const key = freshKey();
    return () => call().set(KEY, key);
  };
  /** As where the database is lost between the change and its response. */
  const unkept = async (call: () => KeyedCall) => {
    const requests = service().container.get(IdempotentRequests);
    const keep = jest.spyOn(requests, 'complete').mockRejectedValueOnce(new StorageUnavailable());
    const response = await call().expect(503);
    keep.mockRestore();
    return response;
  };

  beforeAll(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
  });
  afterEach(() => sandboxOf(service()).clearFaults());

  it('gets the registration that another run stored while this one was checked', async () => {
    const registerDomain = service().container.get(RegisterDomain);
    const register = registerDomain.execute.bind(registerDomain);
    const overtaken = jest.spyOn(registerDomain, 'execute').mockImplementationOnce(async (command) => {
      await register(command);
      return register(command);
    });
    const order = { name: freshName(), contacts: { registrant: REGISTRANT } };

    const { body } = await client.post('/api/domains', order).set(KEY, 'overtaken').expect(201);
    const { body: replayed } = await client.post('/api/domains', order).set(KEY, 'overtaken').expect(201);

    expect(overtaken).toHaveBeenCalledTimes(1);
    expect(replayed).toEqual(body);
  });

  it('makes a repeated registration buy the name once', async () => {
    const [key, name] = [freshKey(), freshName()];
    const body = { name, years: 1, contacts: { registrant: REGISTRANT } };

    const first = await client.post('/api/domains', body).set(KEY, key).expect(201);
    const again = await client
      .post('/api/domains', { contacts: { registrant: REGISTRANT }, years: 1, name })
      .set(KEY, key)
      .expect(201);

    expect(first.headers['idempotent-replay']).toBeUndefined();
    expect(again.headers['idempotent-replay']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(again.headers['operation-location']).toBe(first.headers['operation-location']);
  });

  it('makes a hundred renewal requests with one key at once one renewal, and fails none because of the others', async () => {
    const [key, name] = [freshKey(), freshName()];
    const id = await registered(client, name);

    const answers = await Promise.all(
      Array.from({ length: 100 }, () => client.post(`/api/domains/${id}/renew`, { years: 1 }).set(KEY, key)),
    );
    const last = await client.post(`/api/domains/${id}/renew`, { years: 1 }).set(KEY, key).expect(200);

    expect(last.headers['idempotent-replay']).toBe('true');
    for (const { status, body } of answers)
      expect(status === 200 ? body : body.error.code).toEqual(status === 200 ? last.body : 'IDEMPOTENCY_KEY_IN_USE');
    expect(await charged(name)).toEqual(['register', 'renew']);
  });

  it('is rejected with a different request', async () => {
    const key = freshKey();
    const id = await registered(client, freshName());
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).set(KEY, key).expect(200);

    const otherBody = await client.put(`/api/domains/${id}/autorenew`, { auto_renew: true }).set(KEY, key).expect(409);
    const otherPlace = await client
      .put(`/api/domains/${id}/transfer-lock`, { auto_renew: false })
      .set(KEY, key)
      .expect(409);

    expect(otherBody.body).toEqual({
      error: {
        code: 'IDEMPOTENCY_KEY_REUSED',
        message: 'The Idempotency-Key was used for another request',
        details: 'A key identifies one request for 24 hours; send a new key',
      },
    });
    expect(otherPlace.body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('is rejected with a different If-Match', async () => {
    const [key, { at, version }] = [freshKey(), await aSite()];
    const add = (tag: string) =>
      client
        .post(`${at}/dns/records`, { type: 'A', name: 'new', content: '192.0.2.1' })
        .set(KEY, key)
        .set('If-Match', tag);
    await add(`"${version}"`).expect(412);

    const { body } = await add('*').expect(409);

    expect(body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('belongs to the account, not to the API key', async () => {
    const key = freshKey();
    const id = await registered(client, freshName());
    const colleague = api(service(), await service().key(accountId));
    const stranger = api(service(), await service().key(await service().account()));

    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).set(KEY, key).expect(200);

    expect(
      (await colleague.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).set(KEY, key).expect(200)).headers[
        'idempotent-replay'
      ],
    ).toBe('true');
    await stranger.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).set(KEY, key).expect(404);
  });

  it('returns 409 while the first request with it is in progress', async () => {
    const [key, name] = [freshKey(), freshName()];
    const id = await registered(client, name);
    const fingerprint = await requestFingerprint({
      caller: { accountId: '', actor: { kind: 'key', id: '' } },
      method: 'PUT',
      path: `/api/domains/${id}/nameservers`,
      query: {},
      headers: {},
      body: HOSTS,
    });
    await service().container.get(IdempotentRequests).begin({ accountId, key, fingerprint });

    const { body, headers } = await client.put(`/api/domains/${id}/nameservers`, HOSTS).set(KEY, key).expect(409);

    expect(body).toEqual({
      error: {
        code: 'IDEMPOTENCY_KEY_IN_USE',
        message: 'The first request with this Idempotency-Key is still running',
      },
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('gets the first response to the retry of a bulk job if the process was killed after it', async () => {
    const { body: job } = await client
      .post('/api/bulk', { action: 'auto_renewal', auto_renew: true, domains: ['dom_none'] })
      .expect(202);
    const isRunning = async () => (await client.get(`/api/bulk/${job.id}`).expect(200)).body.status === 'running';
    while (await isRunning());
    const call = keyed(() => client.post(`/api/bulk/${job.id}/retry`));
    await killedBeforeResponse(service(), call);
    while (await isRunning());

    const again = await call().expect(202);

    expect(again.headers['idempotent-replay']).toBe('true');
    expect(again.body).toMatchObject({ id: job.id, status: 'running', total: 1, done: 0, failed: 0, waiting: 1 });
    expect(again.body).toMatchObject({ failures: [], undoable: false, finished_at: null });
    const retries = await service()
      .container.get<AuditReader>(AuditReader)
      .page(accountId, { action: 'bulk.retried' }, 10);
    expect(retries.map(({ subject }) => subject)).toEqual([job.id]);
  });

  it('stores error responses too', async () => {
    const [key, name] = [freshKey(), freshName()];
    const body = { name, contacts: { registrant: { ...REGISTRANT, country: 'GB' } } };

    const first = await client.post('/api/domains', body).set(KEY, key).expect(400);
    const again = await client.post('/api/domains', body).set(KEY, key).expect(400);

    expect(again.headers['idempotent-replay']).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  it('stores an auth code encrypted and returns the same one again', async () => {
    const key = freshKey();
    const id = await registered(client, freshName());

    const first = await client.post(`/api/domains/${id}/auth-code`).set(KEY, key).expect(200);
    const again = await client.post(`/api/domains/${id}/auth-code`).set(KEY, key).expect(200);
    const [kept, operation] = await service()
      .container.get(UnitOfWork)
      .run(async ({ idempotencyRecords, operations }) => [
        await idempotencyRecords.lock(accountId, key),
        await operations.find(first.headers['operation-location']?.split('/').at(-1) ?? ''),
      ]);

    expect(again.body).toEqual(first.body);
    expect(again.headers['cache-control']).toBe('no-store');
    expect(kept?.toState().response).toEqual(expect.not.stringContaining(first.body.auth_code));
    expect(operation?.toState().handover).toBeNull();
  });

  it('replays DNS record changes with the zone version', async () => {
    const key = freshKey();
    const id = await registered(client, freshName());
    const record = { type: 'A', name: 'www', content: '192.0.2.1' };

    const first = await client.post(`/api/domains/${id}/dns/records`, record).set(KEY, key).expect(201);
    const again = await client.post(`/api/domains/${id}/dns/records`, record).set(KEY, key).expect(201);
    const removal = () =>
      client.delete(`/api/domains/${id}/dns/records/${first.body.id}`).set(KEY, `${key}-removal`).expect(200);

    expect(again.body).toEqual(first.body);
    expect(again.headers['zone-version']).toBe(first.headers['zone-version']);
    expect((await removal()).body).toEqual((await removal()).body);
  });

  it('returns the result of a request whose process was killed before it responded', async () => {
    const [key, name] = [freshKey(), freshName()];
    const id = await registered(client, name);
    const fingerprint = await requestFingerprint({
      caller: { accountId: '', actor: { kind: 'key', id: '' } },
      method: 'POST',
      path: `/api/domains/${id}/renew`,
      query: {},
      headers: {},
      body: { years: 1 },
    });
    const run = await service().container.get(IdempotentRequests).begin({ accountId, key, fingerprint });
    if (!('holder' in run)) throw new TypeError('a response was already stored');
    await service()
      .container.get(RenewDomain)
      .execute({ accountId, actor: SERVICE, operationId: run.operationId, domainId: id, years: 1 });
    await endIdempotencyLeases(service());

    const { body, headers } = await client.post(`/api/domains/${id}/renew`, { years: 1 }).set(KEY, key).expect(200);

    expect(headers['operation-location']).toBe(`/api/operations/${run.operationId}`);
    expect(body.renewal.years).toBe(1);
    expect(await charged(name)).toEqual(['register', 'renew']);
  });

  const CHANGES: readonly [string, (site: Site) => KeyedCall][] = [
    ['adds a record', ({ at }) => client.post(`${at}/dns/records`, { type: 'A', name: 'new', content: '192.0.2.7' })],
    ['changes a record', ({ at, recordId }) => client.put(`${at}/dns/records/${recordId}`, { ttl: 300 })],
    ['removes a record', ({ at, recordId }) => client.delete(`${at}/dns/records/${recordId}`)],
    [
      'edits many records',
      ({ at, recordId }) =>
        client.post(`${at}/dns/records/batch`, {
          create: [{ type: 'A', name: 'new', content: '192.0.2.7' }],
          delete: [recordId],
        }),
    ],
    [
      'imports a zone file',
      ({ at }) => client.put(`${at}/dns/zonefile`, 'new 300 IN A 192.0.2.7\n').set('Content-Type', 'text/dns'),
    ],
    ['restores a version', ({ at, version }) => client.post(`${at}/dns/history/${version}/restore`)],
    [
      'waits for the publication of a record',
      ({ at }) => client.post(`${at}/dns/records?wait=published`, { type: 'A', name: 'new', content: '192.0.2.7' }),
    ],
    ['switches auto-renewal', ({ at }) => client.put(`${at}/autorenew`, { auto_renew: false })],
  ];

  it.each(CHANGES)(
    'gets the status, headers and body of the first response when a request that %s is repeated',
    async (_what, call) => {
      const [site, key] = [await aSite(), freshKey()];

      const first = await call(site).set(KEY, key);
      const again = await call(site).set(KEY, key);

      expect(first.status).toBeLessThan(300);
      expect(again.headers['idempotent-replay']).toBe('true');
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      for (const header of ['zone-version', 'etag', 'zone-published', 'cache-control'])
        expect(again.headers[header]).toBe(first.headers[header]);
    },
  );

  it.each(CHANGES)(
    'replays the answer of a request that %s, though the service was killed before it could be sent',
    async (_what, call) => {
      const [site, key] = [await aSite(), freshKey()];
      const before = await changesOf(site);
      await killedBeforeResponse(service(), () => call(site).set(KEY, key));
      const changes = await changesOf(site);

      const { status, headers } = await call(site).set(KEY, key);

      expect([status, headers['idempotent-replay']]).toEqual([expect.any(Number), 'true']);
      expect(status).toBeLessThan(300);
      expect(changes).toHaveLength(before.length + 1);
      expect(await changesOf(site)).toEqual(changes);
    },
  );

  it('returns a registration as pending if its process was killed and the outcome is unknown', async () => {
    const [key, name] = [freshKey(), freshName()];
    const body = { name, contacts: { registrant: REGISTRANT } };
    await sandboxOf(service()).injectFault({ kind: 'lose_answer', target: name });
    // The outcome, which is looked up a second later, stays unknown.
    const registry = service().container.get<RegistryPort>(RegistryPort);
    const unread = jest.spyOn(registry, 'info').mockRejectedValue(new RegistryUnavailable('not now'));
    const fingerprint = await requestFingerprint({
      caller: { accountId: '', actor: { kind: 'key', id: '' } },
      method: 'POST',
      path: '/api/domains',
      query: {},
      headers: {},
      body,
    });
    const run = await service().container.get(IdempotentRequests).begin({ accountId, key, fingerprint });
    if (!('holder' in run)) throw new TypeError('a response was already stored');
    const { domain } = await service()
      .container.get(RegisterDomain)
      .execute({ accountId, actor: SERVICE, operationId: run.operationId, name, registrant: toRegistrant(REGISTRANT) });
    await inDoubt(run.operationId);
    await endIdempotencyLeases(service());

    const again = await client.post('/api/domains', body).set(KEY, key).expect(201);

    unread.mockRestore();
    expect(again.body).toMatchObject({ id: domain.id, status: 'pending' });
    expect(await charged(name)).toEqual(['register']);
  });

  it('can be used again after a temporary rejection', async () => {
    const [key, name] = [freshKey(), freshName()];
    const id = await registered(client, name);
    const { expires_at: expiry } = (await client.get(`/api/domains/${id}`).expect(200)).body;
    const renewal = await service()
      .container.get(UnitOfWork)
      .run(async ({ operations }) => {
        const doubted = Operation.queue(
          {
            id: `op_${name.slice(0, -4)}`,
            accountId,
            domainId: id,
            actor: SERVICE,
            request: { kind: 'renew', years: 1, price: { minor: 0, currency: 'USD' }, currentExpiry: expiry },
          },
          new Date(Date.now() + 60_000),
        );
        doubted.release(new Date(Date.now() + 60_000));
        await operations.add(doubted);
        return doubted;
      });
    const renew = () => client.post(`/api/domains/${id}/renew`, { years: 1 }).set(KEY, key);
    const turnedAway = await renew().expect(409);

    await service()
      .container.get(UnitOfWork)
      .run(async ({ operations }) => {
        renewal.fail({ code: 'REGISTRY_REJECTED', message: 'no' }, new Date());
        await operations.save(renewal);
      });

    expect(turnedAway.body.error.code).toBe('OPERATION_IN_PROGRESS');
    expect((await renew().expect(200)).headers['idempotent-replay']).toBeUndefined();
    expect(await charged(name)).toEqual(['register', 'renew']);
  });

  it('sends no response that could not be stored: the repeated request gets what was committed', async () => {
    const { at } = await aSite();
    const call = keyed(() =>
      client.post(`${at}/dns/records?wait=published`, { type: 'A', name: 'once', content: '192.0.2.7' }),
    );

    const first = await unkept(call);
    const [second, third] = [await call().expect(201), await call().expect(201)];

    expect(first.headers).toMatchObject({ 'retry-after': '2' });
    expect(first.headers).not.toHaveProperty('zone-version');
    expect(second.headers['idempotent-replay']).toBe('true');
    expect([third.body, third.headers['zone-version']]).toEqual([second.body, second.headers['zone-version']]);
    expect((await client.get(`${at}/dns/records?name=once`).expect(200)).body).toHaveLength(1);
  });

  it('changes nothing if the response cannot be stored with the change: the repeated request changes once', async () => {
    const { at } = await aSite();
    const call = keyed(() => client.post(`${at}/dns/records`, { type: 'A', name: 'once', content: '192.0.2.7' }));
    const requests = service().container.get(IdempotentRequests);
    const storing = jest.spyOn(requests, 'storeWithChange').mockRejectedValueOnce(new StorageUnavailable());

    await call().expect(503);
    storing.mockRestore();
    const before = await client.get(`${at}/dns/records?name=once`).expect(200);
    const [second, third] = [await call().expect(201), await call().expect(201)];

    expect(before.body).toEqual([]);
    expect(second.headers).not.toHaveProperty('idempotent-replay');
    expect(third.body).toEqual(second.body);
    expect((await client.get(`${at}/dns/records?name=once`).expect(200)).body).toHaveLength(1);
  });

  it("sends no operation's response that could not be stored: all repeated requests get the same one", async () => {
    const name = freshName();
    const id = await registered(client, name);
    const call = keyed(() => client.post(`/api/domains/${id}/renew`, { years: 1 }));

    const first = await unkept(call);
    const [second, third] = [await call().expect(200), await call().expect(200)];

    expect(first.headers).not.toHaveProperty('operation-location');
    expect(third.headers['idempotent-replay']).toBe('true');
    expect(third.body).toEqual(second.body);
    expect(await charged(name)).toEqual(['register', 'renew']);
  });

  it('responds with 503 instead of an error that could not be stored: the repeated request gets that error', async () => {
    const { at } = await aSite();
    const call = keyed(() => client.post(`${at}/dns/records`, { type: 'A', name: 'www', content: 'not an address' }));

    const first = await unkept(call);
    const second = await call().expect(400);

    expect(first.body.error.code).toBe('SERVICE_UNAVAILABLE');
    expect(second.body.error.code).toBe('INVALID_RECORD_CONTENT');
    expect((await call().expect(400)).body).toEqual(second.body);
  });

  it.each(['', 'two words', 'x'.repeat(129), 'ümlaut'.normalize('NFC')])('is rejected as %j', async (key) => {
    const { body } = await client
      .post('/api/domains', { name: freshName(), contacts: { registrant: REGISTRANT } })
      .set(KEY, Buffer.from(key).toString('latin1'))
      .expect(400);

    expect(body.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'Request validation failed',
      details: 'Idempotency-Key must be 1 to 128 visible characters',
    });
  });

  it('is ignored by requests that change nothing', async () => {
    const key = freshKey();

    await client
      .post('/api/domains/search', { query: 'one', tlds: ['com'] })
      .set(KEY, key)
      .expect(200);
    const { headers } = await client
      .post('/api/domains/search', { query: 'two', tlds: ['com'] })
      .set(KEY, key)
      .expect(200);

    expect(headers['idempotent-replay']).toBeUndefined();
  });
});

onBothDatabases(
  'an Idempotency-Key with requests that do not wait for long',
  (service) => {
    it('does not store a 503: the repeated request finds the operation and starts no second one', async () => {
      const client = api(service(), await service().key(await service().account()));
      const id = await registered(client, 'lost.com');
      await sandboxOf(service()).injectFault({ kind: 'lose_answer', target: 'lost.com', times: 1 });

      const first = await client.post(`/api/domains/${id}/renew`, { years: 1 }).set(KEY, 'key').expect(503);
      const again = await repeatedUntilAnswered(() =>
        client.post(`/api/domains/${id}/renew`, { years: 1 }).set(KEY, 'key'),
      );

      expect(again.status).toBe(200);
      expect(again.body.renewal).toEqual({ years: 1, price: 10.44, currency: 'USD' });
      expect(again.headers['operation-location']).toBe(first.headers['operation-location']);
      expect((await sandboxOf(service()).ledger()).map(({ kind }) => kind)).toEqual(['register', 'renew']);
    });
  },
  { OPERATION_WAIT_MS: '300' },
);

async function repeatedUntilAnswered(send: () => ReturnType<Api['post']>) {
  for (;;) {
    const answer = await send();
    if (answer.headers['retry-after'] === undefined) return answer;
  }
}
