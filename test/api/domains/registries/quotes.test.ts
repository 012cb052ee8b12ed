import { BindingQuotes } from '../../../../src/application/operations/binding-quotes';
import type { BindingQuote } from '../../../../src/domain/registration/binding-quote';
import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';
import { onBothDatabases } from '../../../support/databases/databases';
import { api, REGISTRANT, registered, type Api } from '../../../support/service/service';

const REGISTRANT_FIELDS = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  'address.street': '12 St James Square',
  'address.city': 'London',
  'address.postal_code': 'SW1Y 4JH',
  'address.country': 'GB',
};

const CHEAP = { minor: 1, currency: 'USD' };
const cheap = (quote_id: string) => ({ price: '1', currency: 'USD', quote_id });
const quoteIn = (page: string) => /name="quote_id" value="([^"]+)"/.exec(page)?.[1] ?? '';
const details = (name: string) => ({ ...REGISTRANT_FIELDS, name, years: '1', auto_renew: 'on', nameservers: '' });

onBothDatabases('quotes that bind', (service) => {
  let client: Api;
  let serial = 0;
  const freshName = () => `quoted-${(serial += 1)}.com`;
  const quoteOf = async (item: object) => {
    const { body } = await client.post('/api/domains/quote', { domains: [item] }).expect(200);
    return body.quotes[0] as { quote_id: string; price: Record<string, number> };
  };
  const register = (name: string, more: object, by = client) =>
    by.post('/api/domains', { name, contacts: { registrant: REGISTRANT }, ...more });
  const isHere = async (name: string) => (await client.get(`/api/domains/by-name/${name}`)).status === 200;

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });

  it('give a registration their term, and are used by one of several requests at once', async () => {
    const name = freshName();
    const { quote_id } = await quoteOf({ name, years: 2 });

    const answers = await Promise.all([1, 2, 3].map(() => register(name, { quote_id })));
    const again = await register(name, { quote_id });

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(again.status).toBe(409);
    const { body } = await client.get(`/api/domains/by-name/${name}`).expect(200);
    expect(new Date(body.expires_at).getUTCFullYear() - new Date(body.created_at).getUTCFullYear()).toBe(2);
  });

  it('do not serve a second order', async () => {
    const id = await registered(client, freshName());
    const { body: domain } = await client.get(`/api/domains/${id}`).expect(200);
    const { quote_id, price } = await quoteOf({ name: domain.name, renewal: true });
    const renewal = await client.post(`/api/domains/${id}/renew`, { quote_id }).expect(200);

    const { body } = await client.post(`/api/domains/${id}/renew`, { quote_id }).expect(400);

    expect(renewal.body.renewal).toEqual({ years: 1, price: price['renewal'], currency: 'USD' });
    expect(body.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'Request validation failed',
      details: 'quote_id was used by another order. Ask for a new quote',
    });
  });

  it('are of one account', async () => {
    const name = freshName();
    const { quote_id } = await quoteOf({ name });
    const stranger = api(service(), await service().key(await service().account()));

    const { body } = await register(name, { quote_id }, stranger).expect(400);

    expect(body.error.details).toBe('quote_id is no quote of this account');
    expect(await isHere(name)).toBe(false);
  });

  it('can be replaced by the most that an order may cost', async () => {
    const name = freshName();
    const { price } = await quoteOf({ name });
    const total = price['total'] ?? 0;

    const refused = await register(name, { max_price: { amount: total - 0.01, currency: 'USD' } }).expect(422);

    expect(refused.body.error).toMatchObject({
      code: 'REGISTRY_REJECTED',
      details: `The price has changed: it is ${total} USD now, and at most ${(total - 0.01).toFixed(2)} USD was agreed to`,
    });
    expect(await isHere(name)).toBe(false);
    await register(name, { max_price: { amount: total, currency: 'USD' } }).expect(201);
  });

  it.each<[string, object, string]>([
    ['a text', { max_price: '10' }, 'max_price'],
    ['a negative amount', { max_price: { amount: -1, currency: 'USD' } }, 'max_price.amount'],
    ['more decimals than the currency has', { max_price: { amount: 10.001, currency: 'USD' } }, 'max_price.amount'],
    ['no currency', { max_price: { amount: 10 } }, 'max_price.currency'],
    ['a number as a quote', { quote_id: 7 }, 'quote_id'],
  ])('refuse %s, and name it', async (_what, more, path) => {
    const { body } = await register(freshName(), more).expect(400);

    expect(body.error.details).toMatch(new RegExp(`^${path} `));
  });

  describe('in the dashboard', () => {
    let accountId: string;
    let person: DashboardClient;
    let mine: Api;
    const shownBefore = (name: string, prices: BindingQuote['prices']) =>
      service().container.get(BindingQuotes).issue(accountId, { name, prices }).id;

    beforeAll(async () => {
      accountId = await service().account();
      mine = api(service(), await service().key(accountId));
      person = await signIn(service(), accountId);
    });

    it('order a registration once, however often its form is sent', async () => {
      const name = freshName();
      const { text } = await person.post('/register/review', details(name)).expect(200);
      const [, price = ''] = /name="price" value="(\d+)"/.exec(text) ?? [];
      const form = { ...details(name), price, currency: 'USD', quote_id: quoteIn(text) };

      await person.post('/register', form).expect(303);
      const again = await person.post('/register', form);

      expect(quoteIn(text)).toMatch(/^quote_/);
      expect(again.status).not.toBe(303);
    });

    it('show a higher price and ask again, for every kind of order', async () => {
      const name = freshName();
      const register = { register: { price: CHEAP, years: 1 } };
      const one = await person.post('/register', { ...details(name), ...cheap(shownBefore(name, register)) });
      const several = await person.postMany('/register/order', {
        ...Object.fromEntries(Object.entries(details(name)).map(([field, value]) => [field, [value]])),
        names: [name],
        agreed: [`${name} 1 1 USD ${shownBefore(name, register)}`],
      });
      const id = await registered(mine, freshName());
      const { body: domain } = await mine.get(`/api/domains/${id}`).expect(200);
      const renew = { renew: { price: CHEAP, years: 1 } };
      const renewal = await person.post(`/domains/${id}/renew`, {
        years: '1',
        expires_at: domain.expires_at,
        ...cheap(shownBefore(domain.name, renew)),
      });

      for (const { text } of [one, several, renewal]) expect(text).toContain('The price has changed: it is');
      expect(quoteIn(renewal.text)).toMatch(/^quote_/);
      await mine.get(`/api/domains/by-name/${name}`).expect(404);
      expect((await mine.get(`/api/domains/${id}`)).body.expires_at).toBe(domain.expires_at);
    });

    it('order nothing by a quote that has ended or is for another order, and show the price again', async () => {
      const id = await registered(mine, freshName());
      const { body: domain } = await mine.get(`/api/domains/${id}`).expect(200);
      const { text } = await person.get(`/domains/${id}/renew`).expect(200);
      const form = { years: '1', expires_at: domain.expires_at, price: '100000', currency: 'USD' };
      const ofOther = shownBefore(freshName(), { renew: { price: CHEAP, years: 1 } });

      const refused = await person.post(`/domains/${id}/renew`, { ...form, quote_id: ofOther });
      await person.post(`/domains/${id}/renew`, { ...form, quote_id: quoteIn(text) }).expect(303);

      expect(refused.text).toContain('Nothing was ordered: the price was shown more than 15 minutes ago');
      expect(quoteIn(refused.text)).not.toBe(ofOther);
    });
  });
});
