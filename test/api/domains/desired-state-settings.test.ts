import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

const OTHERS = ['ns1.example.net', 'ns2.example.net'];

interface Plan {
  readonly operations: readonly { readonly kind: string; readonly id: string }[];
}

const stateOf = (of: string) => `/api/domains/by-name/${of}/state`;

onBothDatabases('the settings of a desired state', (service) => {
  let client: Api;
  let accountId: string;
  let serial = 0;
  let name: string;

  beforeAll(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
  });

  beforeEach(async () => {
    name = `settings-${(serial += 1)}.com`;
    await registered(client, name);
  });

  const domain = async (of = name) => (await client.get(`/api/domains/by-name/${of}`).expect(200)).body;
  const finished = async ({ operations }: Plan) => {
    for (const { id } of operations)
      while ((await client.get(`/api/operations/${id}`).expect(200)).body.finished_at === null)
        await new Promise((later) => setTimeout(later, 20));
  };

  it('are changed with the records in one request, and the second apply is empty', async () => {
    const state = {
      records: [{ name: 'www', type: 'A', content: '192.0.2.1' }],
      nameservers: OTHERS,
      transfer_locked: false,
      auto_renew: false,
      tags: ['Shop'],
    };

    const plan = await client.put(`${stateOf(name)}?dry_run=true`, state).expect(200);
    const applied = await client
      .put(stateOf(name), state)
      .set('If-Match', plan.headers['etag'] ?? '')
      .expect(200);
    const second = await client.put(stateOf(name), state).expect(200);
    await finished(applied.body);
    const third = await client.put(`${stateOf(name)}?dry_run=true`, state).expect(200);

    expect(plan.body).toMatchObject({
      settings: [
        { setting: 'nameservers', after: OTHERS },
        { setting: 'transfer_locked', before: true, after: false },
        { setting: 'auto_renew', before: true, after: false },
        { setting: 'tags', before: [], after: ['shop'] },
      ],
      operations: [
        { kind: 'set_nameservers', id: null, price: null },
        { kind: 'set_transfer_lock', id: null, price: null },
      ],
    });
    expect(applied.body.settings).toEqual(plan.body.settings);
    expect([second.body.empty, third.body.empty]).toEqual([true, true]);
    expect(await domain()).toMatchObject({
      nameservers: OTHERS,
      transfer_locked: false,
      auto_renew: false,
      tags: ['shop'],
    });
  });

  it('are refused if they have changed since the plan', async () => {
    const state = { transfer_locked: false };
    const plan = await client.put(`${stateOf(name)}?dry_run=true`, state).expect(200);
    await client.put(`/api/domains/${(await domain()).id}/transfer-lock`, { transfer_locked: false }).expect(200);

    const { body } = await client
      .put(stateOf(name), state)
      .set('If-Match', plan.headers['etag'] ?? '')
      .expect(412);

    expect(body.error.details).toContain('transfer_locked is now false');
  });

  it('switch DNSSEC on', async () => {
    const { body } = await client.put(stateOf(name), { dnssec: { enabled: true } }).expect(200);

    expect(body.settings).toEqual([
      { setting: 'dnssec', before: { enabled: false, denial: null }, after: { enabled: true, denial: 'nsec' } },
    ]);
    const { id } = await domain();
    expect((await client.get(`/api/domains/${id}/dnssec`).expect(200)).body).toMatchObject({ enabled: true });
    expect((await client.put(stateOf(name), { dnssec: { enabled: true } }).expect(200)).body.empty).toBe(true);
  });

  it('register a name once for an Idempotency-Key, with records and DNSSEC, and never above the price', async () => {
    const bought = `bought-${serial}.com`;
    const state = {
      register: true,
      max_price: { amount: 100, currency: 'USD' },
      registrant: { contact: name },
      records: [{ name: 'www', type: 'A', content: '192.0.2.1' }],
      dnssec: { enabled: true },
    };
    const send = () => client.put(stateOf(bought), state).set('Idempotency-Key', bought).expect(200);

    await client.put(stateOf(bought), { ...state, max_price: { amount: 0.01, currency: 'USD' } }).expect(400);
    await client.put(stateOf(bought), { records: [] }).expect(404);
    const plan = await client.put(`${stateOf(bought)}?dry_run=true`, state).expect(200);
    const [first, again] = [await send(), await send()];
    await finished(first.body);
    const third = await client.put(stateOf(bought), state).expect(200);

    expect(plan.body).toMatchObject({ zone_id: null, versions: { zone: 0, settings: null }, empty: false });
    expect(plan.body.operations).toEqual([{ kind: 'register', id: null, price: plan.body.cost }]);
    expect(again.body).toEqual(first.body);
    expect(third.body.empty).toBe(true);
    expect(await domain(bought)).toMatchObject({ status: 'active' });
    const { body: operations } = await client.get(`/api/domains/${(await domain(bought)).id}/operations`).expect(200);
    expect(operations.filter(({ kind }: { kind: string }) => kind === 'register')).toHaveLength(1);
  });

  it('need their own action of a key', async () => {
    const admin = api(service(), await service().key(accountId, 'ADMIN'));
    const key = { name: 'records', scope: 'WRITE', limits: { actions: ['read', 'write'] } };
    const limited = api(service(), (await admin.post('/api/keys', key).expect(201)).body.key);

    await limited.put(stateOf(name), { records: [] }).expect(200);
    const { body } = await limited.put(stateOf(name), { records: [], tags: ['x'] }).expect(403);

    expect(body.error.code).toBe('INSUFFICIENT_SCOPE');
  });
});
