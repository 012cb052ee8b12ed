import { setTimeout as sleep } from 'node:timers/promises';
import { LifecyclePlan } from '../../../src/application/operations/lifecycle-plan';
import { RegistryPort } from '../../../src/application/ports/registry/registry-port';
import { SearchDomains } from '../../../src/application/registration/search-domains';
import { api, REGISTRANT, registered, startService, type Api, type TestService } from '../../support/service/service';
import { aUser, DashboardClient, signIn } from '../../support/dashboard/dashboard-client';

const FORM = {
  years: '2',
  auto_renew: 'on',
  nameservers: '',
  first_name: 'Grace',
  last_name: 'Hopper',
  organization: '<img src=x onerror=alert(1)>',
  company_number: '01234567',
  legal_form: 'LTD',
  email: 'grace@example.com',
  phone: '+1.2025550123',
  'address.street': '1 Navy Yard',
  'address.city': 'Washington',
  'address.state': '',
  'address.postal_code': '',
  'address.country': 'US',
};

describe('a domain in the dashboard', () => {
  let service: TestService;
  let accountId: string;
  let client: Api;
  let dashboard: DashboardClient;
  let serial = 0;

  beforeAll(async () => {
    service = await startService();
    accountId = await service.account();
    client = api(service, await service.key(accountId));
    dashboard = await signIn(service, accountId);
  });
  afterAll(() => service.stop());

  const freshName = () => `dash-${(serial += 1)}.com`;
  const read = async (id: string) => (await client.get(`/api/domains/${id}`).expect(200)).body;

  it('shows expiry, registrant and operations', async () => {
    const id = await registered(client, freshName());

    const { text } = await dashboard.get(`/domains/${id}`).expect(200);

    expect(text).toMatch(/Paid until \d{1,2} \w+ \d{4}, in 36[45] days/);
    expect(text).toContain('Analytical Engines');
    expect(text).toContain('United Kingdom');
    expect(text).toContain('Register for 1 year at');
  });

  it('draws its map for its account alone', async () => {
    const id = await registered(client, freshName());
    const stranger = await signIn(service, await service.account());

    expect((await dashboard.get(`/domains/${id}`).expect(200)).text).toContain('aria-label="Delegation map:');
    expect((await dashboard.get(`/domains/${id}/map`).expect(200)).text).toContain('No secondary');
    await stranger.get(`/domains/${id}/map`).expect(404);
  });

  it('has no controls for what the registry lacks', async () => {
    const path = `/domains/${await registered(client, freshName())}`;
    const controls = [`${path}/renew`, `${path}/transfer-lock`, `${path}/registrant`];
    const before = await dashboard.get(path).expect(200);
    const plan = service.container.get(LifecyclePlan);
    const policy = plan.policyFor({ name: 'a.com' });
    const features = ['renewal', 'transfer_lock', 'registrant_change'] as const;
    const lacking = jest.spyOn(plan, 'policyFor').mockReturnValue(policy && { ...policy, unsupported: features });

    const { text } = await dashboard.get(path).expect(200);

    lacking.mockRestore();
    expect(controls.filter((control) => before.text.includes(`"${control}"`))).toEqual(controls);
    expect(controls.filter((control) => text.includes(`"${control}"`))).toEqual([]);
  });

  it('responds with 404 to all requests of another account', async () => {
    const id = await registered(client, freshName());
    const stranger = await signIn(service, await service.account());

    for (const path of ['', '/renew', '/nameservers', '/registrant', '/operations'])
      await stranger.get(`/domains/${id}${path}`).expect(404);
    for (const path of ['/auto-renewal', '/transfer-lock', '/auth-code', '/renew', '/nameservers', '/registrant'])
      await stranger
        .post(`/domains/${id}${path}`, { on: 'no', years: '1', nameservers: 'a.example b.example' })
        .expect(404);

    expect(await read(id)).toMatchObject({
      auto_renew: true,
      transfer_locked: true,
      nameservers: ['ns1.namewright.example', 'ns2.namewright.example'],
    });
  });

  it('turns auto-renewal and the transfer lock off', async () => {
    const id = await registered(client, freshName());

    await dashboard.post(`/domains/${id}/auto-renewal`, { on: 'no' }).expect(303);
    await dashboard.get(`/domains/${id}`).expect(/Auto-renewal is off/);
    await dashboard.post(`/domains/${id}/transfer-lock`, { on: 'no' }).expect(303);
    await dashboard.get(`/domains/${id}`).expect(/The transfer lock is off/);

    expect(await read(id)).toMatchObject({ auto_renew: false, transfer_locked: false });
  });

  it('shows an auth code once, after the name was typed', async () => {
    const name = freshName();
    const id = await registered(client, name);

    await dashboard.get(`/domains/${id}/auth-code`).expect(200);
    await dashboard
      .post(`/domains/${id}/auth-code`, { confirm_name: 'other.com' })
      .expect(400)
      .expect(/id="confirm_name-error">Must be dash-/);
    const { text } = await dashboard
      .post(`/domains/${id}/auth-code`, { confirm_name: ` ${name.toUpperCase()}` })
      .expect(200);
    const code = /<code id="auth-code"[^>]*>([^<]+)</.exec(text)?.[1] ?? '';

    expect(code.length).toBeGreaterThan(7);
    expect(text).toContain('The transfer lock is still on');
    expect((await dashboard.get(`/domains/${id}`)).text).not.toContain(code);
    expect((await dashboard.get('/activity')).text).not.toContain(code);
  });

  it('names the invalid tags, and keeps the input', async () => {
    const id = await registered(client, freshName());

    const { text } = await dashboard.post(`/domains/${id}/tags`, { tags: 'shop, -old, a&b' }).expect(400);

    expect(text).toMatch(/class="field-error"[^>]*>Each tag must be 1 to 40 [^<]*Not valid: “-old”, “a&amp;b”/);
    expect(text).toContain('value="shop, -old, a&amp;b"');
    expect((await read(id)).tags).toEqual([]);
    await dashboard.post(`/domains/${id}/tags`, { tags: 'shop, old' }).expect(303);
    expect((await read(id)).tags).toEqual(['old', 'shop']);
  });

  it('changes the nameservers, and shows errors at the field', async () => {
    const id = await registered(client, freshName());

    await dashboard
      .post(`/domains/${id}/nameservers`, { nameservers: 'ns1.example.net' })
      .expect(400)
      .expect(/class="field-error"[^>]*>At least 2 nameservers are required/);
    await dashboard
      .post(`/domains/${id}/nameservers`, { nameservers: 'NS1.example.net\r\nns2.example.net, ns3.example.net' })
      .expect(303);

    expect((await read(id)).nameservers).toEqual(['ns1.example.net', 'ns2.example.net', 'ns3.example.net']);
  });

  it('changes the registrant, and shows errors at each field', async () => {
    const id = await registered(client, freshName());

    const { text } = await dashboard
      .post(`/domains/${id}/registrant`, { ...FORM, phone: '12', 'address.country': '' })
      .expect(400);
    expect(text).toContain('<p class="field-error" id="phone-error">Must be a complete phone number');
    expect(text).toContain('<p class="field-error" id="address-country-error">');
    expect(text).toContain('value="Hopper"');

    await dashboard.post(`/domains/${id}/registrant`, FORM).expect(303);
    const page = (await dashboard.get(`/domains/${id}`)).text;
    expect(page).toContain('Grace Hopper');
    expect(page).toContain('&lt;img src=x');
    expect(page).not.toContain('<img src=x');
  });

  it('renews only at the price and expiry shown, and once if the form is sent twice', async () => {
    const id = await registered(client, freshName());
    const before = await read(id);

    const { text } = await dashboard.get(`/domains/${id}/renew?years=2`).expect(200);
    const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
    const form = {
      years: value('years'),
      price: value('price'),
      currency: value('currency'),
      expires_at: value('expires_at'),
    };
    await dashboard
      .post(`/domains/${id}/renew`, { ...form, price: '1' })
      .expect(422)
      .expect(/The price has changed: it is/);
    await dashboard.post(`/domains/${id}/renew`, form).expect(303);
    await dashboard
      .post(`/domains/${id}/renew`, form)
      .expect(422)
      .expect(/the domain may already be renewed/);

    const years = new Date((await read(id)).expires_at).getUTCFullYear() - new Date(before.expires_at).getUTCFullYear();
    expect(years).toBe(2);
  });

  it('renews once if the form is sent twice at the same time', async () => {
    const id = await registered(client, freshName());
    const before = await read(id);
    const { text } = await dashboard.get(`/domains/${id}/renew`).expect(200);
    const form = Object.fromEntries(
      ['years', 'price', 'currency', 'expires_at'].map((field) => [
        field,
        new RegExp(`name="${field}" value="([^"]*)"`).exec(text)?.[1] ?? '',
      ]),
    );
    const registry = service.container.get<RegistryPort>(RegistryPort);
    const renew = registry.renew.bind(registry);
    const registryResponds = new AbortController();
    const held = jest.spyOn(registry, 'renew').mockImplementation(async (...request) => {
      while (!registryResponds.signal.aborted) await sleep(5);
      return renew(...request);
    });

    const sent = [1, 2].map(() => dashboard.post(`/domains/${id}/renew`, form).then((response) => response));
    const refused = await Promise.race(sent);
    registryResponds.abort();
    const statuses = (await Promise.all(sent)).map(({ status }) => status);

    held.mockRestore();
    expect(new Set(statuses)).toEqual(new Set([303, 409]));
    expect(refused.text).toMatch(/A renewal of the domain, op_\w+, is not finished/);
    const years = new Date((await read(id)).expires_at).getUTCFullYear() - new Date(before.expires_at).getUTCFullYear();
    expect(years).toBe(1);
  });

  it('says why a renewal is not possible', async () => {
    const id = await registered(client, freshName());

    await dashboard
      .get(`/domains/${id}/renew?years=10`)
      .expect(400)
      .expect(/Must not extend the expiry to more than ten years from now/);
    await dashboard
      .get(`/domains/${id}/renew?years=nonsense`)
      .expect(400)
      .expect(/Must be an integer from 1 to 10/);
  });

  it('registers a domain in four steps without scripts', async () => {
    const name = freshName();
    const label = name.slice(0, -4);

    const found = (await dashboard.get(`/register?q=${label}`).expect(200)).text;
    expect(found.match(/\/register\/details\?name=/g)).toHaveLength(10);
    expect(found).toContain('</html>');
    const details = (await dashboard.get(`/register/details?name=${name}`).expect(200)).text;
    expect(details).toContain('value="Lovelace"');
    expect(details).toContain('2 years · $20.88');

    await dashboard
      .post('/register/review', { ...FORM, name, email: 'no address' })
      .expect(400)
      .expect(/id="email-error">Must be an e-mail address/);
    const review = (await dashboard.post('/register/review', { ...FORM, name }).expect(200)).text;
    expect(review).toContain('Register for $20.88');
    expect(review).toContain('<dt>Renewal</dt><dd>$10.44 for 1 year</dd>');
    const [, price = ''] = /name="price" value="(\d+)"/.exec(review) ?? [];
    await dashboard
      .post('/register', { ...FORM, name, price: '1', currency: 'USD' })
      .expect(422)
      .expect(/The price has changed/);
    const { headers } = await dashboard.post('/register', { ...FORM, name, price, currency: 'USD' }).expect(303);

    let page = '';
    while (!page.includes('is registered')) page = (await dashboard.get(headers['location'] ?? '').expect(200)).text;
    const [domain] = (await client.get(`/api/domains?name=${label}`).expect(200)).body;
    expect(await read(domain.id)).toMatchObject({
      name,
      status: 'active',
      auto_renew: true,
      contacts: { registrant: { last_name: 'Hopper' } },
    });
  });

  it('shows search results in the order in which the registries respond', async () => {
    const searchDomains = service.container.get(SearchDomains);
    const search = searchDomains.execute.bind(searchDomains);
    const others: unknown[] = [];
    const slow = jest.spyOn(searchDomains, 'execute').mockImplementation(async (command) => {
      while (command.tlds?.[0] === 'com' && others.length < 9) await sleep(5);
      const outcome = await search(command);
      others.push(outcome);
      return outcome;
    });

    const { text } = await dashboard.get('/register?q=coming-in').expect(200);

    slow.mockRestore();
    const names = [...text.matchAll(/<strong>(coming-in\.\w+)</g)].map(([, name]) => name);
    expect(names).toHaveLength(10);
    expect(names.at(-1)).toBe('coming-in.com');
    expect(text.trimEnd()).toMatch(/<\/html>$/);
  });

  it('marks unavailable names in the search and rejects invalid names', async () => {
    for (const query of ['not!a!label', 'shop.not_one', 'shop..com', 'shop.-', `${'a'.repeat(64)}.com`]) {
      await dashboard
        .get(`/register?q=${query}`)
        .expect(400)
        .expect(/id="q-error"/);
    }
    const taken = freshName();
    await registered(client, taken);

    await dashboard
      .get(`/register?q=https://www.${taken}/shop`)
      .expect(200)
      .expect(/Yours.*?>Manage</);
    const stranger = await signIn(service, await service.account());
    const { text } = await stranger.get(`/register?q=${taken}`).expect(200);
    expect(text).toMatch(new RegExp(`${taken}</strong>.*?Taken.*?/transfers/new\\?name=${taken}`));
    await stranger.get('/register?q=shop.example').expect(/shop.example<\/strong>.*?Not sold here/);
    await dashboard
      .get(`/register/details?name=${taken}`)
      .expect(409)
      .expect(/is no longer available/);
    await dashboard.get('/register/details?name=%3Cscript%3E').expect(400);
  });

  it('offers the registrants of the account’s domains in an order, each once', async () => {
    const own = await service.account();
    const orders = await signIn(service, own);
    const ordering = api(service, await service.key(own));
    const other = { ...REGISTRANT, first_name: 'Grace', email: 'grace@example.com' };
    for (const registrant of [other, REGISTRANT, REGISTRANT])
      await ordering.post('/api/domains', { name: freshName(), contacts: { registrant } }).expect(201);
    const name = freshName();
    const { text } = await orders.get(`/register/order?name=${name}`).expect(200);
    const contacts = [...text.matchAll(/<option value="(dom_[^"]+)"[^>]*>([^<]+)/g)];
    const [id = ''] = contacts.flatMap(([, value, label]) => (label?.includes('Grace') ? value : []));

    const typed = { contact: id, auto_renew: '', nameservers: 'ns1.typed.example', email: 'typed@example.com' };
    const chosen = await orders.post('/register/order/edit', { ...typed, names: `${name}\ntyped.com` }).expect(200);
    const single = await orders.post('/register/details', { ...typed, name, years: '2' }).expect(200);

    expect(chosen.text).toContain(`${name}\ntyped.com</textarea>`);
    expect(single.text).toMatch(/<option value="2" selected/);
    for (const { text: page } of [chosen, single]) {
      expect(page).toContain('ns1.typed.example</textarea>');
      expect(page).not.toContain('typed@example.com');
      expect(page).toContain('Fill in');
    }
    expect(contacts).toHaveLength(2);
    expect(text).toContain(`value="${REGISTRANT.email}"`);
    for (const page of [chosen, single]) expect(page.text).toContain('value="grace@example.com"');
  });

  it('registers several names in one order, and says which were refused', async () => {
    const [one, two, three] = [freshName(), freshName(), freshName()];
    const { years: _years, ...form } = FORM;
    await dashboard
      .get(`/register/order?name=${one}&name=${two}`)
      .expect(200)
      .expect(new RegExp(`${one}\n${two}</textarea>`));
    await dashboard
      .post('/register/order/review', { ...form, names: `${one} -.com` })
      .expect(400)
      .expect(/id="names-error">Must be domain names: -\.com/);
    await dashboard
      .post('/register/order/review', { ...form, names: one, email: 'no address' })
      .expect(400)
      .expect(/id="email-error">Must be an e-mail address/);
    const values = { ...form, phone: '(202) 555-0123', names: `${one}\n${two}, ${three}` };
    const review = (await dashboard.post('/register/order/review', values).expect(200)).text;
    expect(review).toContain('Register for $31.32');
    const agreed = [...review.matchAll(/name="agreed" value="([^"]+)"/g)].map(([, value = '']) => value);
    await registered(client, three);

    await dashboard
      .postMany('/register/order', {
        ...Object.fromEntries(Object.entries(values).map(([key, value]) => [key, [value]])),
        agreed,
      })
      .expect(303);

    const { text } = await dashboard.get('/domains').expect(200);
    expect(text).toContain(`2 of 3 domains ordered: ${one}, ${two}. ${three}: `);
    const [domain] = (await client.get(`/api/domains?name=${one.slice(0, -4)}`).expect(200)).body;
    expect((await read(domain.id)).contacts.registrant.phone).toBe('+1.2025550123');
  });

  it('does not show the registration progress of another account', async () => {
    const { body } = await client
      .post('/api/domains', { name: freshName(), contacts: { registrant: REGISTRANT } })
      .expect(201);
    const [operation] = (await client.get(`/api/domains/${body.id}/operations`).expect(200)).body;
    const stranger = await signIn(service, await service.account());

    await dashboard.get(`/register/progress/${operation.id}`).expect(200);
    await stranger.get(`/register/progress/${operation.id}`).expect(404);
    await stranger.post(`/register/progress/${operation.id}`).expect(404);
  });

  it('offers names in a search only to those who may register them', async () => {
    const query = `/register?q=${freshName().replace('.com', '')}`;
    const viewer = await signIn(service, accountId, 'viewer');

    expect((await dashboard.get(query).expect(200)).text).toMatch(/\/register\/details[^]+Register several/);
    expect((await viewer.get(query).expect(200)).text).not.toMatch(
      /\/register\/details|Register several|type="checkbox"/,
    );
  });

  it('neither shows nor checks the registration of a domain without the tag that a role is limited to', async () => {
    const { body } = await client
      .post('/api/domains', { name: freshName(), contacts: { registrant: REGISTRANT } })
      .expect(201);
    const [operation] = (await client.get(`/api/domains/${body.id}/operations`).expect(200)).body;
    const limited = await new DashboardClient(service).signIn(
      await aUser(service, accountId, 'manager', undefined, ['shop']),
    );

    await limited.get(`/register/progress/${operation.id}`).expect(404);
    await limited.post(`/register/progress/${operation.id}`).expect(404);
  });
});
