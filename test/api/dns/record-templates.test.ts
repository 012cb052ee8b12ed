import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

onBothDatabases('record templates', (service) => {
  let client: Api;
  let account: string;
  let dns: string;
  let serial = 0;

  beforeAll(async () => {
    account = await service().account();
    client = api(service(), await service().key(account));
  });

  beforeEach(async () => {
    dns = `/api/domains/${await registered(client, `template-${(serial += 1)}.com`)}/dns`;
  });

  const applied = (template: string, values: Record<string, string> = {}, query = '') =>
    client.post(`${dns}/template${query}`, { template, values });
  const add = (record: object) => client.post(`${dns}/records`, record).expect(201);
  const put = (text: string, mode: string) =>
    client.put(`${dns}/zonefile?mode=${mode}`, text).set('Content-Type', 'text/dns');
  const records = async (): Promise<string[]> =>
    (await client.get(`${dns}/records`).expect(200)).body.map(
      ({ name, type, priority, content }: Record<string, string | number | null>) =>
        [name, type, priority, content].filter((value) => value !== null).join(' '),
    );

  it('replace the mail provider in one version, merge SPF, keep other records, and change nothing the second time', async () => {
    await add({ type: 'MX', name: '@', content: 'mx.old.example', priority: 5 });
    await add({ type: 'TXT', name: '@', content: 'v=spf1 include:newsletter.example ~all' });
    await add({ type: 'TXT', name: '@', content: 'other=1' });
    await add({ type: 'A', name: '@', content: '192.0.2.1' });

    const plan = await applied('google-workspace', {}, '?dry_run=true').expect(200);
    const { body } = await applied('google-workspace').expect(200);
    const again = await applied('google-workspace').expect(200);

    expect(plan.body).toMatchObject({ dry_run: true, added: [], removed: [], warnings: [] });
    expect(plan.body.changed).toHaveLength(2);
    expect(body).toMatchObject({ created: [], deleted: [], version: 7 });
    expect(again.body).toMatchObject({ created: [], updated: [], deleted: [], version: 7 });
    expect((await records()).toSorted()).toEqual([
      '@ A 192.0.2.1',
      '@ MX 1 smtp.google.com',
      '@ TXT other=1',
      '@ TXT v=spf1 include:newsletter.example include:_spf.google.com ~all',
    ]);
  });

  it('make way for a CNAME and for other addresses', async () => {
    await add({ type: 'A', name: 'www', content: '192.0.2.1' });
    await add({ type: 'A', name: '@', content: '192.0.2.1' });
    await add({ type: 'AAAA', name: '@', content: '2001:db8::1' });

    await applied('netlify', { site: 'ada-notes' }).expect(200);

    expect((await records()).toSorted()).toEqual(['@ A 75.2.60.5', 'www CNAME ada-notes.netlify.app']);
  });

  it('refuse missing values, unknown templates and a version that is not the current one', async () => {
    const { body: missing } = await applied('netlify').expect(400);
    const { body: unknown } = await applied('tpl_missing').expect(404);
    await applied('no-mail').set('If-Match', '"7"').expect(412);
    await client.post(`${dns}/template`, { template: 'netlify', values: { site: 1 } }).expect(400);

    expect(missing.error).toMatchObject({ code: 'VALIDATION_ERROR', details: 'values.site is required' });
    expect(unknown.error).toEqual({ code: 'TEMPLATE_NOT_FOUND', message: 'Specified record template not found' });
    expect(await records()).toEqual([]);
  });

  it('are created by an account, listed before the built-in ones, applied, changed and deleted', async () => {
    const { body: created } = await client
      .post('/api/record-templates', { name: 'Our web servers', records: '@ 300 A {address}\nwww CNAME {domain}.' })
      .set('Idempotency-Key', 'template-1')
      .expect(201);
    const path = `/api/record-templates/${created.id}`;

    expect(created).toMatchObject({
      built_in: false,
      source: null,
      variables: [{ name: 'address', label: 'Address', hint: null, required: true }],
    });
    const { body: list } = await client.get('/api/record-templates').expect(200);
    expect(list.data[0]).toEqual(created);
    expect(list.data.map(({ id }: { id: string }) => id)).toContain('parked');
    await applied(created.id, { address: '192.0.2.7' }).expect(200);
    expect(await records()).toEqual(['@ A 192.0.2.7', `www CNAME template-${serial}.com`]);

    const { body: changed } = await client.put(path, { name: 'Web', records: '@ A 192.0.2.8' }).expect(200);
    expect((await client.get(path).expect(200)).body).toEqual(changed);
    const other = api(service(), await service().key(await service().account()));
    await other.get(path).expect(404);
    await other.put(path, { name: 'Web', records: '@ A 192.0.2.9' }).expect(404);
    await other.delete(path).expect(404);
    await client.delete(path).expect(200, { id: created.id, deleted: true });
    await client.get(path).expect(404);
  });

  it('name the line of a template that is not a record', async () => {
    const { body: created } = await client
      .post('/api/record-templates', { name: 'Broken', records: '@ A 192.0.2.1\n@ A nowhere' })
      .expect(201);

    const { body } = await applied(created.id).expect(400);

    expect(body.error.details).toContain('line 2');
    expect(await records()).toEqual([]);
  });

  it('cannot be edited by a key that is not for the whole account, and built-in ones not at all', async () => {
    const { body: key } = await client
      .post('/api/keys', { name: 'one domain', limits: { domains: [`template-${serial}.com`] } })
      .expect(201);
    const limited = api(service(), key.key);

    await limited.get('/api/record-templates').expect(200);
    await limited.post('/api/record-templates', { name: 'Web', records: '@ A 192.0.2.8' }).expect(403);
    await client.put('/api/record-templates/parked', { name: 'Web', records: '@ A 192.0.2.8' }).expect(404);
    await limited.post(`${dns}/template`, { template: 'no-mail' }).expect(200);
  });

  it('let a zone file be added to a zone: records that it has stay, also with another TTL', async () => {
    await add({ type: 'A', name: '@', content: '192.0.2.1', ttl: 300 });
    await add({ type: 'A', name: 'old', content: '192.0.2.1' });
    const { body } = await put('@ A 192.0.2.1\nwww A 192.0.2.2\n', 'add').expect(200);

    expect(body).toMatchObject({ created: [{ name: 'www', ttl: 3600 }], updated: [], deleted: [] });
    expect(await records()).toEqual(['@ A 192.0.2.1', 'old A 192.0.2.1', 'www A 192.0.2.2']);
    await put('www CNAME example.net.\n', 'add').expect(409);
    await put('@ A 192.0.2.1\n', 'merge').expect(400);
    await put('@ A 192.0.2.1\n', 'replace').expect(400);
  });
});
