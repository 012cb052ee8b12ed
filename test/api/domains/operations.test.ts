import { onBothDatabases } from '../../support/databases/databases';
import { sandboxOf } from '../../support/registries/sandbox';
import { api, REGISTRANT, registered, type Api } from '../../support/service/service';

const HOSTS = { nameservers: ['ns1.example.com', 'ns2.example.com'] };

const shown = (body: readonly { readonly domain_id: string; readonly kind: string }[]) =>
  body.map(({ domain_id: id, kind }) => [id, kind]);

onBothDatabases('operations', (service) => {
  let client: Api;
  let serial = 0;
  const freshName = () => `operated-${(serial += 1)}.com`;
  const renewalsOf = async (name: string) =>
    (await sandboxOf(service()).ledger()).filter((entry) => entry.kind === 'renew' && entry.name.value === name);

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });
  afterEach(() => sandboxOf(service()).clearFaults());

  it('are named by the response that started them and can be read', async () => {
    const answer = await client
      .post('/api/domains', { name: freshName(), contacts: { registrant: REGISTRANT } })
      .expect(201);
    const location = answer.headers['operation-location'] ?? '';

    expect(location).toMatch(/^\/api\/operations\/op_[0-9a-z]+$/);
    expect(await ended(client, location)).toEqual({
      id: location.split('/').at(-1),
      domain_id: answer.body.id,
      kind: 'register',
      request: { years: 1, price: 10.44, currency: 'USD' },
      state: 'succeeded',
      attempts: 1,
      transaction_id: expect.stringMatching(/^op-[0-9a-z]+-1$/),
      next_attempt_at: null,
      uncertain_since: null,
      charged: { amount: 10.44, currency: 'USD' },
      error: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      finished_at: expect.stringMatching(/Z$/),
    });
  });

  it('are listed newest first for the account, in pages, and to a limited key those of its domains', async () => {
    const account = api(service(), await service().key(await service().account()));
    const [one, other] = [freshName(), freshName()];
    const [first, second] = [await registered(account, one), await registered(account, other)];
    await account.put(`/api/domains/${first}/tags`, { tags: ['shop'] }).expect(200);
    await account.put(`/api/domains/${first}/transfer-lock`, { transfer_locked: false }).expect(200);
    const limited = async (limits: object) => {
      const { body } = await account.post('/api/keys', { name: 'limited', scope: 'READ', limits }).expect(201);
      return shown(
        (
          await api(service(), (body as { key: string }).key)
            .get('/api/operations')
            .expect(200)
        ).body,
      );
    };

    const page = await account.get('/api/operations?limit=2').expect(200);
    const next = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1] ?? '';
    const last = await account.get(next).expect(200);

    expect(shown((await account.get('/api/operations').expect(200)).body)).toEqual([
      [first, 'set_transfer_lock'],
      [second, 'register'],
      [first, 'register'],
    ]);
    expect([shown(page.body).length, shown(last.body)]).toEqual([2, [[first, 'register']]]);
    expect(await limited({ domains: [other] })).toEqual([[second, 'register']]);
    expect(await limited({ tags: ['shop'] })).toEqual([
      [first, 'set_transfer_lock'],
      [first, 'register'],
    ]);
  });

  it('are listed newest first for a domain, all or in pages', async () => {
    const id = await registered(client, freshName());
    await client.put(`/api/domains/${id}/nameservers`, HOSTS).expect(200);
    await client.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    await client.put(`/api/domains/${id}/contacts`, { registrant: REGISTRANT }).expect(200);

    const all = await client.get(`/api/domains/${id}/operations`).expect(200);
    const first = await client.get(`/api/domains/${id}/operations?limit=3`).expect(200);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? '';
    const second = await client.get(next).expect(200);

    expect(all.body.map(({ kind }: { kind: string }) => kind)).toEqual([
      'set_registrant',
      'set_transfer_lock',
      'set_nameservers',
      'register',
    ]);
    expect([...first.body, ...second.body]).toEqual(all.body);
    expect(second.headers['link']).toBeUndefined();
  });

  it('show no auth code and no more of the registrant than other responses', async () => {
    const id = await registered(client, freshName());
    const { body: issued } = await client.post(`/api/domains/${id}/auth-code`).expect(200);
    await client.put(`/api/domains/${id}/contacts`, { registrant: REGISTRANT }).expect(200);

    const { text } = await client.get(`/api/domains/${id}/operations`).expect(200);

    expect(text).toContain('issue_auth_code');
    expect(text).not.toContain(issued.auth_code);
    expect(text).not.toContain(REGISTRANT.phone);
  });

  it('are not found if they are another account’s', async () => {
    const { headers } = await client
      .post('/api/domains', { name: freshName(), contacts: { registrant: REGISTRANT } })
      .expect(201);
    const id = await registered(client, freshName());
    const stranger = api(service(), await service().key(await service().account()));
    const notFound = { error: { code: 'OPERATION_NOT_FOUND', message: 'Specified operation not found' } };

    expect((await stranger.get(headers['operation-location'] ?? '').expect(404)).body).toEqual(notFound);
    expect((await client.get('/api/operations/op_unknown').expect(404)).body).toEqual(notFound);
    expect((await stranger.get(`/api/domains/${id}/operations`).expect(404)).body.error.code).toBe('DOMAIN_NOT_FOUND');
  });

  it('may be read with a READ key', async () => {
    const account = await service().account();
    const writer = api(service(), await service().key(account));
    const reader = api(service(), await service().key(account, 'READ'));
    const id = await registered(writer, freshName());

    const { body } = await reader.get(`/api/domains/${id}/operations`).expect(200);

    await reader.get(`/api/operations/${body[0].id}`).expect(200);
  });

  it('run one after another if they come from separate requests: five renewals are five renewals', async () => {
    const name = freshName();
    const id = await registered(client, name);

    const answers = await Promise.all(Array.from({ length: 5 }, () => client.post(`/api/domains/${id}/renew`)));

    for (const { headers } of answers)
      expect(await ended(client, headers['operation-location'] ?? '')).toMatchObject({ state: 'succeeded' });
    expect(await renewalsOf(name)).toHaveLength(5);
  });

  it('fail and leave the domain unchanged if the registry rejects them', async () => {
    const name = freshName();
    const id = await registered(client, name);
    const before = (await client.get(`/api/domains/${id}`).expect(200)).body;
    await sandboxOf(service()).injectFault({ kind: 'refuse', target: name, times: 1 });

    const { body, headers } = await client.put(`/api/domains/${id}/nameservers`, HOSTS).expect(422);
    const operation = await ended(client, headers['operation-location'] ?? '');

    expect(operation).toMatchObject({
      state: 'failed',
      error: { code: 'REGISTRY_REJECTED', message: body.error.details },
    });
    expect((await client.get(`/api/domains/${id}`).expect(200)).body).toEqual(before);
  });

  it('stay readable after the domain is gone', async () => {
    const name = freshName();
    await sandboxOf(service()).injectFault({ kind: 'refuse', target: name, times: 1 });

    const { body, headers } = await client
      .post('/api/domains', { name, contacts: { registrant: REGISTRANT } })
      .expect(201);

    expect(await ended(client, headers['operation-location'] ?? '')).toMatchObject({
      kind: 'register',
      state: 'failed',
      error: { code: 'REGISTRY_REJECTED' },
    });
    await client.get(`/api/domains/${body.id}`).expect(404);
  });
});

onBothDatabases(
  'operations that requests do not wait for long',
  (service) => {
    let client: Api;
    let serial = 0;
    const freshName = () => `impatient-${(serial += 1)}.com`;

    beforeAll(async () => {
      client = api(service(), await service().key(await service().account()));
    });
    afterEach(() => sandboxOf(service()).clearFaults());

    it('continue if the registry does not respond in time, and the response names them', async () => {
      const name = freshName();
      const id = await registered(client, name);
      await sandboxOf(service()).injectFault({ kind: 'outage', target: name });

      const answer = await client.post(`/api/domains/${id}/auth-code`).expect(503);
      const location = answer.headers['operation-location'] ?? '';
      await sandboxOf(service()).clearFaults();

      expect(answer.body).toEqual({
        error: {
          code: 'REGISTRY_UNAVAILABLE',
          message: 'The registry is not available at the moment',
          details: `${location.split('/').at(-1)} is not finished yet and continues in the background`,
        },
      });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(await ended(client, location)).toMatchObject({ kind: 'issue_auth_code', state: 'succeeded' });
    });

    it('have no part in a reading of DS records, which is REGISTRY_UNAVAILABLE while the registry does not respond', async () => {
      const name = freshName();
      const id = await registered(client, name);
      await sandboxOf(service()).injectFault({ kind: 'outage', target: name });

      const { body, headers } = await client.get(`/api/domains/${id}/dnssec/ds`).expect(503);

      expect(body.error.code).toBe('REGISTRY_UNAVAILABLE');
      expect(headers).not.toHaveProperty('operation-location');
    });

    it('block others of their kind and queue other kinds while their outcome is unknown', async () => {
      const name = freshName();
      const id = await registered(client, name);
      await sandboxOf(service()).injectFault({ kind: 'outage', target: name });
      const { headers } = await client.post(`/api/domains/${id}/auth-code`).expect(503);
      const location = headers['operation-location'] ?? '';
      await inDoubt(client, location);

      const refused = await client.post(`/api/domains/${id}/auth-code`).expect(409);
      const waiting = client
        .put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false })
        .then(({ headers: own }) => ended(client, own['operation-location'] ?? ''));
      await sandboxOf(service()).clearFaults();

      expect(refused.body).toEqual({
        error: {
          code: 'OPERATION_IN_PROGRESS',
          message: 'An operation of this kind is in progress',
          details: `The outcome of ${location.split('/').at(-1)} (issue_auth_code) is not known yet. Follow it at ${location}`,
        },
      });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(await ended(client, location)).toMatchObject({ state: 'succeeded' });
      expect(await waiting).toMatchObject({ kind: 'set_transfer_lock', state: 'succeeded' });
    });

    it('are looked up before they are repeated if their response was lost', async () => {
      const name = freshName();
      const id = await registered(client, name);
      await sandboxOf(service()).injectFault({ kind: 'lose_answer', target: name, times: 1 });

      const { headers } = await client.post(`/api/domains/${id}/renew`).expect(503);
      const operation = await ended(client, headers['operation-location'] ?? '');

      expect(operation).toMatchObject({ kind: 'renew', state: 'succeeded', attempts: 2 });
      expect(
        (await sandboxOf(service()).ledger()).filter((entry) => entry.kind === 'renew' && entry.name.value === name),
      ).toHaveLength(1);
    });
  },
  { OPERATION_WAIT_MS: '300' },
);

/** The operation, once it has ended. */
async function ended(client: Api, location: string) {
  for (;;) {
    const { body } = await client.get(location).expect(200);
    if (body.finished_at !== null) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function inDoubt(client: Api, location: string): Promise<void> {
  for (;;) {
    const { body } = await client.get(location).expect(200);
    if (body.uncertain_since !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
