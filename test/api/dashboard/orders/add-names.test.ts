import type { TsigKey } from '../../../../src/domain/dns/secondaries/tsig-key';
import { readTsig } from '../../../../src/infrastructure/nameserver/wire/wire-query';
import { TsigSigner } from '../../../../src/infrastructure/nameserver/wire/tsig';
import { aUser, DashboardClient, signIn } from '../../../support/dashboard/dashboard-client';
import { onBothDatabases } from '../../../support/databases/databases';
import { StubZoneServer, ZONE } from '../../../support/nameservers/stub-zone-server';
import { api } from '../../../support/service/service';

onBothDatabases('adding a name in the dashboard', (service) => {
  let serial = 0;
  const aName = () => `added-${(serial += 1)}.example`;

  async function anAccount() {
    const account = await service().account();
    return {
      account,
      client: api(service(), await service().key(account)),
      dashboard: await signIn(service(), account),
    };
  }

  it('asks one question, and leads on to the pages of the answer', async () => {
    const { dashboard } = await anAccount();

    const { text } = await dashboard.get('/add').expect(200);

    for (const url of ['/register', '/transfers/new', '/imports', '/add/dns']) {
      expect(text).toContain(`<a class="choice" href="${url}">`);
      await dashboard.get(url).expect(200);
    }
  });

  it('is among the first steps of an empty account', async () => {
    const { dashboard } = await anAccount();

    const { text } = await dashboard.get('/').expect(200);

    for (const url of ['/add', '/add/dns']) expect(text).toContain(`href="${url}"`);
    expect((await dashboard.get('/domains')).text).toContain('<a href="/add">Add your first name</a>');
  });

  it('hosts the DNS of a name without records', async () => {
    const { dashboard } = await anAccount();
    const name = aName();

    await dashboard.get('/add/dns').expect(200);
    const { headers } = await dashboard
      .post('/add/dns', { name: ` ${name.toUpperCase()} `, records: 'none' })
      .expect(303);

    expect(headers['location']).toMatch(/^\/domains\/dom_\w+$/);
    const { text } = await dashboard.get(headers['location'] ?? '').expect(200);
    expect(text).toContain(`${name} is hosted here. Set its nameservers: ns1`);
  });

  it('shows the records of a zone file before it creates the zone with them', async () => {
    const { dashboard, client } = await anAccount();
    const name = aName();
    const file = 'www 300 IN A 192.0.2.7\n@ 300 IN MX 10 mail.example.net.\n';

    await dashboard.get('/add/dns').expect(200);
    const asked = (await dashboard.post('/add/dns', { name, records: 'zonefile' }).expect(200)).text;
    const wrong = (await dashboard.upload('/add/dns/plan', { name, text: 'www 300 IN A 192.0.2.777\n' }).expect(400))
      .text;
    const planned = (await dashboard.upload('/add/dns/plan', { name, text: file }).expect(200)).text;
    const before = (await client.get('/api/zones').expect(200)).body;
    const { headers } = await dashboard.upload('/add/dns/file', { name, text: file }).expect(303);

    expect(asked).toContain(`name="name" value="${name}"`);
    expect(wrong).toContain('id="text-error"');
    expect(planned).toContain('The zone begins with 2 records.');
    expect(planned).toContain('192.0.2.7');
    expect(before).toEqual([]);
    const { text } = await dashboard.get(headers['location'] ?? '').expect(200);
    expect(text).toContain(`${name} is hosted here. 2 records were copied. Set its nameservers: ns1`);
    expect((await client.get('/api/zones')).body).toMatchObject([{ name, records: 2 }]);
  });

  it('asks for the values of a template, and shows its records before it creates the zone with them', async () => {
    const { dashboard, client } = await anAccount();
    const name = aName();
    const { body: template } = await client
      .post('/api/record-templates', { name: 'Our mail', records: '@ 300 MX 10 {mail_server}' })
      .expect(201);
    const form = { name, records: 'template', template: template.id };

    expect((await dashboard.get('/add/dns').expect(200)).text).toContain('>Our mail</option>');
    const asked = (await dashboard.post('/add/dns', form).expect(200)).text;
    const missing = (await dashboard.post('/add/dns', { ...form, asked: 'yes', 'values.mail_server': '' }).expect(400))
      .text;
    const values = { ...form, asked: 'yes', 'values.mail_server': 'mx.example.net.' };
    const planned = (await dashboard.post('/add/dns', values).expect(200)).text;
    const before = (await client.get('/api/zones').expect(200)).body;
    const { headers } = await dashboard.post('/add/dns', { ...values, confirmed: 'yes' }).expect(303);

    expect(asked).toContain('Mail server');
    expect(missing).toContain('id="values-mail_server-error"');
    expect(planned).toContain('The zone begins with 1 record.');
    expect(planned).toContain('mx.example.net');
    expect(before).toEqual([]);
    expect((await dashboard.get(headers['location'] ?? '')).text).toContain('1 record was copied');
    expect((await client.get('/api/zones')).body).toMatchObject([{ name, records: 1 }]);
  });

  it('keeps the form, without the secret, if the present zone cannot be read', async () => {
    const { dashboard, client } = await anAccount();
    const name = aName();
    const key = { 'tsig.name': 'k', 'tsig.algorithm': 'hmac-sha256', 'tsig.secret': 'c2VjcmV0LXNlY3JldC0xMjM0' };

    await dashboard.get('/add/dns').expect(200);
    const form = { name, records: 'transfer', nameserver: '127.0.0.1', ...key };
    const { text } = await dashboard.post('/add/dns', form).expect(422);

    expect(text).toContain('value="127.0.0.1"');
    expect(text).not.toContain(key['tsig.secret']);
    expect((await client.get('/api/zones')).body).toEqual([]);
  });

  it.each([
    ['192.0.2.0/24', '2.0.192.in-addr.arpa'],
    ['2001:DB8::/48', '0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
    ['64/26.100.51.198.in-addr.arpa', '64/26.100.51.198.in-addr.arpa'],
  ])('hosts the reverse zone of %s', async (given, name) => {
    const { dashboard, client } = await anAccount();

    await dashboard.get('/add/dns').expect(200);
    const { headers } = await dashboard.post('/add/dns', { name: given, records: 'none' }).expect(303);

    expect((await client.get(`/api/zones?name=${encodeURIComponent(name)}`)).body).toMatchObject([{ name }]);
    expect((await dashboard.get(headers['location'] ?? '')).text).toContain(name);
    await client.delete(`/api/zones/${(await client.get('/api/zones')).body[0].id}`).expect(200);
  });

  it.each(['', 'co.uk', '*.a.example', '192.0.2.0/23', '192.0.2.1/24', '300.0.0.0/24'])(
    'keeps %j in the form with what is wrong with it',
    async (name) => {
      const { dashboard } = await anAccount();

      await dashboard.get('/add/dns').expect(200);
      const { text } = await dashboard.post('/add/dns', { name, records: 'none' }).expect(400);

      expect(text).toContain('id="name-error"');
      expect(text).toContain(name === '' ? ' value ' : ` value="${name}"`);
    },
  );

  it('names the records of the zone above that are in the way, and moves them if told to', async () => {
    const { dashboard, client } = await anAccount();
    const above = aName();
    const { body: zone } = await client.post('/api/zones', { name: above }).expect(201);
    for (const name of ['k8s', 'a.k8s', 'other'])
      await client.post(`/api/zones/${zone.id}/dns/records`, { type: 'A', name, content: '192.0.2.1' }).expect(201);
    const form = { name: `k8s.${above}`, records: 'none' };

    await dashboard.get('/add/dns').expect(200);
    const { text } = await dashboard.post('/add/dns', form).expect(409);
    for (const record of ['k8s A', 'a.k8s A']) expect(text).toContain(`<code>${record}</code>`);
    expect(text).not.toContain('other A');
    expect(text).toContain('name="move_records"');
    expect(text).not.toContain('Set move_records');
    const { headers } = await dashboard.post('/add/dns', { ...form, move_records: 'on' }).expect(303);

    const page = (await dashboard.get(`${headers['location']}/records`).expect(200)).text;
    expect(page).toContain('192.0.2.1');
    await dashboard.post(`${headers['location']}/health`).expect(303);
    const details = (await dashboard.get(headers['location'] ?? '').expect(200)).text;
    expect(details).toContain('The parent zone delegates the name to this service.');
    expect(details).not.toContain('Set these nameservers');
  });

  it('leads to the page of a name that the account has already', async () => {
    const { dashboard, client } = await anAccount();
    const name = aName();
    const { body: zone } = await client.post('/api/zones', { name }).expect(201);

    await dashboard.get('/add/dns').expect(200);
    const { headers } = await dashboard.post('/add/dns', { name, records: 'none' }).expect(303);

    expect(headers['location']).toBe(`/domains/dom_${zone.id.slice(5)}`);
  });

  it('shows how to prove a name that another account has, and checks on demand', async () => {
    const [{ client }, { dashboard }] = [await anAccount(), await anAccount()];
    const name = aName();
    await client.post('/api/zones', { name }).expect(201);

    await dashboard.get('/add/dns').expect(200);
    const { headers } = await dashboard.post('/add/dns', { name, records: 'none' }).expect(303);
    const page = headers['location'] ?? '';
    const { text } = await dashboard.get(page).expect(200);
    await dashboard.post(`${page}/verify`).expect(303);
    const checked = (await dashboard.get(page).expect(200)).text;

    expect(text).toContain('DNS only, not verified');
    expect(text).toContain('Prove that the name is yours');
    expect(text).toContain(`>_namewright.${name}</code>`);
    expect(text).toContain(`>zone=zone_${page.slice('/domains/dom_'.length)}</code>`);
    expect(checked).toContain('The zone is not verified');
  });

  it.each(['dns-editor', 'billing', 'viewer'] as const)('is not offered to a %s', async (role) => {
    const { account } = await anAccount();
    const user = await signIn(service(), account, role);

    expect((await user.get('/add').expect(200)).text).not.toContain('/add/dns');
    await user.get('/add/dns').expect(403);
    await user.post('/add/dns', { name: aName(), records: 'none' }).expect(403);
  });

  it('is not offered to people whose role is for some tags', async () => {
    const { account } = await anAccount();
    const email = await aUser(service(), account, 'manager', `tagged-${(serial += 1)}@example.com`, ['shop']);
    const user = await new DashboardClient(service()).signIn(email);

    expect((await user.get('/add').expect(200)).text).not.toContain('/add/dns');
    await user.get('/add/dns').expect(403);
    await user.post('/add/dns', { name: aName(), records: 'none' }).expect(403);
  });
});

onBothDatabases(
  'adding a name in the dashboard with the records of a zone transfer',
  (service) => {
    const key: TsigKey = { name: 'transfer', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 7) };
    const secret = key.secret.toString('base64');
    let stub: StubZoneServer;
    let nameserver: string;

    beforeAll(async () => {
      stub = new StubZoneServer();
      nameserver = await stub.start();
      const now = Math.floor(Date.now() / 1_000);
      stub.send = (message, request) => {
        const tsig = readTsig(request);
        return tsig?.keyName === key.name ? [new TsigSigner(key, tsig.mac).sign(message, now)] : [message];
      };
    });
    afterAll(() => stub.stop());

    it.each([
      ['', {}],
      [
        ', also signed with a TSIG key, whose secret is not sent back',
        { 'tsig.name': key.name, 'tsig.algorithm': key.algorithm, 'tsig.secret': secret },
      ],
    ])('shows the records of an AXFR, and creates the zone with them%s', async (_title, tsig) => {
      const account = await service().account();
      const client = api(service(), await service().key(account));
      const dashboard = await signIn(service(), account);
      await dashboard.get('/add/dns').expect(200);

      const form = { name: ZONE, records: 'transfer', nameserver, ...tsig };
      const planned = (await dashboard.post('/add/dns', form).expect(200)).text;
      const before = (await client.get('/api/zones').expect(200)).body;
      const [, text = ''] = /<textarea name="text"[^>]*>([^<]*)</.exec(planned) ?? [];
      stub.additional = [{ type: 'A', name: `later.${ZONE}`, ttl: 300, data: '192.0.2.99' }];
      const file = text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      const { headers } = await dashboard.upload('/add/dns/file', { name: ZONE, text: file }).expect(303);
      stub.additional = [];

      expect(planned).toContain('The zone begins with 7 records.');
      expect(planned).toContain('unusual-name');
      expect(planned).not.toContain(secret);
      expect(before).toEqual([]);
      expect((await dashboard.get(headers['location'] ?? '').expect(200)).text).toContain('7 records were copied');
      const [{ id }] = (await client.get('/api/zones').expect(200)).body;
      const { body } = await client.get(`/api/zones/${id}/dns/records`).expect(200);
      const records = (body as Record<string, string>[]).map(({ name, type, content }) => `${name} ${type} ${content}`);
      expect(records.toSorted()).toEqual([
        '@ A 192.0.2.1',
        '@ CAA 0 issue "ca.example.net"',
        '@ MX mail.stub-zone.com',
        '@ TXT v=spf1 -all "quoted"',
        '_sip._tcp SRV sip.stub-zone.com',
        'unusual-name A 192.0.2.9',
        'www CNAME stub-zone.com',
      ]);
      await client.delete(`/api/zones/${id}`).expect(200);
    });
  },
  { ZONE_SOURCE_NETWORKS: '127.0.0.0/8' },
);
