import { AddSecondary } from '../../../../src/application/dns/publishing/add-secondary';
import { CreateTsigKey } from '../../../../src/application/dns/publishing/create-tsig-key';
import { SecondaryDirectory } from '../../../../src/application/ports/dns/publishing';
import { api, registered, type Api } from '../../../support/service/service';
import { onBothDatabases } from '../../../support/databases/databases';
import { StubNameserver } from '../../../support/nameservers/stub-nameserver';
import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';

const BLANK = {
  ttl: '',
  content: '',
  priority: '',
  weight: '',
  port: '',
  caa_flags: '0',
  caa_tag: 'issue',
  caa_value: '',
};

/** The Undo form of the flash message. */
const undo = (html: string) => {
  const [, action = '', inside = ''] =
    /<div class="alert success"[\s\S]*?<form method="post" action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/.exec(html) ?? [];
  const fields = [...inside.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  ]);
  return { action, fields: Object.fromEntries(fields) as Record<string, string> };
};

/** The names of the listed records. */
const names = (html: string) => [...html.matchAll(/class="main-cell"><strong>([^<]+)</g)].map(([, name]) => name);

onBothDatabases('DNS records in the dashboard', (service) => {
  let accountId: string;
  let client: Api;
  let dashboard: DashboardClient;
  let serial = 0;
  let id: string;
  let path: string;

  beforeAll(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
    dashboard = await signIn(service(), accountId);
  });

  beforeEach(async () => {
    id = await registered(client, `records-${(serial += 1)}-${accountId.slice(-6)}.com`);
    path = `/domains/${id}/records`;
  });

  const records = async () => (await client.get(`/api${path.replace('/records', '/dns/records')}`).expect(200)).body;
  const contents = async (): Promise<string[]> =>
    (await records()).map(({ name, content }: Record<string, string>) => `${name} ${content}`).toSorted();
  const add = (fields: Record<string, string>) => dashboard.post(path, { ...BLANK, ...fields });

  it('adds a record of each type with its fields', async () => {
    await add({ type: 'A', name: 'www', content: '192.0.2.1' }).expect(303);
    await add({ type: 'AAAA', name: 'www', content: '2001:DB8::1', ttl: '300' }).expect(303);
    await add({ type: 'CNAME', name: 'alias', content: 'www.example.net' }).expect(303);
    await add({ type: 'MX', name: '@', content: 'mail.example.net', priority: '10' }).expect(303);
    await add({ type: 'TXT', name: '@', content: '<img src=x onerror=alert(1)>' }).expect(303);
    await add({ type: 'NS', name: 'lab', content: 'ns1.example.net' }).expect(303);
    await add({
      type: 'SRV',
      name: '_sip._tcp',
      content: 'sip.example.net',
      priority: '1',
      weight: '2',
      port: '5060',
    }).expect(303);
    await add({
      type: 'CAA',
      name: '@',
      caa_flags: '128',
      caa_tag: 'issue',
      caa_value: 'ca.example.net; policy="x"',
    }).expect(303);

    expect(
      (await records()).map(({ type, content, ttl, priority, weight = null, port = null }: Record<string, unknown>) => [
        type,
        content,
        ttl,
        priority,
        weight,
        port,
      ]),
    ).toEqual([
      ['A', '192.0.2.1', 3600, null, null, null],
      ['AAAA', '2001:db8::1', 300, null, null, null],
      ['CNAME', 'www.example.net', 3600, null, null, null],
      ['MX', 'mail.example.net', 3600, 10, null, null],
      ['TXT', '<img src=x onerror=alert(1)>', 3600, null, null, null],
      ['NS', 'ns1.example.net', 3600, null, null, null],
      ['SRV', 'sip.example.net', 3600, 1, 2, 5060],
      ['CAA', '128 issue "ca.example.net; policy=\\"x\\""', 3600, null, null, null],
    ]);
    const { text } = await dashboard.get(path).expect(200);
    expect(text).toContain('&lt;img src=x');
    expect(text).not.toContain('<img src=x');
  });

  it.each([
    ['content', { type: 'A', name: 'www', content: '999.0.0.1' }, 'A content must be an IPv4 address'],
    ['name', { type: 'A', name: 'a..b', content: '192.0.2.1' }, ''],
    ['name', { type: 'CNAME', name: '@', content: 'example.net' }, 'CNAME cannot be created at the root'],
    ['ttl', { type: 'A', name: 'www', content: '192.0.2.1', ttl: '5' }, 'Must be an integer from 60 to 604800'],
    ['ttl', { type: 'A', name: 'www', content: '192.0.2.1', ttl: 'soon' }, 'Must be an integer from 60 to 604800'],
    ['priority', { type: 'MX', name: '@', content: 'mail.example.net' }, 'MX records require priority'],
    [
      'port',
      { type: 'SRV', name: '_sip._tcp', content: 'sip.example.net', priority: '1', port: '70000' },
      'Must be an integer from 0 to 65535',
    ],
    ['caa_value', { type: 'CAA', name: '@', caa_value: 'not an issuer' }, 'CAA content is invalid: the issuer'],
  ])('shows the error of the API at the field %s', async (field, fields, words) => {
    const { text } = await add(fields as Record<string, string>).expect(400);

    const error = new RegExp(`id="new-${field}-error">([^<]+)<`).exec(text)?.[1];
    expect(error).toContain(words);
    expect(error).not.toBeUndefined();
    expect(text).toMatch(/<span data-full-name="[^"]+">→ [^<]+<\/span>/);
    expect(await records()).toEqual([]);
  });

  it('names the record that conflicts with a new one', async () => {
    await add({ type: 'CNAME', name: 'www', content: 'example.net' }).expect(303);

    await add({ type: 'A', name: 'www', content: '192.0.2.1' })
      .expect(409)
      .expect(/a CNAME must be the only record at its name/);
  });

  it('edits a record in place, with three fields for CAA content', async () => {
    await add({ type: 'CAA', name: '@', caa_value: 'ca.example.net' }).expect(303);
    const [{ id: recordId }] = await records();

    const { text } = await dashboard.get(`${path}?edit=${recordId}`).expect(200);
    expect(text).toMatch(new RegExp(`id="${recordId}-caa_value"[^>]*value="ca.example.net"`));
    await dashboard
      .post(`${path}/${recordId}`, {
        ...BLANK,
        type: 'CAA',
        name: '@',
        caa_tag: 'issuewild',
        caa_value: 'other.example.net',
        ttl: '300',
      })
      .expect(303);
    expect(await records()).toMatchObject([{ id: recordId, content: '0 issuewild "other.example.net"', ttl: 300 }]);
    await dashboard
      .post(`${path}/${recordId}`, { ...BLANK, type: 'A', name: '@', content: 'nonsense' })
      .expect(400)
      .expect(new RegExp(`id="${recordId}-content-error"`));
  });

  it('offers no undo if nothing was changed, because it would take back an earlier change', async () => {
    await add({ type: 'A', name: 'www', content: '192.0.2.1' }).expect(303);
    const [{ id: recordId }] = await records();
    await add({ type: 'A', name: 'earlier', content: '192.0.2.2' }).expect(303);
    const fields = { ...BLANK, type: 'A', name: 'www', content: '192.0.2.1' };

    await dashboard.post(`${path}/${recordId}`, fields).expect(303);

    const { text } = await dashboard
      .get(path)
      .expect(/No change: the record A www 192\.0\.2\.1 already has these values/);
    expect(text).not.toContain('>Undo</button>');
    await dashboard.post(`${path}/${recordId}`, { ...fields, ttl: '300' }).expect(303);
    const { action, fields: version } = undo((await dashboard.get(path).expect(/Saved A www/)).text);
    await dashboard.post(action, version).expect(303);
    expect(await contents()).toEqual(['earlier 192.0.2.2', 'www 192.0.2.1']);
  });

  it('keeps what was entered for a record that was removed in another tab, and shows the list as it is now', async () => {
    await add({ type: 'A', name: 'stale', content: '192.0.2.1' }).expect(303);
    const [{ id: recordId }] = await records();
    await dashboard.post(`${path}/delete`, { ids: recordId }).expect(303);
    await dashboard.get(path).expect(/Deleted A stale/);

    await dashboard.post(`${path}/delete`, { ids: recordId }).expect(303);
    await dashboard.get(path).expect(/No records were deleted\. The record no longer exists/);
    for (const query of ['edit', 'duplicate'])
      await dashboard
        .get(`${path}?${query}=${recordId}`)
        .expect(404)
        .expect(/The record no longer exists[^]*Add<[^>]+> a record/);
    const changed = { ...BLANK, type: 'A', name: 'stale', content: '192.0.2.99' };
    const { text } = await dashboard.post(`${path}/${recordId}`, changed).expect(409);
    expect(text).toMatch(/The record no longer exists[^]*id="new-content"[^>]*value="192\.0\.2\.99"/);
    await dashboard.post(path, changed).expect(303);

    expect(await contents()).toEqual(['stale 192.0.2.99']);
  });

  it('adds a deleted record again on undo', async () => {
    await add({ type: 'CAA', name: '@', caa_value: 'ca.example.net', ttl: '300' }).expect(303);
    const [{ id: recordId }] = await records();

    await dashboard.post(`${path}/delete`, { ids: recordId }).expect(303);
    expect(await records()).toEqual([]);
    const { action, fields } = undo((await dashboard.get(path).expect(200)).text);
    await dashboard.post(action, fields).expect(303);

    expect(await records()).toMatchObject([{ type: 'CAA', name: '@', content: '0 issue "ca.example.net"', ttl: 300 }]);
  });

  it.each([' spaces at either end  ', '\u00a0a no-break space', 'long '.repeat(80)])(
    'keeps the text %j unchanged after an edit and after undo',
    async (content) => {
      await client.post(`/api/domains/${id}/dns/records`, { type: 'TXT', name: '@', content }).expect(201);
      const [{ id: recordId }] = await records();

      const { text: form } = await dashboard.get(`${path}?edit=${recordId}`).expect(200);
      const typed =
        new RegExp(`<input id="${recordId}-content"[^>]* value="([^"]*)"`).exec(form)?.[1]?.replaceAll('&quot;', '"') ??
        '';
      await dashboard
        .post(`${path}/${recordId}`, { ...BLANK, type: 'TXT', name: '@', content: typed, ttl: '300' })
        .expect(303);
      expect(await records()).toMatchObject([{ content, ttl: 300 }]);

      await dashboard.post(`${path}/delete`, { ids: recordId }).expect(303);
      const { action, fields } = undo((await dashboard.get(path).expect(200)).text);
      await dashboard.post(action, fields).expect(303);
      expect(await records()).toMatchObject([{ content, ttl: 300 }]);
    },
  );

  it('deletes many records at once, and undoes it unless the zone has changed since', async () => {
    for (const name of ['a', 'b', 'c']) await add({ type: 'A', name, content: '192.0.2.1' }).expect(303);
    const before = await records();
    const remove = async () => {
      await dashboard
        .postMany(`${path}/delete`, { ids: (await records()).map((record: { id: string }) => record.id) })
        .expect(303);
      return undo((await dashboard.get(path).expect(/Deleted 3 records/)).text);
    };

    const first = await remove();
    expect(await records()).toEqual([]);
    await dashboard.post(first.action, first.fields).expect(303);
    expect((await records()).map(({ id: each }: { id: string }) => each)).toEqual(
      before.map(({ id: each }: { id: string }) => each),
    );

    const second = await remove();
    await add({ type: 'A', name: 'new', content: '192.0.2.2' }).expect(303);
    await dashboard.post(second.action, second.fields).expect(303);
    await dashboard.get(path).expect(/The zone has changed since you read it/);
    expect(await records()).toHaveLength(1);
  });

  it('truncates long content and shows it in full on demand', async () => {
    const key = `v=DKIM1; p=${'A'.repeat(400)}`;
    await add({ type: 'TXT', name: 'short', content: 'v=spf1 -all' }).expect(303);
    await add({ type: 'TXT', name: 'long', content: key }).expect(303);

    const { text } = await dashboard.get(path).expect(200);

    expect(text).toContain('<code>v=spf1 -all</code>');
    expect(text).toContain(`<summary><code>${key.slice(0, 44)}…</code>`);
    expect(text).toContain(`</summary><code>${key}</code></details>`);
  });

  it('filters by type and by part of a name or content, and lists page by page', async () => {
    const create = Array.from({ length: 250 }, (_, index) => ({
      type: 'A',
      name: `h${String(index).padStart(3, '0')}`,
      content: `192.0.2.${index}`,
    }));
    await client.post(`/api/domains/${id}/dns/records/batch`, { create }).expect(200);
    await add({ type: 'TXT', name: 'note', content: 'Hello World' }).expect(303);

    const first = (await dashboard.get(path).expect(200)).text;
    const next = /<a href="([^"]+)">Next page/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const all = [...names(first), ...names((await dashboard.get(next).expect(200)).text)];

    expect(all).toHaveLength(251);
    expect(new Set(all).size).toBe(251);
    const {
      body: [last],
    } = await client.get(`/api/domains/${id}/dns/records?type=TXT`).expect(200);
    expect(names(first)).not.toContain('note');
    expect((await dashboard.get(`${path}?edit=${last.id}`).expect(200)).text).toContain('value="Hello World"');
    expect(names((await dashboard.get(`${path}?type=TXT`)).text)).toEqual(['note']);
    expect(names((await dashboard.get(`${path}?q=hello+w`)).text)).toEqual(['note']);
    expect(names((await dashboard.get(`${path}?q=h24`)).text)).toHaveLength(10);
    expect((await dashboard.get(`${path}?q=h24`)).text).toContain('role="status">10 records</p>');
    expect(first).toContain('role="status">200 of 251 records</p>');
    expect(first).not.toContain('aria-live');
  });

  it('warns about a second SPF record at a name', async () => {
    await add({ type: 'TXT', name: '@', content: 'v=spf1 mx -all' }).expect(303);
    expect((await dashboard.get(path)).text).not.toContain('SPF records');

    await add({ type: 'TXT', name: '@', content: 'v=spf1 a -all' }).expect(303);

    expect((await dashboard.get(path)).text).toContain('TXT at @ has 2 SPF records');
  });

  it('warns on the nameservers page about a nameserver in the zone without an address record', async () => {
    const { body } = await client.get(`/api/domains/${id}`).expect(200);
    const { name } = body as { name: string };
    const page = `/domains/${id}/nameservers`;
    const warning = `Nameserver ns1.${name} is in this zone but has no address record`;
    await add({ type: 'A', name: 'ns1', content: '192.0.2.1' }).expect(303);
    await dashboard.post(page, { nameservers: `ns1.${name}\nns2.example.net` }).expect(303);
    expect((await dashboard.get(page)).text).not.toContain(warning);

    const [{ id: recordId }] = await records();
    await client.delete(`/api/domains/${id}/dns/records/${recordId}`).expect(200);

    expect((await dashboard.get(page)).text).toContain(warning);
  });

  it('responds with 404 to all requests of another account', async () => {
    await add({ type: 'A', name: 'www', content: '192.0.2.1' }).expect(303);
    const [{ id: recordId }] = await records();
    const stranger = await signIn(service(), await service().account());

    for (const page of [
      'records',
      `records?edit=${recordId}`,
      'history',
      'history/1',
      'history/1/roll-back',
      'zone-file',
      'zone-file/export',
      'publication',
    ])
      await stranger.get(`/domains/${id}/${page}`).expect(404);
    await stranger.post(path, { ...BLANK, type: 'A', name: 'x', content: '192.0.2.1' }).expect(404);
    await stranger.post(`${path}/delete`, { ids: recordId }).expect(404);
    await stranger.post(`${path}/${recordId}`, { ...BLANK, type: 'A', name: 'x', content: '192.0.2.1' }).expect(404);
    await stranger.post(`/domains/${id}/history/1/roll-back`, { expected: '2' }).expect(404);
    await stranger.upload(`/domains/${id}/zone-file`, { expected: '2', text: '@ 300 A 192.0.2.9' }).expect(404);

    expect(await records()).toHaveLength(1);
  });

  it('shows the history of a zone and rolls back after a preview', async () => {
    await add({ type: 'A', name: 'www', content: '192.0.2.1' }).expect(303);
    const [{ id: recordId }] = await records();
    const version = Number((await client.get(`/api/domains/${id}/dns/records`)).headers['zone-version']);
    await dashboard.post(`${path}/${recordId}`, { ...BLANK, type: 'A', name: 'www', content: '192.0.2.2' }).expect(303);

    await dashboard
      .get(`/domains/${id}/history`)
      .expect(200)
      .expect(/person-\d+@example\.com/)
      .expect(/1 changed<ul.*?www 3600 A 192\.0\.2\.1<\/del>.*?www 3600 A 192\.0\.2\.2<\/ins>/);
    await dashboard
      .get(`/domains/${id}/history/${version + 1}`)
      .expect(200)
      .expect(/www 3600 A 192\.0\.2\.1<\/del>/)
      .expect(/www 3600 A 192\.0\.2\.2<\/ins>/);
    const plan = (await dashboard.get(`/domains/${id}/history/${version}/roll-back`).expect(200)).text;
    expect(plan).toContain('0 added, 1 changed, 0 removed');
    await dashboard.post(`/domains/${id}/history/${version}/roll-back`, { expected: String(version + 1) }).expect(303);

    expect(await records()).toMatchObject([{ content: '192.0.2.1' }]);
    await dashboard.get(`/domains/${id}/history/999`).expect(404);
    await dashboard.get(`/domains/${id}/history/nonsense`).expect(404);
  });

  it('exports a zone file, and imports one after a preview or shows the issues by line', async () => {
    await add({ type: 'A', name: 'old', content: '192.0.2.1' }).expect(303);
    const exported = await dashboard
      .get(`/domains/${id}/zone-file/export`)
      .expect(200)
      .expect('content-type', /text\/dns/);
    expect(exported.text).toMatch(/old\.\S+\s+3600\s+IN\s+A\s+192\.0\.2\.1\n$/);
    expect(exported.text).not.toContain('\n\n');
    const text = 'new 300 A 192.0.2.2\n@ 300 MX 10 mail.example.net.\n';

    await dashboard
      .upload(`/domains/${id}/zone-file/plan`, { text: 'new 300 A nonsense\nnew 300 MX 10\n' })
      .expect(400)
      .expect(/line 1: [\s\S]*line 2: /)
      .expect(/class="field-error" id="[^"]*text-error"/);
    const plan = (await dashboard.upload(`/domains/${id}/zone-file/plan`, { text }).expect(200)).text;
    expect(plan).toContain('2 added, 0 changed, 1 removed');
    expect(await records()).toHaveLength(1);
    const expected = /name="expected" value="(\d+)"/.exec(plan)?.[1] ?? '';
    await dashboard.upload(`/domains/${id}/zone-file`, { expected: '1', text }).expect(412);
    await dashboard.upload(`/domains/${id}/zone-file`, { expected, text }).expect(303);

    expect((await records()).map(({ name, type }: Record<string, unknown>) => [name, type])).toEqual([
      ['new', 'A'],
      ['@', 'MX'],
    ]);
  });

  it('applies a template, writes an SPF record and changes nameservers without scripts, each after a preview', async () => {
    await add({ type: 'TXT', name: '@', content: 'v=spf1 mx ~all' }).expect(303);
    const domain = `/domains/${id}`;
    const preview = async (url: string): Promise<Record<string, string>> => {
      const { text } = await dashboard.get(`${domain}${url}`).expect(200);
      const hidden = [...text.matchAll(/<input type="hidden" name="(_expected|[a-z]\w*)" value="([^"]*)"/g)];
      return Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    };

    const template = '/templates/netlify?site=ada-notes';
    const fields = await preview(template);
    await dashboard.post(`${domain}/templates/netlify`, { ...fields, _expected: '1' }).expect(412);
    await dashboard.post(`${domain}/templates/netlify`, fields).expect(303);
    await dashboard.post(`${domain}/mail/spf`, await preview('/mail/spf?includes=_spf.example&all=-all')).expect(303);
    expect(await contents()).toEqual([
      '@ 75.2.60.5',
      '@ v=spf1 include:_spf.example -all',
      'www ada-notes.netlify.app',
    ]);

    const { nameservers } = await preview('/nameservers?nameservers=NS1.elsewhere.test,ns2.elsewhere.test');
    expect(nameservers).toBe('ns1.elsewhere.test ns2.elsewhere.test');
    await dashboard.post(`${domain}/nameservers`, { nameservers: nameservers ?? '' }).expect(303);
    expect((await client.get(`/api/domains/${id}`).expect(200)).body.nameservers).toEqual([
      'ns1.elsewhere.test',
      'ns2.elsewhere.test',
    ]);
    await dashboard.get(`${domain}/mail/bimi`).expect(404);
    await dashboard.get(`${domain}/templates/tpl_missing`).expect(404);
  });

  it('checks a record that is being typed, and answers the palette, as JSON', async () => {
    await add({ type: 'CNAME', name: 'www', content: 'example.net' }).expect(303);
    const check = async (fields: Record<string, string>) =>
      JSON.parse((await dashboard.post(`${path}/check`, { ...BLANK, ...fields }).expect(200)).text).warnings;

    expect(await check({ type: 'A', name: 'www', content: '192.0.2.1' })).toEqual([expect.stringContaining('CNAME')]);
    for (const name of ['', 'other']) expect(await check({ type: 'A', name, content: '192.0' })).toEqual([]);
    expect(await check({ type: 'MX', name: '@', content: 'missing.records-', priority: '1' })).toEqual([]);
    const find = async (q: string): Promise<string[]> =>
      JSON.parse((await dashboard.get(`/palette?q=${encodeURIComponent(q)}`).expect(200)).text).items.map(
        ({ url }: { url: string }) => url,
      );
    const { name } = (await client.get(`/api/domains/${id}`).expect(200)).body;
    expect((await find(name)).slice(0, 2)).toEqual([`/domains/${id}`, `/domains/${id}/records`]);
    expect(await find(`${name} zone`)).toEqual([`/domains/${id}/zone-file`]);
    expect(await find('api ref')).toEqual(['/docs']);
    expect(await find(`${name} auth`)).toEqual([`/domains/${id}/auth-code`]);
    expect(await find(`${name} release`)).toEqual([]);
    expect(await find(`${name} del`)).toEqual([`/domains/${id}/delete`]);
    expect(await find('%')).toEqual([]);
    const member = await signIn(service(), accountId, 'manager');
    for (const words of ['nameservers', `${name}+auth`, `${name}+delete`])
      expect(JSON.parse((await member.get(`/palette?q=${words}`).expect(200)).text)).toEqual({ items: [] });
    await member.get('/nameservers').expect(403);
    await dashboard.get('/nameservers').expect(200);
  });

  it('names the nameservers of another provider that NS records at the apex add', async () => {
    await add({ type: 'NS', name: '@', content: 'ns1.old-provider.test' }).expect(303);
    expect((await dashboard.get(`/domains/${id}/publication`)).text).toContain(
      'NS records at @ name <span><code>ns1.old-provider.test</code>',
    );
  });

  it('shows whether the nameservers serve the zone, also if one is behind or unreachable', async () => {
    await dashboard
      .get(`/domains/${id}/publication`)
      .expect(200)
      .expect(/this service has no secondary nameserver/);
    const { container } = service();
    const { name } = (await client.get(`/api/domains/${id}`).expect(200)).body;
    const servers = [await StubNameserver.start(), await StubNameserver.start()] as const;
    try {
      await container.get(CreateTsigKey).execute({ name: 'k', algorithm: 'hmac-sha256' });
      for (const [index, { port }] of servers.entries())
        await container
          .get(AddSecondary)
          .execute({ name: `secondary-${index}`, address: `127.0.0.1:${port}`, key: 'k', signs: false });
      await add({ type: 'A', name: 'www', content: '192.0.2.1' }).expect(303);
      const version = Number((await client.get(`/api/domains/${id}/dns/records`)).headers['zone-version']);
      servers[0].serials.set(name, version - 1);
      servers[1].isSilent = true;

      const { text } = await dashboard.get(`/domains/${id}/publication`).expect(200);
      expect(text).toMatch(/0 of 2 nameservers\..*see the old records until it is up to date.*It does not respond/s);
      const part = dashboard.get(`/domains/${id}/publication`).set('HX-Current-URL', `/domains/${id}/records`);
      await part.expect(200).expect(/publication">0 of 2 nameservers<\/a>/);

      servers[1].isSilent = false;
      for (const server of servers) server.serials.set(name, version);
      await dashboard
        .get(`/domains/${id}/publication`)
        .expect(200)
        .expect(/is on all 2 nameservers/)
        .expect(/badge good">live/);

      await dashboard
        .post(`/domains/${id}/nameservers`, { nameservers: 'ns1.elsewhere.test ns2.elsewhere.test' })
        .expect(303);
      const delegated = Number((await client.get(`/api/domains/${id}/dns/records`)).headers['zone-version']);
      for (const server of servers) server.serials.set(name, delegated);
      const domainPage = (await dashboard.get(`/domains/${id}`).expect(200)).text;
      expect(domainPage).toContain('The DNS records here are no longer used');
      expect(domainPage).toContain('The DNS records here are not used, because the domain is delegated to');
      const publication = (await dashboard.get(`/domains/${id}/publication`).expect(200)).text;
      expect(publication).toContain('not in use');
      expect(publication).not.toContain('live</span>');
      expect(publication).toContain('Change nameservers');
    } finally {
      const directory = container.get<SecondaryDirectory>(SecondaryDirectory);
      for (const secondary of await directory.all()) await directory.remove(secondary.name);
      for (const server of servers) server.stop();
    }
  });
});
