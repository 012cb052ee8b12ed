import { addYears, formatDay } from '../../../src/domain/shared/time/calendar';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, REGISTRANT, type Api } from '../../support/service/service';

const HOST =
  'must be a host name such as ns1.example.com (letters, digits and inner hyphens), not an IP address or a single label';

onBothDatabases('domains', (service) => {
  let client: Api;
  let accountId: string;
  let serial = 0;
  const freshName = () => `name-${(serial += 1)}.com`;

  beforeAll(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
  });

  it('are pending at first and registered in the background', async () => {
    const name = freshName();

    const { body } = await client
      .post('/api/domains', { name: name.toUpperCase(), contacts: { registrant: REGISTRANT } })
      .expect(201);

    expect(body).toEqual({
      id: expect.stringMatching(/^dom_/),
      name,
      status: 'pending',
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
      auto_renew: true,
      transfer_locked: true,
      nameservers: ['ns1.namewright.example', 'ns2.namewright.example'],
      contacts: { registrant: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' } },
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it('return the full registrant by id and by name', async () => {
    const name = freshName();
    const id = await registered(client, name);

    const byId = await client.get(`/api/domains/${id}`).expect(200);
    const byName = await client.get(`/api/domains/by-name/${name.toUpperCase()}`).expect(200);

    expect(byId.body).toMatchObject({
      id,
      name,
      status: 'active',
      contacts: { registrant: REGISTRANT },
      updated_at: expect.any(String),
    });
    expect(byName.body).toEqual(byId.body);
  });

  it('are listed oldest first without contacts and updated_at', async () => {
    const other = api(service(), await service().key(await service().account()));
    const first = await registered(other, freshName());
    const second = await registered(other, freshName());

    const { body } = await other.get('/api/domains').expect(200);

    expect(body.map(({ id }: { id: string }) => id)).toEqual([first, second]);
    expect(Object.keys(body[0])).toEqual([
      'id',
      'name',
      'status',
      'expires_at',
      'auto_renew',
      'transfer_locked',
      'nameservers',
      'tags',
      'created_at',
    ]);
  });

  it('are paged by a cursor in the Link header', async () => {
    const other = api(service(), await service().key(await service().account()));
    const ids = [
      await registered(other, freshName()),
      await registered(other, freshName()),
      await registered(other, freshName()),
    ];

    const first = await other.get('/api/domains?limit=2').expect(200);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? '';
    const second = await other.get(next).expect(200);

    expect([...first.body, ...second.body].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(second.headers['link']).toBeUndefined();
  });

  it('cannot be registered under a taken name', async () => {
    const name = freshName();
    await registered(client, name);

    const { body } = await client.post('/api/domains', { name, contacts: { registrant: REGISTRANT } }).expect(409);

    expect(body).toEqual({ error: { code: 'DOMAIN_UNAVAILABLE', message: 'Domain not available for registration' } });
  });

  it('are registered by exactly one of 20 parallel requests for a name', async () => {
    const name = freshName();

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/api/domains', { name, contacts: { registrant: REGISTRANT } })),
    );

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ]);
    expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.error.code))).toEqual(
      new Set(['DOMAIN_UNAVAILABLE']),
    );
  });

  it('queue a change while the registration is in progress', async () => {
    const { body } = await client
      .post('/api/domains', { name: freshName(), contacts: { registrant: REGISTRANT } })
      .expect(201);

    const changed = await client
      .put(`/api/domains/${body.id}/nameservers`, { nameservers: ['NS1.example.com.', 'ns2.example.com'] })
      .expect(200);

    expect(changed.body).toEqual({
      id: body.id,
      name: body.name,
      nameservers: ['ns1.example.com', 'ns2.example.com'],
      updated_at: expect.any(String),
    });
  });

  it('keep the nameservers in the order of the request, also at a registry that keeps none', async () => {
    const path = `/api/domains/${await registered(client, freshName())}`;
    for (const nameservers of [
      ['ns1.example.com', 'ns2.example.com'],
      ['ns3.example.com', 'ns2.example.com'],
      ['ns2.example.com', 'ns3.example.com'],
    ]) {
      const { body } = await client.put(`${path}/nameservers`, { nameservers }).expect(200);
      expect(body.nameservers).toEqual(nameservers);
      expect((await client.get(path).expect(200)).body.nameservers).toEqual(nameservers);
    }
  });

  it('return the changed part after a change of contacts, auto-renewal or lock', async () => {
    const name = freshName();
    const id = await registered(client, name);
    const registrant = { ...REGISTRANT, first_name: 'Grace', company_number: '01234567', legal_form: 'LTD' };

    const contacts = await client.put(`/api/domains/${id}/contacts`, { registrant }).expect(200);
    const autorenew = await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
    const lock = await client.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);

    expect(contacts.body).toEqual({
      id,
      name,
      contacts: { registrant: { first_name: 'Grace', last_name: 'Lovelace', email: 'ada@example.com' } },
      updated_at: expect.any(String),
    });
    expect(autorenew.body).toEqual({ id, name, auto_renew: false, updated_at: expect.any(String) });
    expect(lock.body).toEqual({ id, name, transfer_locked: false, updated_at: expect.any(String) });
    const { body } = await client.get(`/api/domains/${id}`).expect(200);
    expect(body).toMatchObject({ auto_renew: false, transfer_locked: false, contacts: { registrant } });
  });

  it('are renewed from the current expiry, and the response has the price', async () => {
    const name = freshName();
    const id = await registered(client, name);
    const before = (await client.get(`/api/domains/${id}`)).body.expires_at as string;

    const { body } = await client.post(`/api/domains/${id}/renew`, { years: 2 }).expect(200);

    expect(body).toEqual({
      id,
      name,
      status: 'active',
      expires_at: expect.any(String),
      updated_at: expect.any(String),
      renewal: { years: 2, price: 20.88, currency: 'USD' },
    });
    expect(Number(body.expires_at.slice(0, 4))).toBe(Number(before.slice(0, 4)) + 2);
  });

  it.each(['2020-01-31', '2020-01-31T00:00:00Z'])(
    'are not renewed from %s if that is not the current expiry, and the response says which is',
    async (wrong) => {
      const id = await registered(client, `expected-${wrong.length}.com`);
      const { body: before } = await client.get(`/api/domains/${id}`);

      const { body } = await client.post(`/api/domains/${id}/renew`, { current_expiry: wrong }).expect(422);
      expect(body.error).toMatchObject({
        code: 'REGISTRY_REJECTED',
        details: expect.stringContaining(
          `The current expiry is ${formatDay(new Date(before.expires_at))}, not 2020-01-31`,
        ),
      });
      await client.post(`/api/domains/${id}/renew`, { current_expiry: before.expires_at }).expect(200);
      await client.post(`/api/domains/${id}/renew`, { current_expiry: before.expires_at }).expect(422);

      const { body: after } = await client.get(`/api/domains/${id}`);
      expect(after.expires_at).toBe(addYears(new Date(before.expires_at), 1).toISOString());
    },
  );

  it('are not renewed if current_expiry is neither a time nor a day', async () => {
    const id = await registered(client, 'no-time.com');

    for (const wrong of ['', 'soon', '2027-02-28T00:00:00', '2027-13-01', 7, null]) {
      const { body } = await client.post(`/api/domains/${id}/renew`, { current_expiry: wrong }).expect(400);

      expect(body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: expect.stringContaining('current_expiry'),
      });
    }
  });

  it('are renewed for one year without a body', async () => {
    const id = await registered(client, freshName());

    const { body } = await client.post(`/api/domains/${id}/renew`).expect(200);

    expect(body.renewal.years).toBe(1);
  });

  it.each(['null', '[]', '1'])('are not renewed if the body is %s', async (body) => {
    const id = await registered(client, freshName());
    const before = (await client.get(`/api/domains/${id}`)).body;

    const answer = await client
      .post(`/api/domains/${id}/renew`)
      .set('Content-Type', 'application/json')
      .send(body)
      .expect(400);

    expect(answer.body.error.details).toBe('The body must be a JSON object');
    expect((await client.get(`/api/domains/${id}`)).body).toEqual(before);
  });

  it('cannot be renewed past ten years from now', async () => {
    const id = await registered(client, freshName());

    const { body } = await client.post(`/api/domains/${id}/renew`, { years: 10 }).expect(400);

    expect(body).toEqual({
      error: {
        code: 'VALIDATION_ERROR',
        message: 'Request validation failed',
        details: 'years must not extend the expiry to more than ten years from now',
      },
    });
  });

  it('get an auth code with its expiry', async () => {
    const name = freshName();
    const id = await registered(client, name);

    const { body } = await client.post(`/api/domains/${id}/auth-code`).expect(200);

    expect(body).toEqual({
      id,
      name,
      auth_code: expect.stringMatching(/^[A-Za-z0-9-]{25,32}$/),
      expires_at: expect.stringMatching(/Z$/),
    });
  });

  it('get no auth code if the body has unknown fields', async () => {
    const id = await registered(client, freshName());

    const { body } = await client.post(`/api/domains/${id}/auth-code`, { valid_days: 3 }).expect(400);

    expect(body.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'Request validation failed',
      details: 'valid_days is not a known member',
    });
  });

  it('are not found if they are another account’s', async () => {
    const id = await registered(client, freshName());
    const stranger = api(service(), await service().key(await service().account()));
    const notFound = { error: { code: 'DOMAIN_NOT_FOUND', message: 'Specified domain not found' } };

    expect((await stranger.get(`/api/domains/${id}`).expect(404)).body).toEqual(notFound);
    expect((await stranger.put(`/api/domains/${id}/autorenew`, { auto_renew: true }).expect(404)).body).toEqual(
      notFound,
    );
    expect((await stranger.get(`/api/domains/${id}/dns/records`).expect(404)).body).toEqual(notFound);
    expect((await stranger.get(`/api/domains/${id}%20`).expect(404)).body).toEqual(notFound);
  });

  it.each([
    [
      'nameservers',
      { nameservers: ['ns1.example.com'] },
      'INVALID_NAMESERVERS',
      'At least 2 nameservers are required, 1 given',
    ],
    [
      'nameservers',
      { nameservers: ['ns1.example.com', 'NS1.Example.com.', '192.0.2.1', 'ns_2.example.com'] },
      'INVALID_NAMESERVERS',
      `nameservers[1] repeats ns1.example.com; nameservers[2] ${HOST}; nameservers[3] ${HOST}`,
    ],
    ['nameservers', {}, 'VALIDATION_ERROR', expect.stringContaining('nameservers')],
    ['autorenew', { auto_renew: null }, 'VALIDATION_ERROR', expect.stringContaining('auto_renew')],
    ['autorenew', { auto_renew: true, autorenew: true }, 'VALIDATION_ERROR', expect.stringContaining('autorenew')],
    ['transfer-lock', { transfer_locked: 'yes' }, 'VALIDATION_ERROR', expect.stringContaining('transfer_locked')],
    [
      'contacts',
      { registrant: { ...REGISTRANT, phone: '12345' } },
      'VALIDATION_ERROR',
      expect.stringContaining('registrant.phone'),
    ],
  ])('reject an invalid change of %s: %j', async (part, change, code, details) => {
    const id = await registered(client, freshName());
    const before = (await client.get(`/api/domains/${id}`)).body;

    const { body } = await client.put(`/api/domains/${id}/${part}`, change).expect(400);

    expect(body.error).toEqual({ code, message: expect.any(String), details });
    expect((await client.get(`/api/domains/${id}`)).body).toEqual(before);
  });

  it.each([
    ['a name of one label', { name: 'nodots' }, 400, 'VALIDATION_ERROR'],
    ['a name under an unknown TLD', { name: 'some.unknowntld' }, 409, 'DOMAIN_UNAVAILABLE'],
    ['a name with two labels under its TLD', { name: 'a.b.com' }, 409, 'DOMAIN_UNAVAILABLE'],
    ['a well-known name', { name: 'google.com' }, 409, 'DOMAIN_UNAVAILABLE'],
    ['no years', { name: 'a1.com', years: 0 }, 400, 'VALIDATION_ERROR'],
    ['eleven years', { name: 'a1.com', years: 11 }, 400, 'VALIDATION_ERROR'],
    ['a term that the TLD does not sell', { name: 'a1.de', years: 2 }, 400, 'VALIDATION_ERROR'],
    ['a typo in a member', { name: 'a1.com', auto_renwe: false }, 400, 'VALIDATION_ERROR'],
  ])('reject a registration with %s', async (_what, part, status, code) => {
    const { body } = await client
      .post('/api/domains', { contacts: { registrant: REGISTRANT }, ...part })
      .expect(status);

    expect(body.error.code).toBe(code);
  });

  it('report all errors of a registration at once', async () => {
    const registrant = {
      ...REGISTRANT,
      email: 'ada at example.com',
      address: { ...REGISTRANT.address, country: 'UK' },
    };

    const { body } = await client
      .post('/api/domains', { name: 'nodots', years: 11, contacts: { registrant } })
      .expect(400);

    expect(body.error.details).toMatch(
      /^name must .*; years must .*; contacts\.registrant\.email must .*; contacts\.registrant\.address\.country must [^;]*$/,
    );
  });

  it('report all errors of a search at once', async () => {
    const { body } = await client.post('/api/domains/search', { query: 'a.b', tlds: ['com', '.net', ''] }).expect(400);

    expect(body.error.details).toMatch(/^query must .*; tlds\[1\] must .*; tlds\[2\] must [^;]*$/);
  });

  it('store an internationalized name as its A-label', async () => {
    const id = await registered(client, `bücher-${(serial += 1)}.com`);

    expect((await client.get(`/api/domains/${id}`)).body.name).toMatch(/^xn--bcher-.*\.com$/);
  });

  it('have no idn_language at a registry that does not ask for one', async () => {
    const item = { name: 'bücher-language.com', idn_language: 'de' };

    const { body } = await client.post('/api/domains/quote', { domains: [item] }).expect(400);

    expect(body.error.details).toMatch(/^domains\[0\]\.idn_language must be absent/);
  });

  it('are searched in the order of the TLDs, each once, with prices', async () => {
    const { body } = await client
      .post('/api/domains/search', { query: 'Free-Name', tlds: ['net', 'nosuchtld', 'com', 'net'] })
      .expect(200);

    expect(body).toEqual({
      results: [
        { name: 'free-name.net', available: true, price: { registration: 11.84, renewal: 11.84, currency: 'USD' } },
        { name: 'free-name.nosuchtld', available: false, price: null },
        { name: 'free-name.com', available: true, price: { registration: 10.44, renewal: 10.44, currency: 'USD' } },
      ],
    });
  });

  it('are quoted, and unavailable names do not count in the total', async () => {
    const { body } = await client
      .post('/api/domains/quote', { domains: [{ name: 'free-name.com', years: 3 }, { name: 'google.com' }] })
      .expect(200);

    expect(body).toEqual({
      quotes: [
        {
          name: 'free-name.com',
          years: 3,
          available: true,
          price: { registration: 10.44, total: 31.32, currency: 'USD' },
          quote_id: expect.stringMatching(/^quote_/),
          expires_at: expect.any(String),
        },
        { name: 'google.com', years: 1, available: false, price: null },
      ],
      total: { amount: 31.32, currency: 'USD' },
    });
  });

  it('name invalid quote items by their index', async () => {
    const { body } = await client
      .post('/api/domains/quote', {
        domains: [{ name: 'free-name.com' }, { name: 'nodots', years: 0 }, { name: 'x.com', years: 0 }],
      })
      .expect(400);

    expect(body.error.details).toMatch(
      /^domains\[1\]\.name must .*; domains\[1\]\.years must .*; domains\[2\]\.years must [^;]*$/,
    );
  });
});
