import { signIn } from '../../support/dashboard/dashboard-client';
import { CASE_ZONE, publicCase } from '../../support/data/public-cases';
import { onBothDatabases } from '../../support/databases/databases';
import { StubZoneServer, ZONE as STUB_ZONE } from '../../support/nameservers/stub-zone-server';
import { api, registered, REGISTRANT, startService, type Api, type TestService } from '../../support/service/service';

interface Listed {
  readonly type: string;
  readonly name: string;
  readonly content: string;
}

/** The lines of a case after the first, which says what is right. */
function linesOf(file: string): readonly string[] {
  return publicCase(file).trim().split('\n').slice(1);
}

function importsOf(client: () => Api, dns: () => string) {
  const put = (file: string, query = '') =>
    client().put(`${dns()}/zonefile${query}`, publicCase(file)).set('Content-Type', 'text/dns');
  const listed = async (): Promise<readonly string[]> =>
    (await client().get(`${dns()}/records`).expect(200)).body.map(({ type, name }: Listed) => `${type} ${name}`);
  return { put, listed };
}

onBothDatabases('zone files of public bug reports', (service) => {
  let client: Api;
  let dns: string;
  const { put, listed } = importsOf(
    () => client,
    () => dns,
  );

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
    dns = `/api/domains/${await registered(client, CASE_ZONE)}/dns`;
  });

  it('01: an SOA record is skipped, although its owner has no dot at its end', async () => {
    const { body } = await put('01-soa-owner-without-dot.zone').expect(200);

    expect(body).toMatchObject({ skipped_types: { SOA: 1 }, notes: [{ line: 2 }] });
    expect(await listed()).toEqual(['A @']);
  });

  it('02: time stamps and WINS records of Windows DNS are left out with a note', async () => {
    const { body } = await put('02-windows-age-stamp.zone').expect(200);

    expect(body.notes).toEqual(
      expect.arrayContaining([
        { line: 2, note: 'the time stamp [AGE:…] of Windows DNS was ignored' },
        { line: 3, note: 'skipped: WINS records are not supported' },
      ]),
    );
    expect(await listed()).toEqual(['A files']);
  });

  it('03: nameservers of the old provider are left out with a warning, and imported with another one if asked for', async () => {
    const leftOut = await put('03-old-providers-ns.zone', '?dry_run=true').expect(200);
    expect(leftOut.body.warnings).toEqual([expect.stringMatching(/ada\..*bob\..*left out/)]);
    expect(leftOut.body.added).toEqual([expect.objectContaining({ type: 'A' })]);

    const asked = await put('03-old-providers-ns.zone', '?dry_run=true&provider_records=include').expect(200);
    expect(asked.body.warnings).toEqual([
      expect.stringMatching(/ada\.ns\..*served beside ns1\.namewright\.example/),
      expect.stringMatching(/bob\.ns\..*served beside ns1\.namewright\.example/),
      expect.stringContaining('the lowest, 3600, is published for all'),
    ]);
    const written = await put('03-old-providers-ns.zone').expect(200);
    expect(written.body.warnings).toEqual(leftOut.body.warnings);
    expect(await listed()).toEqual(['A @']);
  });

  it.each([
    ['05-at-suffix.zone', 'line 3: Remove ".@" at the end of the name'],
    ['06-octal-wildcard.zone', String.raw`line 2: \052 is the character 4, because escapes are decimal (RFC 1035)`],
    ['06-octal-wildcard.zone', 'or * if it was octal'],
    ['10-caa.zone', 'line 2: CAA content is invalid: the flags "1" must be 0, or 128'],
    ['10-caa.zone', 'line 3: CAA content is invalid: the tag "tbs" must be one of'],
    ['10-caa.zone', 'line 4: CAA content is invalid: the issuer "letsencrypt.org." must not end with a dot'],
  ])('%s is refused: %s', async (file, message) => {
    const { body } = await put(file).expect(400);

    expect(body.error.details).toContain(message);
  });

  it('07: text without quotes is read as RFC 1035 says, with a warning for each line', async () => {
    const { body } = await put('07-unquoted-txt.zone', '?dry_run=true').expect(200);

    expect(body.added).toEqual([
      expect.objectContaining({ content: '"v=spf1" "include:_spf.example.net" "~all"' }),
      expect.objectContaining({ content: 'v=DKIM1' }),
    ]);
    expect(body.warnings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^line 2: .*3 words are joined without spaces/),
        expect.stringMatching(/^line 3: .*";", which begins a comment/),
      ]),
    );
  });

  it('09: SRV names may have an instance before the service (RFC 6763)', async () => {
    await put('09-dns-sd-srv.zone').expect(200);
    const srv = { type: 'SRV', content: 'printer1.my-first-name.com', priority: 0, port: 631 };
    await client.post(`${dns}/records`, { ...srv, name: 'upper-printer._ipp._tcp' }).expect(201);
    await client.post(`${dns}/records`, { ...srv, name: 'a.b._ipp._tcp' }).expect(400);

    expect(await listed()).toEqual(['SRV lobby-printer._ipp._tcp', 'A printer1', 'SRV upper-printer._ipp._tcp']);
  });

  it('11: a record of a type that is switched off is skipped, with a note that says so', async () => {
    const { body } = await put('11-type-switched-off.zone').expect(200);

    expect(body).toMatchObject({
      skipped_types: { ALIAS: 1 },
      notes: [{ line: 2, note: 'skipped: ALIAS records are switched off here' }],
    });
  });

  it.each([
    ['( "v=DKIM1; h=sha256; " "p=MIIB" ) ; comment', '"v=DKIM1; h=sha256; " "p=MIIB"'],
    ['@ IN TXT "v=spf1 -all"', 'v=spf1 -all'],
  ])('08: of %s, the quoted strings are the content', async (content, stored) => {
    expect(linesOf('08-paste-in-content.txt')).toContain(content);
    const { body } = await client.post(`${dns}/records`, { type: 'TXT', name: '@', content }).expect(201);

    expect(body.content).toBe(stored);
    expect(body).not.toHaveProperty('warnings');
    await client.delete(`${dns}/records/${body.id}`).expect(200);
  });

  it('08: a pasted DKIM record is stored as its strings', async () => {
    const { body } = await client
      .post(`${dns}/records?dry_run=true`, JSON.parse(publicCase('08-paste-in-content.json')))
      .expect(200);

    expect(body.added[0].content).toMatch(/^"v=DKIM1; h=sha256; k=rsa; " "p=MIIB[^"]*" "QIDAQAB"$/);
  });

  it.each([
    [{ type: 'TXT', name: '@', content: 'v=spf1 -all"' }, 'double quote'],
    [{ type: 'TXT', name: '@', content: '“v=spf1 -all”' }, 'typographic'],
    [{ type: 'TXT', name: '@', content: 'v=DKIM1\\; p=MIIB' }, '\\;'],
    [{ type: 'TXT', name: 'x', content: 'other IN TXT "v=spf1 -all"' }, 'a line of a zone file'],
    [{ type: 'A', name: 'www.other.com', content: '192.0.2.1' }, 'www.other.com.my-first-name.com'],
  ])(
    '%j is stored with a warning in the responses to a dry run, a write, a change and a batch',
    async (record, warning) => {
      const planned = await client.post(`${dns}/records?dry_run=true`, record).expect(200);
      expect(planned.body.warnings).toContainEqual(expect.stringContaining(warning));
      const { body } = await client.post(`${dns}/records`, record).expect(201);
      expect(body.warnings).toEqual([expect.stringContaining(warning)]);
      const changed = await client.put(`${dns}/records/${body.id}`, { ttl: 300 }).expect(200);
      expect(changed.body.warnings).toEqual(body.warnings);
      await client.delete(`${dns}/records/${body.id}`).expect(200);

      const batch = await client.post(`${dns}/records/batch`, { create: [record] }).expect(200);
      expect(batch.body.warnings).toEqual(body.warnings);
      await client.delete(`${dns}/records/${batch.body.created[0].id}`).expect(200);
    },
  );

  it('37: messages about DS records name the member that is wrong', async () => {
    const { ds } = JSON.parse(publicCase('37-ds.json'));
    const path = `${dns.replace(/\/dns$/, '')}/dnssec/ds`;
    const { body } = await client.put(path, { ds }).expect(400);

    expect(body.error.details).toBe('ds[0].key_tag must be an integer');
    const asNumber = await client.put(path, { ds: [{ ...ds[0], key_tag: 2371 }] }).expect(409);
    expect(asNumber.body.error.details).toContain('This service serves the zone');
  });

  it('33: a symbol, and hyphens in the third and fourth place, are not available at a generic TLD, and not registered', async () => {
    const [first = ''] = publicCase('33-idna2008.txt').split(' to POST');
    const bodies = first.split(' and ').map((text) => JSON.parse(text));
    expect(bodies).toHaveLength(2);
    for (const body of bodies) {
      const found = await client.post('/api/domains/search', body).expect(200);
      expect(found.body.results).toEqual([expect.objectContaining({ available: false })]);
      const name = `${body.query}.com`;
      const order = await client.post('/api/domains', { name, contacts: { registrant: REGISTRANT } }).expect(409);
      expect(order.body.error.code).toBe('DOMAIN_UNAVAILABLE');
    }
    const valid = await client.post('/api/domains/search', { query: 'münchen-trial', tlds: ['com'] }).expect(200);
    expect(valid.body.results).toEqual([expect.objectContaining({ available: true })]);
  });
});

describe('public bug reports with other settings', () => {
  let service: TestService;
  let stub: StubZoneServer;
  let client: Api;
  let accountId: string;
  let dns: string;
  let nameserver: string;
  const { put, listed } = importsOf(
    () => client,
    () => dns,
  );

  beforeAll(async () => {
    stub = new StubZoneServer();
    nameserver = await stub.start();
    service = await startService({ RECORD_TYPES: 'all', ZONE_SOURCE_NETWORKS: '127.0.0.0/8' });
    accountId = await service.account();
    client = api(service, await service.key(accountId));
    dns = `/api/domains/${await registered(client, CASE_ZONE)}/dns`;
  });
  afterAll(async () => {
    stub.stop();
    await service.stop();
  });

  it('36: the keys of another signer are left out with a note', async () => {
    const { body } = await put('36-signed-zone.zone').expect(200);

    expect(await listed()).toEqual(['A @', 'A www']);
    expect(body.notes.map(({ note }: { note: string }) => note)).toEqual(
      expect.arrayContaining([
        "skipped: DNSKEY at the apex, because it belongs to another provider's signer",
        "skipped: CDS at the apex, because it belongs to another provider's signer",
        "skipped: CDNSKEY at the apex, because it belongs to another provider's signer",
        "skipped: TYPE65534 at the apex, because it belongs to another provider's signer",
      ]),
    );
  });

  it('14: what discovery returns can be imported, and the rest is listed, on the page of the dashboard, too', async () => {
    const [line = ''] = linesOf('14-mx-underscore.zone');
    const exchange = line.split(' ').at(-1)?.replace(CASE_ZONE, STUB_ZONE).replace(/\.$/, '') ?? '';
    stub.additional = [{ type: 'MX', name: STUB_ZONE, ttl: 300, data: { preference: 0, exchange } }];
    const id = await registered(client, STUB_ZONE);
    const { body } = await client
      .post(`/api/domains/${id}/dns/discover`, { source: 'transfer', nameserver })
      .expect(200);

    expect(body.left_out).toEqual([
      expect.stringMatching(/SSHFP .*conflicts: a CNAME must be the only record/),
      expect.stringMatching(/MX 0 _dc-mx\..*the label "_dc-mx" .* underscore/),
    ]);
    await client.put(`/api/domains/${id}/dns/zonefile`, body.zone_file).set('Content-Type', 'text/dns').expect(200);
    const dashboard = await signIn(service, accountId);
    const page = await dashboard.post(`/domains/${id}/zone-file/read`, { source: 'transfer', nameserver }).expect(200);
    expect(page.text).toContain('Left out: stub-zone.com. 300 IN MX 0 _dc-mx.');
  });
});
