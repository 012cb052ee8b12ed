import { onBothDatabases } from '../../support/databases/databases';
import { signIn, type DashboardClient } from '../../support/dashboard/dashboard-client';
import { api, registered, REGISTRANT, type Api } from '../../support/service/service';

const RECORD = { name: 'www', type: 'A', content: '192.0.2.1' };

const versions = (html: string) =>
  Object.fromEntries(
    ['zone', 'settings'].map((name) => [name, new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '']),
  );

onBothDatabases('the desired state of a domain in the dashboard', (service) => {
  let client: Api;
  let dashboard: DashboardClient;
  let serial = 0;
  let id: string;
  let state: string;

  const records = async () =>
    (await client.get(`/api/domains/${id}/dns/records`).expect(200)).body.map(
      ({ name, content }: typeof RECORD) => `${name} ${content}`,
    );
  const page = async () => (await dashboard.get(`/domains/${id}/state`).expect(200)).text;
  const isListed = async () => (await dashboard.get('/drift').expect(200)).text.includes(`/domains/${id}/state`);
  const settle = async (how: 'adopt' | 'set-back', html: string) =>
    dashboard.post(`/domains/${id}/state/${how}`, versions(html)).expect(303);

  beforeAll(async () => {
    const accountId = await service().account();
    client = api(service(), await service().key(accountId));
    dashboard = await signIn(service(), accountId);
  });

  beforeEach(async () => {
    const name = `kept-${(serial += 1)}.com`;
    id = await registered(client, name);
    state = `/api/domains/by-name/${name}/state`;
    await client.put(state, { records: [RECORD], auto_renew: true }).expect(200);
  });

  it('leads from the overview to all names that were changed by hand', async () => {
    await client.post(`/api/domains/${id}/dns/records`, { ...RECORD, name: 'by-hand' }).expect(201);

    const overview = (await dashboard.get('/').expect(200)).text;
    const list = (await dashboard.get('/drift').expect(200)).text;

    expect(overview).toContain('href="/drift"');
    expect(list).toContain(`href="/domains/${id}/state"`);
    await settle('set-back', await page());
    expect((await dashboard.get('/drift').expect(200)).text).toContain(
      'No records or settings were changed past a desired state',
    );
  });

  it('is linked from the records, and says that nothing was changed by hand', async () => {
    await dashboard
      .get(`/domains/${id}/records`)
      .expect(200)
      .expect(/desired state, and what was changed by hand/);

    expect(await page()).toContain('The name is as the state says.');
  });

  it('says why the state can no longer be applied, and offers nothing that would fail', async () => {
    await client.put(state, {
      managed_by: 'git',
      records: [{ ...RECORD, name: 'alias', type: 'CNAME', content: 'a.net' }],
    });
    const listed = (await client.get(`/api/domains/${id}/dns/records`).expect(200)).body as {
      id: string;
      name: string;
    }[];
    const alias = listed.find(({ name }) => name === 'alias')?.id;
    await client.delete(`/api/domains/${id}/dns/records/${alias}`).expect(200);
    await client.post(`/api/domains/${id}/dns/records`, { ...RECORD, name: 'alias' }).expect(201);

    const html = await page();

    expect(html).toContain('The state can no longer be applied');
    expect(html).not.toContain('state/set-back');
  });

  it('shows what was changed by hand, and sets it back', async () => {
    await client.post(`/api/domains/${id}/dns/records`, { ...RECORD, name: 'by-hand' }).expect(201);
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
    const html = await page();
    expect(html).toContain('Changed by hand');
    expect(html).toContain('by-hand');
    expect(html).toContain('Auto-renewal');

    await settle('set-back', html);

    expect(await records()).toEqual(['www 192.0.2.1']);
    expect((await client.get(`/api/domains/${id}`)).body.auto_renew).toBe(true);
    expect(await page()).toContain('The name is as the state says.');
  });

  it('can be what the name is now', async () => {
    await client.post(`/api/domains/${id}/dns/records`, { ...RECORD, name: 'by-hand', comment: 'kept' }).expect(201);
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);

    await settle('adopt', await page());

    expect(await records()).toEqual(expect.arrayContaining(['www 192.0.2.1', 'by-hand 192.0.2.1']));
    const { body } = await client.get(state).expect(200);
    expect(body.state).toMatchObject({
      auto_renew: false,
      records: expect.arrayContaining([expect.objectContaining({ name: 'by-hand', comment: 'kept' })]),
    });
    expect(await page()).toContain('The name is as the state says.');
  });

  describe('of which settings were changed by hand', () => {
    const [WANTED, BY_HAND] = [
      { transfer_locked: true, auto_renew: true, tags: ['shop'] },
      { transfer_locked: false, auto_renew: false, tags: ['other'] },
    ];
    const OTHERS = ['ns1.example.net', 'ns2.example.net'];
    let nameservers: readonly string[];

    beforeAll(() => registered(client, 'contact-of-states.com'));
    beforeEach(async () => {
      nameservers = (await client.get(`/api/domains/${id}`).expect(200)).body.nameservers;
      const registrant = { contact: 'contact-of-states.com' };
      await client.put(state, { ...WANTED, nameservers, registrant, dnssec: { enabled: false } }).expect(200);
      for (const [path, body] of [
        ['dnssec', { enabled: true }],
        ['nameservers', { nameservers: OTHERS }],
        ['transfer-lock', { transfer_locked: false }],
        ['autorenew', { auto_renew: false }],
        ['tags', { tags: ['other'] }],
        ['contacts', { registrant: { ...REGISTRANT, first_name: 'Grace' } }],
      ] as const)
        await client.put(`/api/domains/${id}/${path}`, body).expect(200);
    });

    it('shows what sets each back, and nothing once they are set back', async () => {
      const html = await page();
      const changes = [...html.matchAll(/<dt>([^<]+)<\/dt><dd><del>([^<]*)<\/del> <ins>([^<]*)<\/ins>/g)];
      expect(html).toContain('Changed by hand');
      expect(changes.map(([, ...change]) => change)).toEqual([
        ['Nameservers', OTHERS.join(', '), nameservers.join(', ')],
        ['Registrant', 'Grace Lovelace', 'Ada Lovelace'],
        ['Transfer lock', 'off', 'on'],
        ['Auto-renewal', 'off', 'on'],
        ['Tags', 'other', 'shop'],
        ['DNSSEC', 'on, NSEC', 'off'],
      ]);
      expect(await isListed()).toBe(true);

      await settle('set-back', html);

      expect(await page()).toContain('The name is as the state says.');
      expect(await isListed()).toBe(false);
      expect((await client.get(state).expect(200)).body).toMatchObject({ state: WANTED, drift: { settings: [] } });
    });

    it('makes them the state, and leaves out a registrant, which no contact has', async () => {
      await settle('adopt', await page());

      expect(await page()).toContain('The name is as the state says.');
      expect(await isListed()).toBe(false);
      const { body } = await client.get(state).expect(200);
      expect(body.state).toMatchObject({ ...BY_HAND, nameservers: OTHERS, dnssec: { enabled: true } });
      expect(body.state).not.toHaveProperty('registrant');
      expect((await client.get(`/api/domains/${id}`).expect(200)).body).toMatchObject({
        ...BY_HAND,
        nameservers: OTHERS,
      });
    });
  });

  it('changes nothing if the name was changed since it was looked at', async () => {
    await client.post(`/api/domains/${id}/dns/records`, { ...RECORD, name: 'by-hand' }).expect(201);
    const html = await page();
    await client.post(`/api/domains/${id}/dns/records`, { ...RECORD, name: 'later' }).expect(201);

    await settle('set-back', html);

    expect(await records()).toEqual(expect.arrayContaining(['by-hand 192.0.2.1', 'later 192.0.2.1']));
  });
});
