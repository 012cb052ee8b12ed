import { onBothDatabases } from '../support/databases/databases';
import { api, REGISTRANT, registered, type Api } from '../support/service/service';

const NAMESERVERS = { nameservers: ['ns1.example.net', 'ns2.example.net'] };
const A = { type: 'A', name: 'www', content: '192.0.2.1' };
const MX = { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 };

const proposed = async (sent: Promise<{ readonly headers: Record<string, string>; readonly body: unknown }>) => {
  const { headers, body } = await sent;
  const { id, reason } = body as { id: string; reason: string };
  expect([headers['location'], reason]).toEqual([`/api/proposals/${id}`, expect.stringContaining('approval rules')]);
  return id;
};

const price = (amount: number, currency = 'USD') => ({ amount, currency });

onBothDatabases('approval rules', (service) => {
  /** Two keys that the operator made: two people, as far as the service knows. */
  let first: Api;
  let second: Api;
  let serial = 0;
  const domain = () => registered(first, `approved-${(serial += 1)}.com`);
  const accept = (id: string, by = second) => by.post(`/api/proposals/${id}/accept`);

  let plain: string;
  let tagged: string;

  beforeAll(async () => {
    const accountId = await service().account();
    first = api(service(), await service().key(accountId));
    second = api(service(), await service().key(accountId));
    [plain, tagged] = [await domain(), await domain()];
    await first.put(`/api/domains/${tagged}/tags`, { tags: ['production'] }).expect(200);
    const rules = [
      { changes: ['nameservers', 'dnssec', 'deletion', 'transfer_out'], tags: ['production'] },
      { changes: ['records'], types: ['MX'] },
      { changes: ['records'], names: ['**.prod', 'prod'] },
      { changes: ['purchases'], over: { amount: 20, currency: 'USD' } },
    ];
    const { body } = await first.put('/api/approval-rules', { rules }).expect(200);
    expect(body).toEqual({ rules });
    expect((await second.get('/api/approval-rules').expect(200)).body).toEqual({ rules });
  });

  it('make proposals of the writes that they name, which someone else accepts', async () => {
    const before = (await first.get(`/api/domains/${tagged}`)).body.nameservers;
    const id = await proposed(first.put(`/api/domains/${tagged}/nameservers`, NAMESERVERS).expect(202));
    expect((await first.get(`/api/domains/${tagged}`)).body.nameservers).toEqual(before);

    await accept(id, first).expect(403);
    const { body } = await accept(id).expect(200);

    expect(body).toMatchObject({ state: 'accepted', response: { status: 200 } });
    expect((await first.get(`/api/domains/${tagged}`)).body).toMatchObject(NAMESERVERS);
  });

  it('leave all other writes as they are', async () => {
    await first.put(`/api/domains/${plain}/nameservers`, NAMESERVERS).expect(200);
    await first.post(`/api/domains/${plain}/renew`, { years: 1 }).expect(200);
    await first.put(`/api/domains/${tagged}/transfer-lock`, { transfer_locked: true }).expect(200);
    await first.post(`/api/domains/${tagged}/dns/records`, A).expect(201);
    await first.put(`/api/domains/${tagged}/autorenew`, { auto_renew: false }).expect(200);
  });

  it.each([
    ['transfer lock', 'put', 'transfer-lock', { transfer_locked: false }],
    ['auth code', 'post', 'auth-code', {}],
    ['DNSSEC', 'put', 'dnssec', { enabled: false }],
    ['a tag of a rule', 'put', 'tags', { tags: ['other'] }],
    ['expensive renewal', 'post', 'renew', { years: 5 }],
    ['record of a type', 'post', 'dns/records', MX],
    ['record of a name', 'post', 'dns/records', { ...A, name: 'db.prod' }],
    ['batch', 'post', 'dns/records/batch', { create: [{ ...A, name: 'other' }, MX] }],
    ['zone file', 'put', 'dns/zonefile', 'www 300 A 192.0.2.1\n@ 300 MX 10 mail.example.net.\n'],
  ] as const)('are for the %s', async (_what, method, path, body) => {
    const target = `/api/domains/${tagged}/${path}`;
    const records = (await first.get(`/api/domains/${tagged}/dns/records`)).body;
    const before = (await first.get(`/api/domains/${tagged}`)).body;
    const send = first[method](target, body);

    await proposed((typeof body === 'string' ? send.set('Content-Type', 'text/dns') : send).expect(202));

    expect((await first.get(`/api/domains/${tagged}`)).body).toEqual(before);
    expect((await first.get(`/api/domains/${tagged}/dns/records`)).body).toEqual(records);
  });

  it('are for deletions, orders, states and bulk jobs as a whole', async () => {
    const order = { contacts: { registrant: REGISTRANT }, years: 5 };
    await proposed(first.delete(`/api/domains/${tagged}`).expect(202));
    await proposed(first.post('/api/domains', { name: 'approved-new.com', ...order }).expect(202));
    const state = { records: [A, MX] };
    const { name } = (await first.get(`/api/domains/${plain}`)).body;
    await first.put(`/api/domains/by-name/${name}/state?dry_run=true`, state).expect(200);
    const ofState = await proposed(first.put(`/api/domains/by-name/${name}/state`, state).expect(202));
    expect((await first.get(`/api/domains/${plain}/dns/records`)).body).toEqual([]);
    const job = { action: 'nameservers', ...NAMESERVERS, domains: [plain] };
    const ofJob = await proposed(first.post('/api/bulk', job).expect(202));
    await first.post('/api/bulk', { action: 'auto_renewal', auto_renew: true, domains: [plain] }).expect(202);

    await accept(ofState).expect(200);
    const { body } = await accept(ofJob).expect(200);

    expect((await first.get(`/api/domains/${plain}/dns/records`)).body).toHaveLength(2);
    const bulk = body.response.body.id as string;
    const finished = async () => (await first.get(`/api/bulk/${bulk}`).expect(200)).body;
    while ((await finished()).status !== 'finished') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await finished()).toMatchObject({ done: 1, failed: 0 });
  });

  it('are for the zone files of a bulk job only if they change records that a rule names', async () => {
    const { name } = (await first.get(`/api/domains/${plain}`)).body;
    const send = (line: string) => {
      const file = { name, text: `${line}\n` };
      return first.post('/api/bulk', { action: 'zone_files', mode: 'add', zone_files: [file] }).expect(202);
    };
    await proposed(send('@ 300 MX 30 mail.example.net.'));
    await proposed(send('db.prod 300 A 192.0.2.1'));

    const { body } = await send('db 300 A 192.0.2.1');

    expect(body).toMatchObject({ action: 'zone_files', total: 1 });
    const finished = async () => (await first.get(`/api/bulk/${body.id}`).expect(200)).body;
    while ((await finished()).status !== 'finished') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await finished()).toMatchObject({ done: 1, failed: 0 });
  });

  it('count a key as the person who made it', async () => {
    const { body } = await first.post('/api/keys', { name: 'child', scope: 'ADMIN' }).expect(201);
    const child = api(service(), body.key as string);
    const id = await proposed(child.post(`/api/domains/${tagged}/dns/records`, { ...MX, priority: 20 }).expect(202));

    await accept(id, first).expect(403);
    await accept(id).expect(200);
  });

  it('answer dry runs as always, and idempotent repetitions with the same proposal', async () => {
    const records = `/api/domains/${tagged}/dns/records`;
    await first.post(`${records}?dry_run=true`, MX).expect(200);
    const send = () => first.post(records, MX).set('Idempotency-Key', 'approval-once').expect(202);

    expect((await send()).body.id).toBe((await send()).body.id);
  });

  it('are replaced only at the version that If-Match names, and of first sets at once one is done', async () => {
    const account = await service().account();
    const one = api(service(), await service().key(account));
    const none = await one.get('/api/approval-rules').expect(200);
    const set = (changes: string, tag?: string) => {
      const sent = one.put('/api/approval-rules', { rules: [{ changes: [changes] }] });
      return tag === undefined ? sent : sent.set('If-Match', tag);
    };
    const first = none.headers['etag'] ?? '';

    const sent = await Promise.all([set('nameservers', first), set('dnssec', first), set('contacts', first)]);

    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
    expect(sent.find(({ status }) => status === 412)?.body.error.code).toBe('PRECONDITION_FAILED');
    const { headers, body } = await one.get('/api/approval-rules').expect(200);
    const done = sent.find(({ status }) => status === 200);
    expect([headers['etag'], body]).toEqual([done?.headers['etag'], done?.body]);
    await set('records', '"1", W/"2"').expect(412);
    await set('records', 'no tag').expect(400);
    await set('records', `"x", ${headers['etag']}`).expect(202);

    const without = await service().account();
    const two = api(service(), await service().key(without));
    const plain = (changes: string) => two.put('/api/approval-rules', { rules: [{ changes: [changes] }] });
    const unversioned = await Promise.all([plain('nameservers'), plain('dnssec'), plain('contacts')]);
    expect(unversioned.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 202, 202]);
    const kept = unversioned.find(({ status }) => status === 200);
    expect((await two.get('/api/approval-rules')).body).toEqual(kept?.body);
  });

  describe('for purchases over an amount', () => {
    let buyer: Api;
    let other: Api;
    let ids: readonly string[];

    const renewalOf = (...prices: readonly (ReturnType<typeof price> | undefined)[]) => ({
      action: 'renewal',
      domains: ids.slice(0, prices.length),
      max_price: Object.fromEntries(prices.flatMap((each, index) => (each ? [[ids[index], each]] : []))),
    });
    const order = (body: object) => buyer.post('/api/bulk', body).expect(202);
    /** The jobs without their progress, which goes on while a test runs. */
    const jobs = async () =>
      ((await buyer.get('/api/bulk').expect(200)).body as { readonly id: string; readonly total: number }[]).map(
        ({ id, total }) => ({ id, total }),
      );

    beforeAll(async () => {
      const accountId = await service().account();
      buyer = api(service(), await service().key(accountId));
      other = api(service(), await service().key(accountId));
      ids = await Promise.all([1, 2, 3].map(async (each) => registered(buyer, `total-${each}.com`)));
      const rules = [{ changes: ['purchases'], over: price(30) }];
      await buyer.put('/api/approval-rules', { rules }).expect(200);
    });

    it('judge the total of all renewals of a bulk job', async () => {
      await proposed(order(renewalOf(price(10), price(10), price(10.01))));
      await proposed(order(renewalOf(price(10), price(10), undefined)));
      await proposed(order(renewalOf(price(10), price(10, 'EUR'))));
      await proposed(order({ action: 'renewal', domains: ids.slice(0, 1) }));
      expect(await jobs()).toEqual([]);

      await order(renewalOf(price(10), price(10), price(10)));

      expect(await jobs()).toMatchObject([{ total: 3 }]);
    });

    it('judge the total of all transfers of a bulk job', async () => {
      const before = await jobs();
      const transfers = ['a', 'b', 'c'].map((each) => ({
        name: `total-${each}-elsewhere.com`,
        auth_code: 'unknown',
        max_price: price(10.01),
      }));
      const job = { action: 'transfer', contacts: { registrant: REGISTRANT } };

      await proposed(order({ ...job, transfers }));
      expect(await jobs()).toEqual(before);

      await order({ ...job, transfers: transfers.slice(1) });
      expect(await jobs()).toHaveLength(before.length + 1);
    });

    it('judge the total of all registrations of a bulk job', async () => {
      const before = await jobs();
      const registrations = ['a', 'b', 'c'].map((each) => ({ name: `total-${each}-new.com`, max_price: price(10.01) }));
      const job = { action: 'registration', contacts: { registrant: REGISTRANT } };

      await proposed(order({ ...job, registrations }));
      expect(await jobs()).toEqual(before);

      await order({ ...job, registrations: registrations.slice(1) });
      expect(await jobs()).toHaveLength(before.length + 1);
    });

    it('judge the total of what a retry repeats', async () => {
      const { body: job } = await order(renewalOf(price(0.01), price(0.01), price(0.01)));
      const isFinished = async () => (await buyer.get(`/api/bulk/${job.id}`).expect(200)).body.finished_at !== null;
      while (!(await isFinished())) await new Promise((resolve) => setTimeout(resolve, 20));
      const rules = [{ changes: ['purchases'], over: price(0.02) }];
      await other
        .post(`/api/proposals/${await proposed(buyer.put('/api/approval-rules', { rules }).expect(202))}/accept`)
        .expect(200);

      await proposed(buyer.post(`/api/bulk/${job.id}/retry`).expect(202));
    });
  });

  it('are themselves under the rules, and invalid ones are refused', async () => {
    for (const rule of [
      { changes: [] },
      { changes: ['everything'] },
      { changes: ['nameservers'], types: ['A'] },
      { changes: ['records'], types: ['NOTYPE'] },
      { changes: ['records'], over: { amount: 1, currency: 'USD' } },
    ])
      await first.put('/api/approval-rules', { rules: [rule] }).expect(400);

    const id = await proposed(first.put('/api/approval-rules', { rules: [] }).expect(202));
    await accept(id, first).expect(403);
    await accept(id).expect(200);

    await first.put(`/api/domains/${tagged}/nameservers`, NAMESERVERS).expect(200);
  });
});
