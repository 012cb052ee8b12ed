import { CreateAccount } from '../../../src/application/access/create-account';
import { OPERATOR } from '../../../src/domain/access/actor';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, REGISTRANT, type Api } from '../../support/service/service';

onBothDatabases('Transfers from other registrars', (service) => {
  let client: Api;

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });

  const elsewhere = async (name: string): Promise<string> =>
    (await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200)).body.auth_code;
  const decide = (name: string, decision: string) =>
    client.post('/api/sandbox/other-registrar/decisions', { name, decision }).expect(200);
  const order = async (name: string, authCode?: string) => ({
    name,
    auth_code: authCode ?? (await elsewhere(name)),
    years: 1,
    registrant: REGISTRANT,
  });
  const inState = async (id: string, state: string, caller = client): Promise<Record<string, unknown>> => {
    for (;;) {
      const { body } = await caller.get(`/api/transfers/${id}`).expect(200);
      if (body.state === state) return body;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };

  it('end as an active domain of the account, which the registry has charged', async () => {
    const { body: created } = await client.post('/api/transfers', await order('coming.com')).expect(201);
    expect(created).toMatchObject({ name: 'coming.com', state: 'queued', years: 1, price: 10.44, domain_id: null });

    await inState(created.id, 'pending');
    await decide('coming.com', 'approve');
    await client.post('/api/sandbox/advance', { days: 1 }).expect(200);
    const done = await inState(created.id, 'completed');

    expect(done).toMatchObject({ years: 1, charged: { amount: 10.44, currency: 'USD' }, error: null });
    const { body: domain } = await client.get(`/api/domains/${String(done['domain_id'])}`).expect(200);
    expect(domain).toMatchObject({ name: 'coming.com', status: 'active', auto_renew: true });
    await client.get(`/api/domains/${String(done['domain_id'])}/dns/records`).expect(200);
  });

  it('complete without a decision at the end of the transfer period', async () => {
    const { body: created } = await client.post('/api/transfers', await order('silent.com')).expect(201);
    await inState(created.id, 'pending');

    await client.post('/api/sandbox/advance', { days: 6 }).expect(200);

    await inState(created.id, 'completed');
  });

  it('are priced by a dry run, which stores nothing', async () => {
    const { body } = await client.post('/api/transfers?dry_run=true', await order('priced.com')).expect(200);

    expect(body).toEqual({ dry_run: true, name: 'priced.com', years: 1, price: 10.44, currency: 'USD' });
    expect((await client.get('/api/transfers').expect(200)).body).not.toContainEqual(
      expect.objectContaining({ name: 'priced.com' }),
    );
  });

  it('are priced by a quote on request, for registered names as well, without counting in the total', async () => {
    await elsewhere('quoted.com');

    const domains = [
      { name: 'quoted.com', years: 3, transfer: true },
      { name: 'unregistered.com', transfer: true },
      { name: 'quoted.unknowntld', transfer: true },
      { name: 'quoted.com', transfer: false },
    ];
    const { body } = await client.post('/api/domains/quote', { domains }).expect(200);

    expect(body).toMatchObject({
      quotes: [
        { name: 'quoted.com', years: 3, available: false, price: { transfer: 10.44, currency: 'USD' } },
        {
          name: 'unregistered.com',
          years: 1,
          available: true,
          price: { registration: 10.44, total: 10.44, transfer: 10.44, currency: 'USD' },
        },
        { name: 'quoted.unknowntld', years: 1, available: false, price: null },
        { name: 'quoted.com', years: 1, available: false, price: null },
      ],
      total: { amount: 10.44, currency: 'USD' },
    });
  });

  it('are rejected with the reason if the auth code is wrong', async () => {
    await elsewhere('locked-out.com');
    const { body: created } = await client.post('/api/transfers', await order('locked-out.com', 'wrong')).expect(201);

    expect(await inState(created.id, 'rejected')).toMatchObject({
      error: { code: 'REGISTRY_REJECTED', message: expect.stringMatching(/auth/i) },
    });
  });

  it('are cancelled at the registry', async () => {
    const { body: created } = await client.post('/api/transfers', await order('cancelled.com')).expect(201);
    await inState(created.id, 'pending');

    const { body } = await client.post(`/api/transfers/${created.id}/cancel`).expect(200);
    expect(body.cancel_requested_at).not.toBeNull();
    await inState(created.id, 'cancelled');

    await client.post(`/api/transfers/${created.id}/cancel`).expect(200);
  });

  it('are stored once for an Idempotency-Key, with the same response', async () => {
    const body = await order('once.com');
    const send = () => client.post('/api/transfers', body).set('Idempotency-Key', 'transfer-once');

    const [first, second] = [await send().expect(201), await send().expect(201)];

    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replay']).toBe('true');
    const { body: listed } = await client.get('/api/transfers').expect(200);
    expect(listed.filter(({ name }: { name: string }) => name === 'once.com')).toHaveLength(1);
  });

  it('are listed newest first, in pages', async () => {
    for (const name of ['first-listed.com', 'second-listed.com'])
      await client.post('/api/transfers', await order(name)).expect(201);

    const { body, headers } = await client.get('/api/transfers?limit=1').expect(200);
    const next = /<([^>]+)>/.exec(headers['link'] ?? '')?.[1] ?? '';
    const { body: rest } = await client.get(next).expect(200);

    expect([body[0].name, rest[0].name]).toEqual(['second-listed.com', 'first-listed.com']);
  });

  it('are refused for names that are here, on their way, unregistered or under an unserved TLD', async () => {
    await registered(client, 'here.com');
    await client.post('/api/transfers', await order('on-its-way.com')).expect(201);
    const refusal = async (name: string) => (await client.post('/api/transfers', await order(name, 'code'))).body.error;

    expect(await refusal('here.com')).toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });
    expect(await refusal('on-its-way.com')).toMatchObject({ code: 'OPERATION_IN_PROGRESS' });
    expect(await refusal('nothing-here.com')).toMatchObject({ code: 'REGISTRY_REJECTED' });
    expect(await refusal('name.unserved')).toMatchObject({ code: 'VALIDATION_ERROR' });
    await client.post('/api/transfers', { name: 'x.com' }).expect(400);
  });

  it('belong to their account, and need the WRITE scope to be requested', async () => {
    const { body: created } = await client.post('/api/transfers', await order('private.com')).expect(201);
    const { id } = await service().container.get(CreateAccount).execute({ actor: OPERATOR, name: 'Another' });
    const stranger = api(service(), await service().key(id));

    await stranger.get(`/api/transfers/${created.id}`).expect(404);
    await stranger.post(`/api/transfers/${created.id}/cancel`).expect(404);
    expect((await stranger.get('/api/transfers').expect(200)).body).toEqual([]);
    const reader = api(service(), await service().key(id, 'READ'));
    await reader.get('/api/transfers').expect(200);
    await reader.post('/api/transfers', { name: 'x.com' }).expect(403);
  });
});
