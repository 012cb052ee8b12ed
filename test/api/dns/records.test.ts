import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

const apexNs = (host: number, ttl: number) => ({ type: 'NS', name: '@', content: `ns${host}.namewright.example`, ttl });

onBothDatabases('records', (service) => {
  let client: Api;
  let records: string;
  let serial = 0;

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });

  beforeEach(async () => {
    records = `/api/domains/${await registered(client, `zone-${(serial += 1)}.com`)}/dns/records`;
  });

  it.each([
    [
      { type: 'A', name: '@', content: '192.0.2.1' },
      { content: '192.0.2.1', priority: null },
    ],
    [
      { type: 'AAAA', name: 'www', content: '2001:DB8:0::1' },
      { content: '2001:db8::1', priority: null },
    ],
    [
      { type: 'CNAME', name: 'blog', content: 'Host.Example.net.' },
      { content: 'host.example.net', priority: null },
    ],
    [
      { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 },
      { content: 'mail.example.net', priority: 10 },
    ],
    [
      { type: 'TXT', name: '_dmarc', content: 'v=DMARC1; p=none' },
      { content: 'v=DMARC1; p=none', priority: null },
    ],
    [
      { type: 'NS', name: 'sub', content: 'ns1.example.net' },
      { content: 'ns1.example.net', priority: null },
    ],
    [
      { type: 'SRV', name: '_sip._tcp', content: 'sip.example.net', priority: 5, port: 5060 },
      { content: 'sip.example.net', priority: 5, weight: 0, port: 5060 },
    ],
    [
      { type: 'CAA', name: '@', content: '0 issue "ca.example.net"' },
      { content: '0 issue "ca.example.net"', priority: null },
    ],
  ])('adds, returns and deletes %j', async (draft, answered) => {
    const { body: created } = await client.post(records, draft).expect(201);

    expect(created).toEqual({
      id: expect.stringMatching(/^rec_/),
      type: draft.type,
      name: draft.name,
      ttl: 3600,
      ...answered,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await client.get(records).expect(200)).body).toEqual([created]);

    const { body: sentBack } = await client.put(`${records}/${created.id}`, created).expect(200);
    expect(sentBack).toEqual({ ...created, updated_at: expect.any(String) });

    const { body: removed } = await client.delete(`${records}/${created.id}`).expect(200);
    expect(removed).toEqual({ id: created.id, deleted: true });
    expect((await client.get(records).expect(200)).body).toEqual([]);
  });

  it.each([
    [{ type: 'CNAME', name: '@', content: 'host.example.net' }, 400, 'CNAME_AT_ROOT'],
    [{ type: 'MX', name: '@', content: 'mail.example.net' }, 400, 'MISSING_PRIORITY'],
    [{ type: 'PTR', name: '@', content: 'host.example.net' }, 400, 'INVALID_RECORD_TYPE'],
    [{ type: 'A', name: '@', content: '2001:db8::1' }, 400, 'INVALID_RECORD_CONTENT'],
    [{ type: 'A', name: 'bad name', content: '192.0.2.1' }, 400, 'INVALID_RECORD_NAME'],
    [{ type: 'A', name: '@', content: '192.0.2.1', ttl: 59 }, 400, 'VALIDATION_ERROR'],
    [{ type: 'A', name: '@', content: '192.0.2.1', port: 80 }, 400, 'VALIDATION_ERROR'],
    [{ type: 'A', name: '@' }, 400, 'VALIDATION_ERROR'],
  ])('rejects %j and changes nothing', async (draft, status, code) => {
    const { body } = await client.post(records, draft).expect(status);

    expect(body.error.code).toBe(code);
    expect((await client.get(records).expect(200)).body).toEqual([]);
  });

  it('changes only the fields that are sent', async () => {
    const { body: created } = await client.post(records, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);

    const { body } = await client.put(`${records}/${created.id}`, { content: '192.0.2.2', ttl: 300 }).expect(200);

    expect(body).toEqual({ ...created, content: '192.0.2.2', ttl: 300, updated_at: expect.any(String) });
  });

  it('warns if an NS record at the apex is served with a shorter TTL than it has, until all nameservers have it', async () => {
    const lowest = expect.stringMatching(
      /lowest, 3600, is published for all; .* repeats them: ns2\.namewright\.example$/,
    );

    const { body: first } = await client.post(records, apexNs(1, 300)).expect(201);
    const { body: longer } = await client.put(`${records}/${first.id}`, { ttl: 7200 }).expect(200);
    const { body: batch } = await client.post(`${records}/batch`, { create: [apexNs(2, 7200)] }).expect(200);

    expect(first).not.toHaveProperty('warnings');
    expect(longer.warnings).toEqual([lowest]);
    expect(batch).not.toHaveProperty('warnings');
    expect((await client.post(`${records}?dry_run=true`, apexNs(3, 86_400)).expect(200)).body.warnings).toEqual([
      expect.stringContaining('ns3.namewright.example, which is not a nameserver of the domain'),
      'NS records at @ have different TTLs; the lowest, 7200, is published for all',
    ]);
  });

  it('rejects a record at the name of a CNAME, and names the conflicting record', async () => {
    const { body: address } = await client.post(records, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);

    const { body } = await client
      .post(records, { type: 'CNAME', name: 'www', content: 'host.example.net' })
      .expect(409);

    expect(body.error).toMatchObject({ code: 'RECORD_CONFLICT', details: expect.stringContaining(address.id) });
  });

  it('accepts exactly one of 20 identical records sent at once', async () => {
    const draft = { type: 'TXT', name: '@', content: 'the same' };

    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(records, draft)));

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ]);
  });

  it('commits a write although a simultaneous one is rejected', async () => {
    const drafts = Array.from({ length: 40 }, (_, index) => ({
      type: 'TXT',
      name: '@',
      content: index % 2 === 0 ? `unique ${index}` : 'twice',
    }));

    const answers = await Promise.all(drafts.map((draft) => client.post(records, draft)));

    const accepted = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    const stored = (await client.get(records).expect(200)).body.map(({ id }: { id: string }) => id);
    expect(accepted).toHaveLength(21);
    expect(new Set(stored)).toEqual(new Set(accepted));
  });

  it('distinguishes texts that differ in case or trailing spaces', async () => {
    for (const content of ['one', 'One', 'One '])
      await client.post(records, { type: 'TXT', name: '@', content }).expect(201);

    const { body } = await client.get(records).expect(200);

    expect(body.map(({ content }: { content: string }) => content)).toHaveLength(3);
  });

  it('does not find a record of another domain', async () => {
    const { body: created } = await client.post(records, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
    const elsewhere = `/api/domains/${await registered(client, `zone-${(serial += 1)}.com`)}/dns/records`;

    const { body } = await client.delete(`${elsewhere}/${created.id}`).expect(404);

    expect(body).toEqual({ error: { code: 'RECORD_NOT_FOUND', message: 'Specified DNS record not found' } });
  });

  it('raises the zone version with every change and returns it', async () => {
    const { headers: atFirst } = await client.get(records).expect(200);
    const { body: created, headers: added } = await client
      .post(records, { type: 'A', name: 'www', content: '192.0.2.1' })
      .expect(201);
    const { headers: changed } = await client.put(`${records}/${created.id}`, { ttl: 300 }).expect(200);
    const { headers: removed } = await client.delete(`${records}/${created.id}`).expect(200);
    const { headers: listed } = await client.get(`${records}?limit=1`).expect(200);

    const versions = [atFirst, added, changed, removed, listed].map((headers) => Number(headers['zone-version']));
    const [first = NaN] = versions;
    expect(versions).toEqual([first, first + 1, first + 2, first + 3, first + 3]);
  });

  it('raises the zone version with the delegation, which is part of the zone', async () => {
    const before = Number((await client.get(records).expect(200)).headers['zone-version']);

    await client
      .put(records.replace('/dns/records', '/nameservers'), { nameservers: ['ns1.example.net', 'ns2.example.net'] })
      .expect(200);
    await client.put(records.replace('/dns/records', '/autorenew'), { auto_renew: false }).expect(200);

    expect(Number((await client.get(records).expect(200)).headers['zone-version'])).toBe(before + 1);
  });
});
