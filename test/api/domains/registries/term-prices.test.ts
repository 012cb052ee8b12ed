import { onBothDatabases } from '../../../support/databases/databases';
import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';
import { api, REGISTRANT, registered, type Api } from '../../../support/service/service';

const FORM = {
  years: '2',
  auto_renew: 'on',
  nameservers: '',
  first_name: 'Grace',
  last_name: 'Hopper',
  organization: '',
  email: 'grace@example.com',
  phone: '+1.2025550123',
  'address.street': '1 Navy Yard',
  'address.city': 'Washington',
  'address.state': '',
  'address.postal_code': '',
  'address.country': 'US',
};

/** The terms that a page offers, with their prices. */
const choices = (html: string) =>
  [...(/<select id="years".*?<\/select>/s.exec(html)?.[0] ?? '').matchAll(/<option value="(\d+)"([^>]*)>([^<]+)/g)].map(
    ([, value, attributes, label]) => [Number(value), attributes?.includes('selected'), label],
  );

onBothDatabases('prices of terms', (service) => {
  let client: Api;
  let dashboard: DashboardClient;
  let serial = 0;
  const freshName = (tld: string) => `term-${(serial += 1)}.${tld}`;

  beforeAll(async () => {
    const accountId = await service().account();
    client = api(service(), await service().key(accountId));
    dashboard = await signIn(service(), accountId);
  });

  it("are the registry's fees in a quote: total for the term, registration for one year", async () => {
    const [xyz, me] = [freshName('xyz'), freshName('me')];

    const { body } = await client
      .post('/api/domains/quote', { domains: [{ name: xyz, years: 3 }, { name: me, years: 2 }, { name: xyz }] })
      .expect(200);

    expect(body).toMatchObject({
      quotes: [
        { name: xyz, years: 3, available: true, price: { registration: 2.04, total: 28, currency: 'USD' } },
        { name: me, years: 2, available: true, price: { registration: 5.99, total: 20, currency: 'USD' } },
        { name: xyz, years: 1, available: true, price: { registration: 2.04, total: 2.04, currency: 'USD' } },
      ],
      total: { amount: 50.04, currency: 'USD' },
    });
  });

  it("start at the TLD's shortest term in a quote without years; registration and renewal default to one year", async () => {
    const name = freshName('ai');

    const { body } = await client.post('/api/domains/quote', { domains: [{ name }] }).expect(200);
    const refused = await client.post('/api/domains', { name, contacts: { registrant: REGISTRANT } }).expect(400);
    const id = await registered(client, name, { years: 2 });
    const unrenewed = await client.post(`/api/domains/${id}/renew`).expect(400);

    expect(body.quotes).toMatchObject([
      { name, years: 2, available: true, price: { registration: 69.98, total: 139.96, currency: 'USD' } },
    ]);
    expect(refused.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: 'years must be from 2 to 10 for .ai',
    });
    expect(unrenewed.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: 'years must be from 2 to 10 for .ai',
    });
  });

  it('are charged as quoted, and the operation stores the charge', async () => {
    const name = freshName('xyz');
    const id = await registered(client, name, { years: 2 });
    const [operation] = (await client.get(`/api/domains/${id}/operations`).expect(200)).body;
    const { body } = await client.post(`/api/domains/${id}/renew`, { years: 2 }).expect(200);

    expect(operation).toMatchObject({
      state: 'succeeded',
      request: { years: 2, price: 15.02 },
      charged: { amount: 15.02, currency: 'USD' },
    });
    expect(body.renewal).toEqual({ years: 2, price: 25.96, currency: 'USD' });
  });

  it('are listed in the dashboard for every sold term, with the shortest selected', async () => {
    const name = freshName('ai');

    const details = (await dashboard.get(`/register/details?name=${name}`).expect(200)).text;
    const uneven = (await dashboard.get(`/register/details?name=${freshName('me')}`).expect(200)).text;

    expect(choices(details).slice(0, 2)).toEqual([
      [2, true, '2 years · $139.96'],
      [3, false, '3 years · $209.94'],
    ]);
    expect(choices(details)).toHaveLength(9);
    expect(choices(uneven).slice(0, 2)).toEqual([
      [1, true, '1 year · $5.99'],
      [2, false, '2 years · $20.00'],
    ]);
  });

  it('allow the dashboard to register and renew under a TLD that does not sell one year', async () => {
    const name = freshName('ai');

    const review = (await dashboard.post('/register/review', { ...FORM, name }).expect(200)).text;
    await dashboard.post('/register', { ...FORM, name, price: '13996', currency: 'USD' }).expect(303);
    const { id } = (await client.get(`/api/domains/by-name/${name}`).expect(200)).body;
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: true }).expect(200);
    const renewal = (await dashboard.get(`/domains/${id}/renew`)).text;

    expect(review).toContain('$139.96 for 2 years');
    expect(choices(renewal).slice(0, 2)).toEqual([
      [2, true, '2 years · $139.96'],
      [3, false, '3 years · $209.94'],
    ]);
    expect(renewal).toContain('Renew for $139.96');

    const com = await registered(client, freshName('com'));
    const bulk = async (...ids: readonly string[]) =>
      (await dashboard.get(`/bulk/new?action=renew&${ids.map((each) => `id=${each}`).join('&')}`).expect(200)).text;
    expect(await bulk(id)).toContain('Renew 1 domain for $139.96');
    expect(await bulk(id, com)).toMatch(/Renew 1 domain for[^]*must be from 2 to 10 for \.ai/);
  });

  it('are listed for renewal terms that the TLD sells within ten years from now', async () => {
    const [de, me] = [await registered(client, freshName('de')), await registered(client, freshName('me'))];

    expect(choices((await dashboard.get(`/domains/${de}/renew`).expect(200)).text)).toEqual([
      [1, true, '1 year · $4.59'],
    ]);
    const listed = choices((await dashboard.get(`/domains/${me}/renew?years=2`).expect(200)).text);
    expect(listed.map(([years]) => years)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(listed.filter(([, selected]) => selected)).toEqual([[2, true, '2 years · $33.00']]);
  });
});
