import { signIn, type DashboardClient } from '../../support/dashboard/dashboard-client';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

/** The other fields of the form. */
const BLANK = { ttl: '', priority: '', weight: '', port: '', caa_flags: '0', caa_tag: 'issue', caa_value: '' };
const DRAFT = { type: 'A', name: 'www', content: '192.0.2.1' };
const HOSTILE = `"; DROP <script>alert(1)</script> \\ 'x' \u05D0 ${'🦆'.repeat(400)}`;

onBothDatabases('comments of records', (service) => {
  let client: Api;
  let dashboard: DashboardClient;
  let dns: string;
  let records: string;
  let count = 0;

  beforeAll(async () => {
    const accountId = await service().account();
    client = api(service(), await service().key(accountId));
    dashboard = await signIn(service(), accountId);
  });

  beforeEach(async () => {
    dns = `/api/domains/${await registered(client, `commented-${(count += 1)}.com`)}/dns`;
    records = `${dns}/records`;
  });

  const counters = async () => {
    const { body } = await client.get(`${dns}/status`).expect(200);
    return { version: body.version, serial: body.serial };
  };

  it('are stored, returned, kept by a change of the content, and removed by null or an empty text', async () => {
    const { body: created } = await client
      .post(records, { ...DRAFT, comment: `  ${HOSTILE} `, managed_by: 'octodns' })
      .expect(201);

    expect(created).toMatchObject({ comment: HOSTILE, managed_by: 'octodns' });
    expect((await client.get(records).expect(200)).body).toEqual([created]);
    expect((await client.get(`${records}/${created.id}`).expect(200)).body).toEqual(created);
    const { body: moved } = await client.put(`${records}/${created.id}`, { content: '192.0.2.2' }).expect(200);
    expect(moved).toMatchObject({ comment: HOSTILE, managed_by: 'octodns' });
    const { body: bare } = await client.put(`${records}/${created.id}`, { comment: null, managed_by: '' }).expect(200);
    expect(bare).not.toHaveProperty('comment');
    expect(bare).not.toHaveProperty('managed_by');
  });

  it('are written in batches, beside other changes', async () => {
    const { body: first } = await client.post(records, DRAFT).expect(201);
    const edits = {
      create: [{ ...DRAFT, name: 'new', comment: 'new one' }],
      update: [{ id: first.id, managed_by: 'external-dns' }],
    };

    const { body } = await client.post(`${records}/batch`, edits).expect(200);

    expect(body).toMatchObject({ created: [{ comment: 'new one' }], updated: [{ managed_by: 'external-dns' }] });
  });

  it('raise the version of the zone alone if nothing else changes, and If-Match notices it', async () => {
    const { body: record, headers } = await client.post(records, DRAFT).expect(201);
    const before = await counters();

    const { headers: after } = await client.put(`${records}/${record.id}`, { comment: 'web' }).expect(200);

    expect(await counters()).toEqual({ version: before.version + 1, serial: before.serial });
    expect(after['zone-version']).toBe(String(before.version + 1));
    await client
      .put(`${records}/${record.id}`, { comment: 'late' })
      .set('If-Match', headers['etag'] ?? '')
      .expect(412);
    await client.put(`${records}/${record.id}`, { comment: 'web' }).expect(200);
    expect(await counters()).toEqual({ version: before.version + 1, serial: before.serial });
    await client.put(`${records}/${record.id}`, { ttl: 300 }).expect(200);
    expect(await counters()).toEqual({ version: before.version + 2, serial: before.serial + 1 });
  });

  it.each([
    ['a newline', { comment: 'a\nb' }, 'comment'],
    ['a tab', { comment: 'a\tb' }, 'comment'],
    ['a NUL', { comment: 'a\0b' }, 'comment'],
    ['a C1 control character', { comment: 'a\u009bb' }, 'comment'],
    ['a line separator', { comment: 'a\u2028b' }, 'comment'],
    ['a direction override', { comment: 'a\u202Eb' }, 'comment'],
    ['a direction isolate', { managed_by: 'a\u2066b' }, 'managed_by'],
    ['half of a surrogate pair', { comment: 'a\uD83D' }, 'comment'],
    ['more than 500 characters', { comment: '🦆'.repeat(501) }, 'comment'],
    ['more than 64 characters', { managed_by: 'x'.repeat(65) }, 'managed_by'],
    ['a number', { comment: 1 }, 'comment'],
  ])('with %s are refused', async (_what, members, field) => {
    const { body } = await client.post(records, { ...DRAFT, ...members }).expect(400);

    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: expect.stringContaining(field) });
  });

  it('are imported with a zone file, with notes on those that it had to change', async () => {
    const text = `$TTL 300\nwww A 192.0.2.1 ; web\u0007server\nmail A 192.0.2.2 ; ${'x'.repeat(501)}\n`;

    const { body: plan } = await client
      .put(`${dns}/zonefile?dry_run=true`, text)
      .set('Content-Type', 'text/dns')
      .expect(200);
    const { body } = await client.put(`${dns}/zonefile`, text).set('Content-Type', 'text/dns').expect(200);

    const notes = [
      { line: 2, note: 'control characters of the comment were changed to spaces' },
      { line: 3, note: 'the comment was cut to 500 characters' },
    ];
    expect(plan).toMatchObject({ notes });
    expect(body).toMatchObject({ notes });
    expect((await client.get(records).expect(200)).body).toMatchObject([
      { comment: 'web server' },
      { comment: 'x'.repeat(500) },
    ]);
  });

  it('are searched by lists, for a part of the comment and for what manages the record', async () => {
    await client.post(records, { ...DRAFT, comment: 'The Web Server; 100%', managed_by: 'ci' }).expect(201);
    await client.post(records, { ...DRAFT, name: 'mail', managed_by: 'octodns' }).expect(201);
    const names = async (query: object) =>
      (await client.get(records).query(query).expect(200)).body.map(({ name }: { name: string }) => name);

    expect(await names({ comment: 'web server' })).toEqual(['www']);
    expect(await names({ comment: '%' })).toEqual(['www']);
    await client.post(records, { ...DRAFT, name: 'street', comment: 'Straße 5' }).expect(201);
    for (const comment of ['STRASSE', 'straẞe', 'ＳＴＲＡß']) expect(await names({ comment })).toEqual(['street']);
    expect(await names({ managed_by: 'octodns' })).toEqual(['mail']);
    expect(await names({ comment: 'server', managed_by: 'octodns' })).toEqual([]);
  });

  it('are shown escaped, edited and searched in the dashboard, and come back when a deletion is undone', async () => {
    const path = records.replace('/api', '').replace('/dns', '');
    const comment = `"Büro"; <script>alert(1)</script> &`;
    const { body: record } = await client
      .post(records, { type: 'A', name: 'www', content: '192.0.2.1', managed_by: 'ci' })
      .expect(201);
    await dashboard.post(path, { ...BLANK, type: 'A', name: 'mail', content: '192.0.2.2' }).expect(303);

    await dashboard
      .post(`${path}/${record.id}`, { ...BLANK, type: 'A', name: 'www', content: '192.0.2.1', comment })
      .expect(303);

    const { text } = await dashboard.get(`${path}?q=${encodeURIComponent('<script>')}`).expect(200);
    expect([...text.matchAll(/class="main-cell"><strong>([^<]+)</g)].map(([, name]) => name)).toEqual(['www']);
    expect(text).toContain('&lt;script>alert(1)&lt;/script> &amp;</bdi>');
    expect(text).toMatch(/Managed by <bdi>ci</);
    expect(text).not.toContain('<script>alert');
    await dashboard.post(`${path}/delete`, { ids: record.id }).expect(303);
    const { text: after } = await dashboard.get(path).expect(200);
    const [undo = ''] = /<div class="alert success"[\s\S]*?<\/form>/.exec(after) ?? [];
    expect(undo).toMatch(/name="managed_by" value="ci"/);
    expect(undo).toMatch(/name="comment" value="&quot;Büro&quot;; /);
    await dashboard
      .post(path, { ...BLANK, type: 'A', name: 'www', content: '192.0.2.1', comment, managed_by: 'ci' })
      .expect(303);
    expect((await client.get(records)).body).toContainEqual(
      expect.objectContaining({ name: 'www', comment, managed_by: 'ci' }),
    );
    await dashboard
      .post(path, { ...BLANK, type: 'A', name: 'x', content: '192.0.2.3', comment: 'a\u202Eb' })
      .expect(400);
  });

  it('take 500 characters outside the basic plane', async () => {
    const comment = '🦆'.repeat(500);

    const { body } = await client.post(records, { ...DRAFT, comment, managed_by: '🦆'.repeat(64) }).expect(201);

    expect((await client.get(`${records}/${body.id}`).expect(200)).body.comment).toBe(comment);
  });
});
