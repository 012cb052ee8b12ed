import { setTimeout as sleep } from 'node:timers/promises';
import { onBothDatabases } from '../../../support/databases/databases';
import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';
import { api, REGISTRANT, registered, type Api } from '../../../support/service/service';

/** As a form has them. */
function fieldsOf({ address, ...registrant }: typeof REGISTRANT): Record<string, string> {
  const fields = Object.entries(address).map(([name, value]) => [`address.${name}`, value]);
  return { ...registrant, ...(Object.fromEntries(fields) as Record<string, string>) };
}

onBothDatabases('approval rules in the dashboard', (service) => {
  let client: Api;
  let first: DashboardClient;
  let second: DashboardClient;

  beforeAll(async () => {
    const accountId = await service().account();
    client = api(service(), await service().key(accountId));
    first = await signIn(service(), accountId);
    second = await signIn(service(), accountId);
  });

  it('are added and deleted by owners, and invalid ones are refused', async () => {
    const rule = { records: 'on', purchases: 'on', types: 'MX, TXT', over: '50' };
    const refused = await first.post('/approval-rules', { records: 'on', types: 'NOPE' }).expect(400);
    await first.post('/approval-rules', {}).expect(400);
    await first.post('/approval-rules', rule).expect(303);

    expect(refused.text).toContain('Must be some of');
    expect((await first.get('/approval-rules').expect(200)).text).toContain(
      'Records, Purchases; types MX, TXT; over 50.00 USD; for all names',
    );
    const others = { nameservers: 'on', dnssec: 'on', contacts: 'on', deletion: 'on', transfer_out: 'on' };
    const { headers } = await first.post('/approval-rules', others).expect(303);
    expect(headers['location']).toMatch(/^\/proposals\/prop_/);
    await first.post(`${headers['location']}/accept`).expect(403);
    await second.post(`${headers['location']}/accept`).expect(303);
    expect((await second.get('/approval-rules')).text).toContain('Nameservers, DNSSEC');
  });

  const read = async (id: string) =>
    Promise.all(
      ['', '/dns/records', '/dnssec'].map(async (path) => (await client.get(`/api/domains/${id}${path}`)).body),
    );

  it.each([
    ['a record', 'records', { type: 'TXT', name: 'new', content: 'y', ttl: '300' }],
    ['nameservers', 'nameservers', { nameservers: 'ns1.example.net ns2.example.net' }],
    ['DNSSEC', 'dnssec', { on: 'yes' }],
    ['unlocking', 'transfer-lock', { on: 'no' }],
    ['a deletion', 'delete', {}],
  ])(
    'make a proposal of a form for %s, which does the same when someone else accepts it',
    async (_what, path, form) => {
      const name = `approved-${path}.com`;
      const id = await registered(client, name);
      const before = await read(id);

      const { headers } = await first.post(`/domains/${id}/${path}`, { ...form, confirm_name: name }).expect(303);

      const page = await first.get(String(headers['location'])).expect(200);
      expect(headers['location']).toMatch(/^\/proposals\/prop_/);
      expect(page.text).toContain('Nothing was changed yet');
      expect(await read(id)).toEqual(before);
      await first.post(`${headers['location']}/accept`).expect(403);
      const accepted = await second.post(`${headers['location']}/accept`).expect(303);
      expect((await second.get(String(accepted.headers['location']))).text).toMatch(/Accepted and (done|ordered)/);
      expect(await read(id)).not.toEqual(before);
    },
  );

  it('make a proposal of a zone file of more records than a batch has, and of going back', async () => {
    const id = await registered(client, 'approved-file.com');
    const versionOf = async () =>
      String((await client.get(`/api/domains/${id}/dns/records`).expect(200)).headers['zone-version']);
    const accepted = async (path: string, form: Record<string, string>) => {
      const send = path.endsWith('/zone-file') ? first.upload(path, form) : first.post(path, form);
      const { headers } = await send.expect(303);
      expect(headers['location']).toMatch(/^\/proposals\/prop_/);
      await second.get(String(headers['location'])).expect(200);
      await second.post(`${headers['location']}/accept`).expect(303);
      return ((await client.get(`/api/domains/${id}/dns/records`).expect(200)).body as unknown[]).length;
    };
    const before = await versionOf();
    const text = Array.from({ length: 501 }, (_, index) => `h${index} 300 IN TXT "x"\n`).join('');

    expect(await accepted(`/domains/${id}/zone-file`, { text, mode: 'add', expected: before })).toBe(501);
    const undo = { expected: await versionOf() };
    expect(await accepted(`/domains/${id}/history/${before}/roll-back`, undo)).toBe(0);
  });

  const records = async (zoneId: string) =>
    ((await client.get(`/api/zones/${zoneId}/dns/records`).expect(200)).body as { name: string; type: string }[])
      .filter(({ type }) => type !== 'NS' && type !== 'SOA')
      .map(({ name, type }) => `${name} ${type}`);
  const hosted = async (zone: object) =>
    (await client.post('/api/zones', zone).expect(201)).body as { readonly id: string };
  const proposed = async (path: string, form: Record<string, string>) => {
    const { headers } = await first.post(path, form).expect(303);
    expect(headers['location']).toMatch(/^\/proposals\/prop_/);
    return String(headers['location']);
  };
  const acceptedBySecond = async (proposal: string) => {
    await second.get(proposal).expect(200);
    await second.post(`${proposal}/accept`).expect(303);
    const { body } = await client.get(`/api${proposal}`).expect(200);
    expect(body).toMatchObject({ state: 'accepted' });
  };

  const ordered = async (names: readonly string[]) => {
    const form = { ...fieldsOf(REGISTRANT), nameservers: '' };
    const { headers } = await first
      .postMany('/register/order', {
        ...Object.fromEntries(Object.entries(form).map(([name, value]) => [name, [value]])),
        agreed: names.map((name) => `${name} 1 1100 USD`),
      })
      .expect(303);
    return headers['location'];
  };
  const namesOf = async () =>
    ((await client.get('/api/domains').expect(200)).body as { name: string }[]).map(({ name }) => name);

  /** Newest first. */
  const jobs = async () => (await client.get('/api/bulk').expect(200)).body;
  const latestJobEnds = async () => {
    while ((await jobs())[0].finished_at === null) await sleep(20);
  };

  const reviewed = async (names: readonly string[]) => {
    const codes: string[] = [];
    for (const name of names)
      codes.push((await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200)).body.auth_code);
    const lines = names.map((name, index) => `${name},${codes[index]}`).join('\n');
    const form = { ...fieldsOf(REGISTRANT), auth_codes: lines };
    const { text } = await first.post('/transfers/several/review', form).expect(200);
    return { codes, sealed: /name="sealed" value="([^"]+)"/.exec(text)?.[1] ?? '' };
  };

  const renewed = async (domains: readonly string[]) => {
    const { text } = await first.get(`/bulk/new?action=renew&${domains.map((id) => `id=${id}`).join('&')}`);
    const hidden = ['years', 'renewals', 'price', 'currency'].map((name) => [
      name,
      [new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''],
    ]);
    const { headers } = await first
      .postMany('/bulk', { action: ['renew'], id: domains, ...Object.fromEntries(hidden) })
      .expect(303);
    return String(headers['location']);
  };

  describe('that name a part of what a form does', () => {
    const part = 'whole.example';
    const zones = async () =>
      ((await client.get('/api/zones').expect(200)).body as { id: string; name: string }[])
        .filter(({ name }) => name.endsWith(part))
        .map(({ name }) => name);

    let forward: string;
    let reverse: string;
    let pointing: string;
    let pointed: string;

    beforeAll(async () => {
      const accountId = await service().account();
      client = api(service(), await service().key(accountId));
      first = await signIn(service(), accountId);
      second = await signIn(service(), accountId);
      forward = (await hosted({ name: part })).id;
      reverse = (await hosted({ network: '10.91.0.0/24' })).id;
      await hosted({ name: `old.${part}` });
      pointing = (await hosted({ name: 'pointing.example' })).id;
      pointed = (await hosted({ network: '10.92.0.0/24' })).id;
      const address = { type: 'A', name: 'www', content: '10.92.0.9', ptr: true };
      await client.post(`/api/zones/${pointing}/dns/records`, address).expect(201);
      const rules = [
        { changes: ['records'], types: ['NS', 'PTR'] },
        { changes: ['purchases'], over: { amount: 20, currency: 'USD' } },
      ];
      await client.put('/api/approval-rules', { rules }).expect(200);
    });

    it('make one proposal of an order of several names that costs too much in all', async () => {
      const names = ['one-of-total.com', 'two-of-total.com'];

      const proposal = String(await ordered(names));

      expect(await namesOf()).toEqual([]);
      const { body } = await client.get('/api/proposals?undecided=true').expect(200);
      expect(body.map(({ id }: { id: string }) => `/proposals/${id}`)).toEqual([proposal]);
      const { text } = await second.get(proposal).expect(200);
      for (const name of names) expect(text).toContain(`Register ${name}`);
      expect(text).toContain('Accept for $22.00');
      await acceptedBySecond(proposal);
      expect((await second.get(proposal).expect(200)).text).toContain('<a href="/bulk">');
      await latestJobEnds();
      expect((await namesOf()).toSorted()).toEqual(names);
      expect((await second.get(`/bulk/${(await jobs())[0].id}`).expect(200)).text).toContain('2 done, 0 failed');
    });

    it('order names that do not cost too much in all', async () => {
      expect(await ordered(['cheap.com'])).toBe('/domains');
      expect(await namesOf()).toContain('cheap.com');
    });

    it('make one proposal of several transfers that cost too much in all, which shows no auth code', async () => {
      const names = ['in-one-of-total.com', 'in-two-of-total.com'];
      const { codes, sealed } = await reviewed(names);
      const before = await jobs();

      const proposal = await proposed('/transfers/several', { sealed, price: '2088', currency: 'USD' });

      expect(await jobs()).toHaveLength(before.length);
      const { text } = await second.get(proposal).expect(200);
      for (const name of names) expect(text).toContain(`Transfer here ${name}`);
      expect(text).toContain('Accept for $20.88');
      const { body } = await client.get(`/api${proposal}`).expect(200);
      for (const code of codes) expect(`${text} ${JSON.stringify(body)}`).not.toContain(code);
      await acceptedBySecond(proposal);
      await latestJobEnds();
      expect((await jobs())[0]).toMatchObject({ action: 'transfer', done: 2, failed: 0 });
    });

    it('order several transfers that do not cost too much in all', async () => {
      const { sealed } = await reviewed(['in-cheap.com']);

      const { headers } = await first.post('/transfers/several', { sealed, price: '1044', currency: 'USD' });

      expect(headers['location']).toMatch(/^\/bulk\/blk_/);
    });

    it('propose a renewal of several domains that costs too much in all', async () => {
      const ids = [await registered(client, 'renewed-one.com'), await registered(client, 'renewed-two.com')];
      const before = await jobs();
      const proposal = await renewed(ids);

      expect(proposal).toMatch(/^\/proposals\/prop_/);
      expect(await jobs()).toHaveLength(before.length);
      await acceptedBySecond(proposal);
      // Until then a domain is busy, and its renewal is refused.
      await latestJobEnds();
      expect(await renewed(ids.slice(1))).toMatch(/^\/bulk\/blk_/);
    });

    it('propose a record together with its PTR record', async () => {
      const record = { type: 'A', name: 'www', content: '10.91.0.7', ttl: '300', has_ptr: 'on', ptr: 'on' };

      const proposal = await proposed(`/domains/${forward.replace('zone_', 'dom_')}/records`, record);
      await acceptedBySecond(proposal);

      expect(await records(forward)).toEqual(['www A']);
      expect(await records(reverse)).toEqual(['7 PTR']);
    });

    it('propose the new zone together with its delegation in the zone above', async () => {
      const proposal = await proposed('/add/dns', { name: `new.${part}`, records: 'none' });
      expect(await zones()).not.toContain(`new.${part}`);

      await acceptedBySecond(proposal);

      expect(await zones()).toContain(`new.${part}`);
    });

    it('propose the deletion of a zone together with that of its delegation', async () => {
      const { body } = await client.get(`/api/zones/by-name/old.${part}`).expect(200);
      const path = `/domains/${(body.id as string).replace('zone_', 'dom_')}/delete`;

      const proposal = await proposed(path, { confirm_name: `old.${part}` });
      expect(await zones()).toContain(`old.${part}`);
      await acceptedBySecond(proposal);

      expect(await zones()).not.toContain(`old.${part}`);
    });

    it('propose the deletion of a zone together with that of its PTR records', async () => {
      const path = `/domains/${pointing.replace('zone_', 'dom_')}/delete`;

      const proposal = await proposed(path, { confirm_name: 'pointing.example' });
      expect(await records(pointed)).toEqual(['9 PTR']);
      await acceptedBySecond(proposal);

      expect(await records(pointed)).toEqual([]);
      await client.get(`/api/zones/${pointing}`).expect(404);
    });
  });
});
