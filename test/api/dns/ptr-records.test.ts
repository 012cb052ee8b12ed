import { signIn, type DashboardClient } from '../../support/dashboard/dashboard-client';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

/** The other fields of the form. */
const BLANK = { ttl: '', priority: '', weight: '', port: '', caa_flags: '0', caa_tag: 'issue', caa_value: '' };

/** The last of so many writes at each of six zones waits for all the others, and for less than the 5 s after which it would get 503. */
const EACH = 3;

onBothDatabases('records with ptr', (service) => {
  let client: Api;
  let dashboard: DashboardClient;
  let records: string;
  let reverse: string;
  let count = 0;
  const draft = (rest: object = {}) => ({ type: 'A', name: 'www', content: `10.0.${count}.10`, ptr: true, ...rest });
  const ptrs = async (path = reverse) =>
    (await client.get(path).expect(200)).body.map(
      (record: { name: string; type: string; content: string; managed_by?: string }) =>
        [record.name, record.type, record.content, record.managed_by].join(' '),
    );

  const reverseOf = async (network: string) =>
    `/api/zones/${(await client.post('/api/zones', { network }).expect(201)).body.id}/dns/records`;

  beforeAll(async () => {
    const accountId = await service().account();
    client = api(service(), await service().key(accountId));
    dashboard = await signIn(service(), accountId);
  });

  beforeEach(async () => {
    count += 1;
    records = `/api/domains/${await registered(client, `pointed-${count}.com`)}/dns/records`;
    reverse = await reverseOf(`10.0.${count}.0/24`);
  });

  it('return ptr in responses, lists, batches, dry runs and the history, and keep their PTR records', async () => {
    const { body: created } = await client.post(records, draft()).expect(201);
    expect(created).toMatchObject({ ptr: true });
    expect((await client.get(records).expect(200)).body).toEqual([created]);
    expect(await ptrs()).toEqual([`10 PTR www.pointed-${count}.com. ptr`]);

    const { body: moved } = await client
      .put(`${records}/${created.id}`, { ...created, content: `10.0.${count}.11` })
      .expect(200);
    expect(moved).toMatchObject({ ptr: true });
    expect(moved).not.toHaveProperty('warnings');
    expect(await ptrs()).toEqual([`11 PTR www.pointed-${count}.com. ptr`]);

    const edits = { create: [draft({ name: 'a' })], update: [{ id: created.id, ptr: false }] };
    const { body: edited } = await client.post(`${records}/batch`, edits).expect(200);
    expect(edited.created).toMatchObject([{ ptr: true }]);
    expect(edited.updated[0]).not.toHaveProperty('ptr');
    expect(await ptrs()).toEqual([`10 PTR a.pointed-${count}.com. ptr`]);

    const { body: plan } = await client.post(`${records}?dry_run=true`, draft({ name: 'b' })).expect(200);
    expect(plan.added).toMatchObject([{ ptr: true }]);
    const { body: version } = await client
      .get(`${records.replace('/records', '')}/history/${edited.version}`)
      .expect(200);
    expect(version.records).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'a', ptr: true })]));
  });

  it('are refused without a reverse zone, by themselves and in a batch', async () => {
    const details = 'ptr needs the reverse zone of 198.51.100.1, which is not in this account';
    const elsewhere = draft({ content: '198.51.100.1' });

    const { body } = await client.post(records, elsewhere).expect(400);
    expect(body).toEqual({ error: { code: 'VALIDATION_ERROR', message: 'Request validation failed', details } });
    const { body: ofBatch } = await client.post(`${records}/batch`, { create: [draft(), elsewhere] }).expect(400);
    expect(ofBatch.error).toMatchObject({ code: 'VALIDATION_ERROR', details: `create[1]: ${details}` });
    expect(await ptrs()).toEqual([]);
  });

  it('say in their warnings that a PTR record of someone else stays', async () => {
    await client.post(reverse, { type: 'PTR', name: '10', content: 'other.example.' }).expect(201);

    const { body } = await client.post(records, draft()).expect(201);

    expect(body.warnings).toEqual([expect.stringContaining('has a PTR record that someone set to other.example.')]);
    expect(await ptrs()).toEqual(['10 PTR other.example. ']);
  });

  it('are stored with their response, so that a repeated request adds nothing', async () => {
    const key = `ptr-${count}`;

    const { body: first } = await client.post(records, draft()).set('Idempotency-Key', key).expect(201);
    const { body: again } = await client.post(records, draft()).set('Idempotency-Key', key).expect(201);

    expect(again).toEqual(first);
    expect(await ptrs()).toHaveLength(1);
  });

  it('of many zones are written at once, beside changes of the reverse zones, without a deadlock that reaches a client', async () => {
    const other = await reverseOf(`10.0.${count + 100}.0/24`);
    const zones = [records];
    for (let index = 0; index < 3; index += 1)
      zones.push(`/api/domains/${await registered(client, `pointed-${count}-${index}.com`)}/dns/records`);
    const addresses = (index: number) => [`10.0.${count}.${index}`, `10.0.${count + 100}.${index}`];

    const responses = await Promise.all([
      ...zones.flatMap((zone, at) =>
        Array.from({ length: EACH }, (_each, index) => {
          const [one, two] = addresses(at * EACH + index);
          const pair = [draft({ name: `h${index}`, content: one }), draft({ name: `h${index}`, content: two })];
          return client.post(`${zone}/batch`, { create: index % 2 === 0 ? pair : pair.toReversed() });
        }),
      ),
      ...[reverse, other].flatMap((zone) =>
        Array.from({ length: EACH }, (_each, index) =>
          client.post(zone, { type: 'PTR', name: String(200 + index), content: 'other.example.' }),
        ),
      ),
    ]);

    expect(responses.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
    expect([(await ptrs()).length, (await ptrs(other)).length]).toEqual([5 * EACH, 5 * EACH]);
  });

  it('lose their PTR records with their zone', async () => {
    const { body: zone } = await client.post('/api/zones', { name: `pointed-${count}.example` }).expect(201);
    await client.post(`/api/zones/${zone.id}/dns/records`, draft()).expect(201);
    await client.post(records, draft()).expect(201);
    expect(await ptrs()).toHaveLength(2);

    await client.delete(`/api/zones/${zone.id}`).expect(200);

    expect(await ptrs()).toEqual([`10 PTR www.pointed-${count}.com. ptr`]);
  });

  it('are made and changed in the form of a record, by a checkbox', async () => {
    const page = records.replace('/api', '').replace('/dns', '');
    const fields = { ...BLANK, type: 'A', name: 'www', content: `10.0.${count}.10`, has_ptr: 'on' };

    await dashboard.post(page, { ...fields, ptr: 'on' }).expect(303);
    const [record] = (await client.get(records).expect(200)).body;
    expect(record).toMatchObject({ ptr: true });
    expect(await ptrs()).toHaveLength(1);
    expect((await dashboard.get(`${page}?edit=${record.id}`).expect(200)).text).toMatch(/name="ptr"[^>]*checked/);

    await dashboard.post(`${page}/${record.id}`, { ...fields, ttl: '300' }).expect(303);
    expect((await client.get(records).expect(200)).body[0]).not.toHaveProperty('ptr');
    expect(await ptrs()).toEqual([]);

    const refused = await dashboard
      .post(page, { ...fields, name: 'b', content: '198.51.100.1', ptr: 'on' })
      .expect(400);
    expect(refused.text).toContain('Needs the reverse zone of 198.51.100.1, which is not in this account');
  });

  it('keep ptr if a form without the checkbox changes them', async () => {
    const { body: created } = await client.post(records, draft()).expect(201);
    const page = records.replace('/api', '').replace('/dns', '');

    const fields = { ...BLANK, type: 'A', name: 'www', content: `10.0.${count}.12` };
    await dashboard.post(`${page}/${created.id}`, fields).expect(303);

    expect(await ptrs()).toEqual([`12 PTR www.pointed-${count}.com. ptr`]);
  });
});
