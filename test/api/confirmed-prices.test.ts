import { setTimeout as sleep } from 'node:timers/promises';
import { BulkActions } from '../../src/application/portfolio/bulk/bulk-actions';
import { DecideProposal } from '../../src/application/proposals/decide-proposal';
import { TldPolicies } from '../../src/domain/registration/names/tld-policy';
import type { Money } from '../../src/domain/shared/money';
import type { TldOffer } from '../../src/infrastructure/registry/sandbox/simulated/offers/tld-offer';
import { PASSWORD, signIn, type DashboardClient } from '../support/dashboard/dashboard-client';
import { onBothDatabases } from '../support/databases/databases';
import { api, REGISTRANT, registered, type Api } from '../support/service/service';

/** The hidden fields by which a form confirms. */
const hidden = (text: string, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '']));
const renewalsIn = (text: string) => hidden(text, 'years', 'renewals', 'price', 'currency');

const dearer = (price: Money): Money => ({ ...price, minor: price.minor * 10 });

/** The registry asks for ten times as much from now on. */
function raisePrices(): void {
  const forName = Reflect.get(TldPolicies.prototype, 'forName');
  jest.spyOn(TldPolicies.prototype, 'forName').mockImplementation(function (this: TldPolicies, name) {
    const found = forName.call(this, name) as TldOffer | undefined;
    // The service's own policies have no prices.
    if (!found || !('prices' in found)) return found;
    const { registration, renewal } = found.prices;
    return { ...found, prices: { ...found.prices, registration: dearer(registration), renewal: dearer(renewal) } };
  });
}

/** Raises prices when the method is called for the first time: `before` it, or after it. */
function raiseAt<T extends object>(prototype: T, method: keyof T & string, when: 'before' | 'after'): void {
  const original = Reflect.get(prototype, method) as (...given: readonly unknown[]) => Promise<unknown>;
  const spy = jest.spyOn(prototype as never, method as never) as jest.SpyInstance;
  spy.mockImplementationOnce(async function (this: T, ...given: readonly unknown[]) {
    if (when === 'before') raisePrices();
    const result = await original.apply(this, [...given]);
    if (when === 'after') raisePrices();
    return result;
  });
}

const rejected = (count: number) => ({
  done: 0,
  failed: count,
  failures: Array.from({ length: count }, () =>
    expect.objectContaining({ error: expect.objectContaining({ code: 'REGISTRY_REJECTED' }) }),
  ),
});

onBothDatabases('prices that a person has confirmed', (service) => {
  let client: Api;
  let first: DashboardClient;
  let second: DashboardClient;
  let serial = 0;
  const freshName = () => `confirmed-${(serial += 1)}.com`;

  const finished = async (id: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { body } = await client.get(`/api/bulk/${id}`).expect(200);
      if (body.finished_at !== null) return body as Record<string, unknown>;
      await sleep(20);
    }
  };
  const renewed = async (id: string) =>
    ((await client.get(`/api/domains/${id}/operations`).expect(200)).body as { kind: string; state: string }[]).filter(
      ({ kind, state }) => kind === 'renew' && state === 'succeeded',
    ).length;
  const latestJob = async () => (await client.get('/api/bulk').expect(200)).body[0].id as string;
  const askForSecondPerson = () =>
    client.put('/api/approval-rules', { rules: [{ changes: ['purchases'] }] }).expect(200);
  const proposalAt = async (location: unknown) => {
    expect(location).toMatch(/^\/proposals\/prop_/);
    return (await client.get(`/api${String(location)}`).expect(200)).body;
  };

  beforeEach(async () => {
    const accountId = await service().account();
    client = api(service(), await service().key(accountId));
    first = await signIn(service(), accountId);
    second = await signIn(service(), accountId);
  });
  afterEach(() => jest.restoreAllMocks());

  it('hold for each renewal of a form, also if the price rises before its turn', async () => {
    const ids = [await registered(client, freshName()), await registered(client, freshName())];
    const query = ids.map((id) => `id=${id}`).join('&');
    const { text } = await first.get(`/bulk/new?action=renew&${query}`).expect(200);
    raiseAt(BulkActions.prototype, 'execute', 'before');

    const form = Object.entries(renewalsIn(text)).map(([name, value]) => [name, [value]] as const);
    const { headers } = await first
      .postMany('/bulk', { action: ['renew'], id: ids, ...Object.fromEntries(form) })
      .expect(303);

    expect(await finished(String(headers['location']).slice('/bulk/'.length))).toMatchObject(rejected(2));
    for (const id of ids) expect(await renewed(id)).toBe(0);
  });

  it('hold for each renewal of a form that a second person accepts', async () => {
    const id = await registered(client, freshName());
    await askForSecondPerson();
    const { text } = await first.get(`/bulk/new?action=renew&id=${id}`).expect(200);
    const confirmed = renewalsIn(text);
    const cost = { amount: Number(confirmed['price']) / 100, currency: 'USD' };

    const { headers } = await first.post('/bulk', { action: 'renew', id, ...confirmed }).expect(303);

    const proposal = await proposalAt(headers['location']);
    expect(proposal).toMatchObject({ body: { max_price: { [id]: cost } }, plan: { cost, warnings: [] } });
    expect((await second.get(String(headers['location'])).expect(200)).text).toContain(`$${cost.amount}`);
    raisePrices();
    await second.post(`${String(headers['location'])}/accept`).expect(303);
    expect(await finished(await latestJob())).toMatchObject(rejected(1));
    expect(await renewed(id)).toBe(0);
  });

  it('hold for each renewal that is retried, when a second person accepts it', async () => {
    const id = await registered(client, freshName());
    const { body: job } = await client
      .post('/api/bulk', { action: 'renewal', domains: [id], current_expiry: { [id]: '2020-01-31' } })
      .expect(202);
    await finished(job.id as string);
    await askForSecondPerson();
    const { text } = await first.get(`/bulk/${job.id}/retry`).expect(200);

    const { headers } = await first.post(`/bulk/${job.id}/retry`, renewalsIn(text)).expect(303);

    const { body } = await proposalAt(headers['location']);
    expect(body).toMatchObject({ action: 'renewal', domains: [id], max_price: { [id]: { currency: 'USD' } } });
    raisePrices();
    await second.post(`${String(headers['location'])}/accept`).expect(303);
    expect(await finished(await latestJob())).toMatchObject(rejected(1));
    expect(await renewed(id)).toBe(0);
  });

  it('hold for each transfer of a form that a second person accepts', async () => {
    await registered(client, freshName());
    await askForSecondPerson();
    const name = freshName();
    const { body: elsewhere } = await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200);
    const page = (await first.get('/transfers/several').expect(200)).text;
    const contact = /<option value="(dom_[^"]+)"/.exec(page)?.[1] ?? '';
    const submitted = { auth_codes: `${name},${elsewhere.auth_code}`, contact, auto_renew: 'on' };
    const review = (await first.post('/transfers/several/review', submitted).expect(200)).text;

    const { headers } = await first
      .post('/transfers/several', hidden(review, 'sealed', 'price', 'currency'))
      .expect(303);

    expect(await proposalAt(headers['location'])).toMatchObject({
      body: { transfers: [{ max_price: { amount: 10.44, currency: 'USD' } }] },
      plan: { cost: { amount: 10.44, currency: 'USD' } },
    });
    raisePrices();
    await second.post(`${String(headers['location'])}/accept`).expect(303);
    expect(await finished(await latestJob())).toMatchObject(rejected(1));
    expect((await client.get('/api/transfers').expect(200)).body).toEqual([]);
  });

  it.each(['an order', 'a state'])('hold for %s that is accepted, although it allows more itself', async (what) => {
    const contact = freshName();
    await registered(client, contact);
    const name = freshName();
    const max_price = { amount: 1_000, currency: 'USD' };
    const order = { path: '/api/domains', body: { name, contacts: { registrant: REGISTRANT }, max_price } };
    const state = {
      path: `/api/domains/by-name/${name}/state`,
      body: { register: true, registrant: { contact }, max_price },
    };
    const write = what === 'an order' ? { method: 'POST', ...order } : { method: 'PUT', ...state };
    const { body: proposal } = await client.post('/api/proposals', { ...write, reason: 'Because' }).expect(201);
    raiseAt(DecideProposal.prototype, 'accept', 'after');

    await second.post(`/proposals/${proposal.id}/accept`, { password: PASSWORD });

    expect((await client.get(`/api/proposals/${proposal.id}`)).body).toMatchObject({ state: 'stale' });
    await client.get(`/api/domains/by-name/${name}`).expect(404);
  });

  it('are a limit of each renewal that the API takes', async () => {
    const ids = [await registered(client, freshName()), await registered(client, freshName())];
    const [cheap = '', dear = ''] = ids;
    const renewal = { action: 'renewal', domains: ids };
    const max_price = {
      [cheap]: { amount: 100, currency: 'USD' },
      [dear]: { amount: 0.01, currency: 'USD' },
    };

    const { body: job } = await client.post('/api/bulk', { ...renewal, max_price }).expect(202);

    expect(await finished(job.id as string)).toMatchObject({ done: 1, failed: 1, failures: [{ domain_id: dear }] });
    expect([await renewed(cheap), await renewed(dear)]).toEqual([1, 0]);
    for (const [wrong, details] of [
      ['any', /^max_price must /],
      [{ dom_other: { amount: 1, currency: 'USD' } }, /^max_price must have ids of `domains` only$/],
      [{ [cheap]: 'any' }, `max_price.${cheap} must be a JSON object`],
      [{ [cheap]: { amount: 'any', currency: 'USD' } }, `max_price.${cheap}.amount must `],
      [{ [cheap]: { amount: 1, currency: 'any' } }, `max_price.${cheap}.currency must `],
      [{ [cheap]: { amount: 1.001, currency: 'USD' } }, `max_price.${cheap}.amount must have as many decimals as USD`],
    ] as const) {
      const { body } = await client.post('/api/bulk', { ...renewal, max_price: wrong }).expect(400);
      expect(body.error.details).toEqual(
        typeof details === 'string' ? expect.stringContaining(details) : expect.stringMatching(details),
      );
    }
    await client.post('/api/bulk', { action: 'tags', add_tags: ['a'], domains: ids, max_price }).expect(400);
  });

  it('are a limit of all renewals of a filter, which those with a limit of their own do not have', async () => {
    const ids = [await registered(client, freshName()), await registered(client, freshName())];
    const [own = '', other = ''] = ids;
    const [little, much] = [0.01, 100].map((amount) => ({ amount, currency: 'USD' }));
    const start = async (body: object) => {
      const { body: job } = await client.post('/api/bulk', { action: 'renewal', ...body }).expect(202);
      return finished(job.id as string);
    };

    expect(await start({ filter: { status: 'active' }, max_price_each: little })).toMatchObject(rejected(2));
    expect(await start({ domains: ids, max_price_each: little, max_price: { [own]: much } })).toMatchObject({
      done: 1,
      failures: [{ domain_id: other }],
    });
    expect(await start({ filter: { status: 'active' }, max_price_each: much })).toMatchObject({ done: 2 });
    expect([await renewed(own), await renewed(other)]).toEqual([2, 1]);

    const invalid = { action: 'renewal', domains: ids, max_price_each: { amount: 'any', currency: 'USD' } };
    const { body } = await client.post('/api/bulk', invalid).expect(400);
    expect(body.error.details).toMatch(/^max_price_each.amount must /);
    await client.post('/api/bulk', { action: 'tags', add_tags: ['a'], domains: ids, max_price_each: much }).expect(400);
  });

  it('are a limit of all transfers of a job, which those with a limit of their own do not have', async () => {
    const [little, much] = [0.01, 100].map((amount) => ({ amount, currency: 'USD' }));
    const transfers = await Promise.all(
      [undefined, much].map(async (max_price) => {
        const name = freshName();
        const { body } = await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200);
        return { name, auth_code: body.auth_code as string, ...(max_price && { max_price }) };
      }),
    );
    const job = { action: 'transfer', contacts: { registrant: REGISTRANT }, transfers, max_price_each: little };

    const { body } = await client.post('/api/bulk', job).expect(202);

    expect(await finished(body.id as string)).toMatchObject({ ...rejected(1), done: 1 });
    const { body: requested } = await client.get('/api/transfers').expect(200);
    expect(requested).toMatchObject([{ name: transfers[1]?.name }]);
  });

  it('are shown in a proposal of a job with a limit of each order', async () => {
    const id = await registered(client, freshName());
    const max_price_each = { amount: 15, currency: 'USD' };
    const body = { action: 'renewal', domains: [id, await registered(client, freshName())], max_price_each };
    const write = { method: 'POST', path: '/api/bulk', body, reason: 'Because' };

    const { body: proposal } = await client.post('/api/proposals', write).expect(201);

    expect(proposal.plan).toMatchObject({ cost: { amount: 30, currency: 'USD' }, warnings: [] });
  });

  it('are not known of bulk orders without them, which proposals warn of', async () => {
    const id = await registered(client, freshName());
    const write = { method: 'POST', path: '/api/bulk', body: { action: 'renewal', domains: [id] }, reason: 'Because' };

    const { body } = await client.post('/api/proposals', write).expect(201);

    expect(body.plan).toMatchObject({ warnings: ['1 of 1 orders have no max_price: they cost any price'] });
    expect(body.plan).not.toHaveProperty('cost');
  });
});
