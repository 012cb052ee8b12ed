import { setTimeout as sleep } from 'node:timers/promises';
import { onBothDatabases } from '../../../support/databases/databases';
import { api, registered, REGISTRANT, type Api } from '../../../support/service/service';

const HOSTS = ['ns1.new.example', 'ns2.new.example'];

interface Report {
  readonly id: string;
  readonly failures: readonly { readonly name: string; readonly error: { readonly code: string } }[];
  readonly [field: string]: unknown;
}

const price = (amount: number) => ({ amount, currency: 'USD' });
const manyIds = (count: number) => Array.from({ length: count }, (_none, index) => `dom_${index}`);

onBothDatabases('bulk jobs', (service) => {
  let client: Api;
  let accountId: string;
  let ids: string[];

  async function finished(id: string, by = client): Promise<Report> {
    for (;;) {
      const { body } = await by.get(`/api/bulk/${id}`).expect(200);
      if (body.finished_at !== null) return body as Report;
      await sleep(50);
    }
  }

  async function run(body: object, by = client): Promise<Report> {
    const { body: job } = await by.post('/api/bulk', body).expect(202);
    return finished(job.id as string, by);
  }

  const domain = async (id: string | undefined) =>
    (await client.get(`/api/domains/${id}`).expect(200)).body as Record<string, unknown>;

  beforeAll(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
    ids = [];
    for (const name of ['one.com', 'two.com', 'three.net']) ids.push(await registered(client, name));
  });

  it('change the nameservers of every domain in the background, and set each back as it was', async () => {
    const before = await domain(ids[0]);
    const started = await client
      .post('/api/bulk', { action: 'nameservers', domains: ids, nameservers: HOSTS })
      .expect(202);
    expect(started.body).toMatchObject({ action: 'nameservers', status: 'running', total: 3, waiting: 3, done: 0 });

    const report = await finished(started.body.id);

    expect(report).toMatchObject({ status: 'finished', done: 3, failed: 0, waiting: 0, failures: [], undoable: true });
    for (const id of ids) expect(await domain(id)).toMatchObject({ nameservers: HOSTS });
    const { body: undoing } = await client.post(`/api/bulk/${report.id}/undo`).expect(202);
    expect(await finished(undoing.id)).toMatchObject({ undoes: report.id, done: 3 });
    expect(await domain(ids[0])).toMatchObject({ nameservers: before['nameservers'] });
    const { body: events } = await client.get('/api/events?types=bulk.started,bulk.finished').expect(200);
    expect(events.map(({ type, data }: { type: string; data: object }) => ({ type, ...data }))).toEqual(
      [started.body.id, undoing.id].flatMap((bulkId: string) => {
        const job = { bulk_id: bulkId, kind: 'nameservers', domains: 3 };
        return [
          { type: 'bulk.started', ...job },
          { type: 'bulk.finished', ...job, done: 3, failed: 0 },
        ];
      }),
    );
  });

  it('renew the domains that still have the expiry that was named, and fail the others', async () => {
    const [first = '', second = ''] = ids;
    const { expires_at: expiry } = await domain(first);
    const body = {
      action: 'renewal',
      domains: [first, second],
      current_expiry: { [first]: expiry, [second]: '2020-01-31' },
    };

    const [renewal, repeated] = [await run(body), await run(body)];

    expect(renewal).toMatchObject({ done: 1, failed: 1, failures: [{ error: { code: 'REGISTRY_REJECTED' } }] });
    expect(repeated).toMatchObject({ done: 0, failed: 2 });
  });

  it.each([
    ['domains', { current_expiry: { dom_other: '2027-01-31' } }],
    ['current_expiry', { current_expiry: { dom_0: 'soon' } }],
    ['current_expiry', { current_expiry: 'soon' }],
  ])('are refused if the current expiries are wrong: %s %j', async (named, expiries) => {
    const { body } = await client.post('/api/bulk', { action: 'renewal', domains: ['dom_0'], ...expiries }).expect(400);

    expect(body.error.details).toContain(named);
  });

  it('register names as single orders do, each at most at its price, and report those that fail', async () => {
    const body = {
      action: 'registration',
      contacts: { registrant: REGISTRANT },
      auto_renew: false,
      nameservers: HOSTS,
      max_price_each: price(20),
      registrations: [
        { name: 'Ordered-One.com', years: 2, max_price: price(50) },
        { name: 'one.com' },
        { name: 'ordered-two.com' },
        { name: 'too-dear.com', max_price: price(1) },
      ],
    };

    const buyer = api(service(), await service().key(await service().account()));
    const report = await run(body, buyer);

    expect(report).toMatchObject({ action: 'registration', total: 4, done: 2, failed: 2, undoable: false });
    expect(report.failures.map(({ name, error }) => `${name} ${error.code}`)).toEqual([
      'one.com DOMAIN_UNAVAILABLE',
      'too-dear.com REGISTRY_REJECTED',
    ]);
    for (const name of ['ordered-one.com', 'ordered-two.com'])
      expect((await buyer.get(`/api/domains/by-name/${name}`).expect(200)).body).toMatchObject({
        status: 'active',
        auto_renew: false,
        nameservers: HOSTS,
      });
    await buyer.post(`/api/bulk/${report.id}/retry`).expect(400);
    await buyer.post(`/api/bulk/${report.id}/undo`).expect(400);
    const invalid = [{ name: 'no name' }, { name: 'a.com', years: 11 }];
    const { body: refusal } = await client.post('/api/bulk', { ...body, registrations: invalid }).expect(400);
    expect(refusal.error.details).toMatch(/registrations\[0\]\.name .*registrations\[1\]\.years /s);
    const repeated = [{ name: 'b.com' }, { name: 'B.com' }];
    await client.post('/api/bulk', { ...body, registrations: repeated }).expect(400);
    await client.post('/api/bulk', { ...body, nameservers: ['one.example'] }).expect(400);
    await client.post('/api/bulk', { ...body, domains: ids }).expect(400);
    await client.post('/api/bulk', { ...body, registrations: [] }).expect(400);
  });

  it('set auto-renewal, locks, registrants and tags as single requests do, and undo all but registrants', async () => {
    const registrant = { ...REGISTRANT, first_name: 'Grace' };
    for (const [action, undoable] of [
      [{ action: 'auto_renewal', auto_renew: false }, true],
      [{ action: 'transfer_lock', transfer_locked: false }, true],
      [{ action: 'registrant', contacts: { registrant } }, false],
      [{ action: 'tags', add_tags: ['Shop', 'Client 7'] }, true],
    ] as const)
      expect(await run({ ...action, domains: ids })).toMatchObject({ done: 3, failed: 0, undoable });

    expect(await domain(ids[1])).toMatchObject({
      auto_renew: false,
      transfer_locked: false,
      contacts: { registrant: { first_name: 'Grace' } },
      tags: ['client-7', 'shop'],
    });
    expect(await run({ action: 'tags', remove_tags: ['shop'], domains: ids })).toMatchObject({ done: 3 });
    expect((await client.get('/api/domains').expect(200)).body).toEqual([
      expect.objectContaining({ name: 'one.com', tags: ['client-7'] }),
      expect.objectContaining({ name: 'two.com', tags: ['client-7'] }),
      expect.objectContaining({ name: 'three.net', tags: ['client-7'] }),
    ]);
  });

  it('list each domain that is refused with the error of a single request, and retry those alone', async () => {
    const other = await registered(api(service(), await service().key(await service().account())), 'theirs.com');

    const report = await run({ action: 'renewal', years: 10, domains: [...ids, other] });

    expect(report).toMatchObject({ total: 4, done: 0, failed: 4 });
    expect(Object.fromEntries(report.failures.map(({ name, error: { code } }) => [name, code]))).toEqual({
      '': 'DOMAIN_NOT_FOUND',
      'one.com': 'VALIDATION_ERROR',
      'three.net': 'VALIDATION_ERROR',
      'two.com': 'VALIDATION_ERROR',
    });
    const { body } = await client.post(`/api/bulk/${report.id}/retry`).expect(202);
    expect(body).toMatchObject({ id: report.id, status: 'running', failed: 0, waiting: 4 });
    expect(await finished(report.id)).toMatchObject({ failed: 4 });
  });

  it('judge what a key may spend and see for each domain, also when they are retried, and start once for a repeated Idempotency-Key', async () => {
    const limits = { domains: ['one.com', 'two.com'], spend: { per_day: 20 } };
    const { body: issued } = await client.post('/api/keys', { name: 'limited', scope: 'WRITE', limits }).expect(201);
    const limited = api(service(), issued.key as string);
    const start = () =>
      limited.post('/api/bulk', { action: 'renewal', domains: ids }).set('Idempotency-Key', 'bulk-once').expect(202);
    const [{ body: first }, { body: second }] = [await start(), await start()];

    const report = await finished(first.id, limited);

    expect(second.id).toBe(first.id);
    expect(report).toMatchObject({ total: 3, done: 1, failed: 2 });
    expect(
      report.failures.map(({ error: { code } }) => code).toSorted((one, other) => one.localeCompare(other)),
    ).toEqual(['DOMAIN_NOT_FOUND', 'INSUFFICIENT_SCOPE']);
    await limited.post(`/api/bulk/${first.id}/retry`).expect(202);
    expect(await finished(first.id, limited)).toMatchObject({
      done: 1,
      failures: report.failures.map(({ error }) => ({ error })),
    });
    expect((await limited.get('/api/bulk').expect(200)).body).toHaveLength(1);
    const stranger = api(service(), await service().key(await service().account()));
    await stranger.get(`/api/bulk/${first.id}`).expect(404);
  });

  it('show what another began, and repeat it, only to a key that may read and do the same', async () => {
    const failed = await run({ action: 'auto_renewal', auto_renew: true, domains: ['dom_none'] });
    const done = await run({ action: 'tags', add_tags: ['new'], domains: ids });
    const paths = [`/api/bulk/${done.id}/undo`, `/api/bulk/${failed.id}/retry`];

    for (const actions of [
      ['write', 'settings'],
      ['read', 'write'],
    ]) {
      const key = { name: 'limited', scope: 'WRITE', limits: { actions } };
      const limited = api(service(), (await client.post('/api/keys', key).expect(201)).body.key as string);
      for (const path of paths)
        expect((await limited.post(path).expect(403)).body).toMatchObject({ error: { code: 'INSUFFICIENT_SCOPE' } });
    }
    for (const path of paths) await client.post(path).expect(202);
  });

  it('roll back the zones that a template changed, but not one that has changed since', async () => {
    const contents = async (id: string | undefined) =>
      (await client.get(`/api/domains/${id}/dns/records`).expect(200)).body.map(
        ({ name, content }: Record<string, string>) => `${name} ${content}`,
      );
    const zones = [await registered(client, 'template-a.com'), await registered(client, 'template-b.com')];
    for (const id of zones)
      await client
        .post(`/api/domains/${id}/dns/records`, { type: 'MX', name: '@', content: 'mx.example.net', priority: 10 })
        .expect(201);
    const before = await contents(zones[0]);
    const applied = await run({ action: 'template', template: 'no-mail', domains: zones });
    await client
      .post(`/api/domains/${zones[1]}/dns/records`, { type: 'A', name: '@', content: '192.0.2.1' })
      .expect(201);

    const { body: undoing } = await client.post(`/api/bulk/${applied.id}/undo`).expect(202);

    const report = await finished(undoing.id as string);
    expect(report).toMatchObject({ undoes: applied.id, done: 1, failed: 1 });
    expect(report.failures).toMatchObject([{ name: 'template-b.com', error: { code: 'PRECONDITION_FAILED' } }]);
    expect(await contents(zones[0])).toEqual(before);
    expect(await contents(zones[1])).toContain('@ 192.0.2.1');
  });

  it('apply record templates, and refuse an error that concerns every domain before anything is stored', async () => {
    expect(await run({ action: 'template', template: 'no-mail', domains: ids })).toMatchObject({
      done: 3,
      failed: 0,
      undoable: true,
    });
    const { body: records } = await client.get(`/api/domains/${ids[0]}/dns/records?type=MX`).expect(200);
    expect(records).toHaveLength(1);
    for (const [body, details] of [
      [{ action: 'nameservers', domains: ids }, 'nameservers is required for nameservers'],
      [{ action: 'renewal', domains: ids, auto_renew: true }, 'auto_renew does not belong to renewal'],
      [{ action: 'tags', add_tags: ['+'], domains: ids }, 'add_tags[0] must be'],
      [{ action: 'renewal' }, 'domains must be given'],
      [{ action: 'renewal', domains: [] }, 'domains must select at least one domain'],
      [{ action: 'renewal', domains: manyIds(10_001) }, 'domains must be at most 10000 ids of domains'],
    ] as const) {
      const { body: refused } = await client.post('/api/bulk', body).expect(400);
      expect(refused.error.details).toContain(details);
    }
    await client.post('/api/bulk', { action: 'template', template: 'none', domains: ids }).expect(404);
  });
});
