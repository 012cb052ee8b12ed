import { onBothDatabases } from '../../../support/databases/databases';
import { api, registered, type Api } from '../../../support/service/service';

/** How many others are answered while `work` is at it. */
async function answeredDuring(client: Api, work: () => PromiseLike<unknown>): Promise<number> {
  const end = new AbortController();
  let answered = 0;
  const others = (async () => {
    for (; !end.signal.aborted; answered += 1) await client.get('/healthz').expect(200);
  })();
  await work();
  end.abort();
  await others;
  return answered;
}

onBothDatabases('zone files', (service) => {
  let client: Api;
  let zone: string;
  let dns: string;
  let serial = 0;

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });

  beforeEach(async () => {
    zone = `file-${(serial += 1)}.com`;
    dns = `/api/domains/${await registered(client, zone)}/dns`;
  });

  const put = (text: string, query = '') => client.put(`${dns}/zonefile${query}`, text).set('Content-Type', 'text/dns');
  const exported = async (): Promise<string> => (await client.get(`${dns}/zonefile`).expect(200)).text;
  const listed = async () => (await client.get(`${dns}/records`).expect(200)).body;
  const contents = async () => (await listed()).map(({ content }: { content: string }) => content);
  const version = async () => Number((await client.get(`${dns}/records`)).headers['zone-version']);

  it('are exported from one version with SOA and delegation first', async () => {
    await client
      .post(`${dns}/records`, { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 })
      .expect(201);
    await client.post(`${dns}/records`, { type: 'TXT', name: '*.a', content: 'say "ü"', ttl: 300 }).expect(201);

    const { text, headers } = await client
      .get(`${dns}/zonefile`)
      .expect(200)
      .expect('Content-Type', 'text/dns; charset=utf-8');

    expect(text).toBe(
      [
        `${zone}.\t3600\tIN\tSOA\tns1.namewright.example. hostmaster.${zone}. ${headers['zone-version']} 3600 600 1209600 300`,
        `${zone}.\t3600\tIN\tNS\tns1.namewright.example.`,
        `${zone}.\t3600\tIN\tNS\tns2.namewright.example.`,
        `${zone}.\t3600\tIN\tMX\t10 mail.example.net.`,
        `*.a.${zone}.\t300\tIN\tTXT\t"say \\"\\195\\188\\""`,
        '',
      ].join('\n'),
    );
  });

  it('replace the zone in one version and change only what differs', async () => {
    const { body: stays } = await client
      .post(`${dns}/records`, { type: 'A', name: 'stays', content: '192.0.2.1' })
      .expect(201);
    const { body: moves } = await client
      .post(`${dns}/records`, { type: 'A', name: 'moves', content: '192.0.2.1' })
      .expect(201);
    const { body: goes } = await client
      .post(`${dns}/records`, { type: 'A', name: 'goes', content: '192.0.2.1' })
      .expect(201);
    const before = await version();

    const { body } = await put(
      `$TTL 3600\nstays A 192.0.2.1\nmoves A 192.0.2.2\ncomes A 192.0.2.3\ncomes A 192.0.2.3\n@ 5 TXT short\n@ SSHFP 1 1 00\n`,
    ).expect(200);

    expect(body).toEqual({
      created: [expect.objectContaining({ name: 'comes' }), expect.objectContaining({ type: 'TXT', ttl: 60 })],
      updated: [expect.objectContaining({ id: moves.id, content: '192.0.2.2', created_at: moves.created_at })],
      deleted: [goes.id],
      version: before + 1,
      notes: [
        { line: 5, note: 'skipped: it repeats line 4' },
        { line: 6, note: expect.stringContaining('TTL 5 was changed to 60') },
        { line: 7, note: expect.stringContaining('SSHFP') },
      ],
      skipped_types: { SSHFP: 1 },
    });
    expect((await listed())[0]).toEqual(stays);
  });

  it('change nothing if the zone is the same: an export can be imported', async () => {
    await client.post(`${dns}/records`, { type: 'NS', name: '@', content: 'ns1.namewright.example' }).expect(201);
    await client.post(`${dns}/records`, { type: 'CAA', name: '@', content: '0 issue "ca.example.net"' }).expect(201);
    const [records, now, file] = [await listed(), await version(), await exported()];

    expect((await put(file).expect(200)).body).toMatchObject({ created: [], updated: [], deleted: [], version: now });
    expect([await listed(), await version(), await exported()]).toEqual([records, now, file]);
  });

  it('leave out NS records at the apex that are not in the delegation if they come from another server, unless asked', async () => {
    const file = `$TTL 300\n@ SOA ns hostmaster 1 2 3 4 5\n@ NS ns1.namewright.example.\n@ NS ns.elsewhere.example.\n`;

    await put(file).expect(200);
    expect(await contents()).toEqual([]);
    await put(file, '?provider_records=include').expect(200);
    expect(await contents()).toEqual(['ns.elsewhere.example']);
    await put(file).expect(200);
    expect(await contents()).toEqual(['ns.elsewhere.example']);
  });

  it('can be imported as a dry run', async () => {
    const { body: record } = await client
      .post(`${dns}/records`, { type: 'A', name: 'www', content: '192.0.2.1' })
      .expect(201);
    const now = await version();

    const { body } = await put('$TTL 300\nwww CNAME host\n', '?dry_run=true').expect(200);

    expect(body).toMatchObject({
      dry_run: true,
      version: now,
      added: [{ type: 'CNAME' }],
      removed: [record],
      warnings: [expect.stringContaining(`host.${zone}`)],
      notes: [],
      skipped_types: {},
    });
    expect([await listed(), await version()]).toEqual([[record], now]);
  });

  it('are rejected with every invalid line and change nothing', async () => {
    await client.post(`${dns}/records`, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
    const before = [await listed(), await version()];

    const { body } = await put('$TTL 300\na A 192.0.2.300\n$INCLUDE /etc/passwd\nb A 192.0.2.1\n').expect(400);
    const { body: conflict } = await put('$TTL 300\na A 192.0.2.1\nb A 192.0.2.1\na CNAME b\n').expect(409);

    expect(body.error).toMatchObject({
      code: 'INVALID_RECORD_CONTENT',
      details: expect.stringMatching(/^line 2: A content must be .*; line 3: \$INCLUDE is not supported$/),
    });
    expect(conflict.error).toMatchObject({
      code: 'RECORD_CONFLICT',
      details: expect.stringMatching(/^line 4: A a .* conflicts/),
    });
    expect([await listed(), await version()]).toEqual(before);
  });

  it.each([
    ['nothing', ''],
    ['comments', '; nothing here\n'],
    ['another zone', '$TTL 300\n$ORIGIN example.net.\n@ A 192.0.2.1\n'],
  ])('do not empty the zone if they hold %s', async (_what, text) => {
    expect((await put(text).expect(400)).body.error.code).toBe('VALIDATION_ERROR');
  });

  it('must be UTF-8, of a known media type, and not too large', async () => {
    await client.put(`${dns}/zonefile`, { records: [] }).expect(415);
    await client
      .put(`${dns}/zonefile`)
      .set('Content-Type', 'text/dns')
      .send(Buffer.from('www 60 A 192.0.2.1 ; M\xfcnchen\n', 'latin1'))
      .expect(400);
    await put(`;${'x'.repeat(8 * 1024 * 1024)}`).expect(413);
  });

  it("must not exceed the zone's record limit", async () => {
    const lines = Array.from({ length: 10_001 }, (_, index) => `n${index} A 192.0.2.1`);

    expect((await put(['$TTL 300', ...lines].join('\n')).expect(409)).body.error.code).toBe('LIMIT_EXCEEDED');
    expect((await put(['$TTL 300', ...lines.slice(1)].join('\n')).expect(200)).body.created).toHaveLength(10_000);
  });

  describe('of many lines do not block other requests', () => {
    const MANY = Array.from({ length: 10_000 }, (_, index) => `h${index} 60 A 192.0.2.1\n`).join('');

    it('while they are planned, imported and rolled back', async () => {
      const before = await version();

      const planning = await answeredDuring(client, () => put(MANY, '?dry_run=true').expect(200));
      const importing = await answeredDuring(client, () => put(MANY).expect(200));
      await put('h0 60 A 192.0.2.1\n').expect(200);
      const restoring = await answeredDuring(client, () =>
        client.post(`${dns}/history/${before + 1}/restore`).expect(200),
      );

      expect(await version()).toBe(before + 3);
      for (const answered of [planning, importing, restoring]) expect(answered).toBeGreaterThanOrEqual(8);
    });

    it('even if they contain nothing to write', async () => {
      const strange = MANY.replaceAll(' 60 ', '.example.org. 60 ').repeat(10);

      const answered = await answeredDuring(client, () => put(strange).expect(400));

      expect(answered).toBeGreaterThanOrEqual(8);
    });
  });

  it('honor If-Match', async () => {
    await put('$TTL 300\na A 192.0.2.1\n').set('If-Match', '"999"').expect(412);
  });
});
