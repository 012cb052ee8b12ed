import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { signIn } from '../../support/dashboard/dashboard-client';
import { onBothDatabases } from '../../support/databases/databases';
import { describeOrSkip } from '../../support/describe-or-skip';
import { missing } from '../../support/nameservers/nameserver';
import { api, registered, startService, type Api } from '../../support/service/service';

const DIGEST = 'ab'.repeat(32);
/** Type, name, content as it is stored. */
const RECORDS: readonly (readonly [type: string, name: string, content: string])[] = [
  ['HTTPS', '@', '1 . alpn="h2,h3" ipv4hint="192.0.2.1"'],
  ['SVCB', '_dns', '1 dns.example.net. alpn="dot" key667="a\\"b\\\\c"'],
  ['TLSA', '_443._tcp', `3 1 1 ${DIGEST}`],
  ['SSHFP', 'host', `4 2 ${DIGEST}`],
  ['NS', 'sub', 'ns1.example.net'],
  ['DS', 'sub', `2371 13 2 ${DIGEST}`],
  ['PTR', '1', 'host.example.net.'],
  ['NAPTR', '@', '100 10 "S" "SIP+D2U" "" _sip._udp.example.net.'],
  ['URI', '_http._tcp', '10 1 "https://www.example.net/a;b"'],
  ['LOC', '@', '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m'],
  ['DNAME', 'old', 'new.example.net.'],
  ['SMIMEA', '_smimecert', '3 0 0 abcdef'],
  ['OPENPGPKEY', '_openpgpkey', 'AAECAw=='],
  ['CERT', 'cert', '1 0 0 AAECAw=='],
  ['HINFO', 'host', '"ARM64" "a \\"b\\" ; c"'],
  ['DHCID', 'host', 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA='],
  ['CDS', 'other', `2371 13 2 ${DIGEST}`],
  ['CDNSKEY', 'other', '257 3 13 AAECAw=='],
  ['DNSKEY', '@', '257 3 13 AAECAw=='],
  ['DSYNC', '*._dsync', 'CDS NOTIFY 53 scanner.example.net.'],
  ['TYPE65280', 'x', '\\# 4 0a000001'],
];
const drafts = RECORDS.map(([type, name, content]) => ({ type, name, content }));

onBothDatabases(
  'the record types that are switched on',
  (service) => {
    let accountId: string;
    let key: string;
    let client: Api;
    let zone: string;
    let dns: string;
    let serial = 0;

    beforeAll(async () => {
      accountId = await service().account();
      key = await service().key(accountId);
      client = api(service(), key);
    });

    beforeEach(async () => {
      zone = `types-${(serial += 1)}.com`;
      dns = `/api/domains/${await registered(client, zone)}/dns`;
    });

    const create = () => client.post(`${dns}/records/batch`, { create: drafts }).expect(200);
    const listed = async (): Promise<string[]> =>
      (await client.get(`${dns}/records`).expect(200)).body.map(
        ({ type, name, content }: Record<string, string>) => `${type} ${name} ${content}`,
      );
    const zoneFile = async () => (await client.get(`${dns}/zonefile`).expect(200)).text;
    const lines = RECORDS.map((fields) => fields.join(' ')).toSorted();

    it('are created, listed, filtered, changed and rolled back', async () => {
      const before = (await create()).headers['zone-version'];
      const { body } = await client.get(`${dns}/records?type=OPENPGPKEY`).expect(200);
      const record = { type: 'OPENPGPKEY', name: '_openpgpkey', content: 'AAECAw==', ttl: 3600, priority: null };
      await client
        .put(`${dns}/records/${body[0].id}`, { type: 'TYPE61', content: '\\# 1 ff' })
        .expect(200)
        .expect(({ body: { content, type } }) => expect([type, content]).toEqual(['OPENPGPKEY', '/w==']));
      await client.post(`${dns}/history/${before}/restore`).expect(200);

      expect(body).toEqual([expect.objectContaining(record)]);
      expect((await listed()).toSorted()).toEqual(lines);
    });

    it('are exported and imported without a change', async () => {
      await create();
      const text = await zoneFile();

      const { body } = await client.put(`${dns}/zonefile`, text).set('Content-Type', 'text/dns').expect(200);
      await client.put(`${dns}/zonefile`, `@ 60 A 192.0.2.1\n`).set('Content-Type', 'text/dns').expect(200);
      await client.put(`${dns}/zonefile?provider_records=include`, text).set('Content-Type', 'text/dns').expect(200);

      expect(body).toMatchObject({ created: [], updated: [], deleted: [], skipped_types: { SOA: 1 } });
      expect((await listed()).toSorted()).toEqual(lines);
      expect((await zoneFile()).split('\n').slice(1).toSorted()).toEqual(text.split('\n').slice(1).toSorted());
    });

    it('are written by the PowerDNS API and read by it', async () => {
      const { server } = service();
      const path = `/compat/powerdns/api/v1/servers/localhost/zones/${zone}.`;
      const rrset = (type: string, content: string) => ({
        name: `a.${zone}.`,
        type,
        ttl: 300,
        changetype: 'REPLACE',
        records: [{ content, disabled: false }],
      });

      const rrsets = [rrset('TLSA', `3 1 1 ${DIGEST.toUpperCase()}`), rrset('TYPE65280', '\\# 1 FF')];
      await request(server).patch(path).set('X-API-Key', key).send({ rrsets }).expect(204);
      const { body } = await request(server).get(path).set('X-API-Key', key).expect(200);

      expect(body.rrsets).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ type: 'TLSA', records: [{ content: `3 1 1 ${DIGEST}`, disabled: false }] }),
          expect.objectContaining({ type: 'TYPE65280', records: [{ content: '\\# 1 ff', disabled: false }] }),
        ]),
      );
    });

    it('are added and edited in the dashboard, other types by their number', async () => {
      const dashboard = await signIn(service(), accountId);
      const path = dns.replace('/api', '').replace('/dns', '/records');
      const blank = { ttl: '', priority: '', weight: '', port: '' };

      await dashboard.post(path, { ...blank, type: 'HTTPS', name: '@', content: '1 . alpn=h3' }).expect(303);
      await dashboard
        .post(path, { ...blank, type: 'TYPE###', type_number: '65280', name: 'x', content: '\\# 1 ff' })
        .expect(303);
      const refused = await dashboard.post(path, {
        ...blank,
        type: 'TYPE###',
        type_number: '6',
        name: 'x',
        content: '\\# 0',
      });
      const { body } = await client.get(`${dns}/records?type=TYPE65280`).expect(200);
      const { text } = await dashboard.get(`${path}?edit=${body[0].id}`).expect(200);

      expect(await listed()).toEqual(['HTTPS @ 1 . alpn="h3"', 'TYPE65280 x \\# 1 ff']);
      expect(refused.text).toContain('Supported types: A, AAAA,');
      expect(text).toContain('value="65280"');
      expect(text).not.toContain('RECORD_TYPES');
    });

    it('have a field for each part of their content in the dashboard', async () => {
      const dashboard = await signIn(service(), accountId);
      const path = dns.replace('/api', '').replace('/dns', '/records');
      const tlsa = { ttl: '', priority: '', type: 'TLSA', name: '_443._tcp', tlsa_1: '3', tlsa_2: '1', tlsa_3: '1' };

      const refused = await dashboard.post(path, { ...tlsa, tlsa_4: '' });
      await dashboard.post(path, { ...tlsa, tlsa_4: DIGEST }).expect(303);
      const { body } = await client.get(`${dns}/records?type=TLSA`).expect(200);
      const { text } = await dashboard.get(`${path}?edit=${body[0].id}`).expect(200);

      expect(refused.text).toMatch(/name="tlsa_4"[^>]*aria-invalid/);
      expect(await listed()).toEqual([`TLSA _443._tcp 3 1 1 ${DIGEST}`]);
      expect(text).toMatch(new RegExp(`name="tlsa_4"[^>]*value="${DIGEST}"`));
    });

    it('say which content they take, and refuse the rest', async () => {
      await client
        .post(`${dns}/records`, { type: 'SSHFP', name: 'host', content: '4 2 abcd' })
        .expect(400)
        .expect(({ body: { error } }) => {
          expect(error).toMatchObject({ code: 'INVALID_RECORD_CONTENT', message: 'Invalid content for SSHFP record' });
          expect(error.details).toContain('<algorithm> <fingerprint type> <fingerprint in hexadecimal>, such as 4 2 ');
        });
      await client
        .post(`${dns}/records`, { type: 'RRSIG', name: 'host', content: 'A' })
        .expect(400)
        .expect(({ body: { error } }) => expect(error.details).toMatch(/^Supported types: A, .*, TYPE###$/));
    });

    describeOrSkip(missing('named-checkzone', 'kzonecheck'))('in an exported zone file', () => {
      it('are accepted by BIND and Knot', async () => {
        await create();
        const folder = mkdtempSync(join(tmpdir(), 'namewright-types-'));
        const file = join(folder, 'zone');
        // A zone with keys and without signatures is refused.
        writeFileSync(file, (await zoneFile()).replaceAll(/.*\t(?:CDS|CDNSKEY|DNSKEY)\t.*\n/g, ''));

        expect(execFileSync('named-checkzone', ['-i', 'none', zone, file], { encoding: 'utf8' })).toMatch(/OK\s*$/);
        expect(() => execFileSync('kzonecheck', ['-o', zone, file], { stdio: 'pipe' })).not.toThrow();
        rmSync(folder, { recursive: true });
      });
    });
  },
  { RECORD_TYPES: 'all', COMPATIBILITY_APIS: 'powerdns' },
);

describe('record types that are switched off', () => {
  it('are refused and named only in the hint for operators, and stored records stay', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'namewright-types-'));
    const settings = {
      DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
      SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    };
    const before = await startService({ ...settings, RECORD_TYPES: 'TLSA' });
    const accountId = await before.account();
    const key = await before.key(accountId);
    const id = await registered(api(before, key), 'switched-off.com');
    const tlsa = { type: 'TLSA', name: '_443._tcp', content: `3 1 1 ${DIGEST}` };
    const { body } = await api(before, key).post(`/api/domains/${id}/dns/records`, tlsa).expect(201);
    await before.stop();

    const service = await startService(settings);
    const client = api(service, key);
    const records = `/api/domains/${id}/dns/records`;
    const imported = await client
      .put(`/api/domains/${id}/dns/zonefile`, `$TTL 60\nwww A 192.0.2.1\n_25._tcp TLSA 3 1 1 ${DIGEST}\n`)
      .set('Content-Type', 'text/dns')
      .expect(200);
    const { text } = await (await signIn(service, accountId)).get(`/domains/${id}/records`).expect(200);

    for (const refused of [
      await client.post(records, tlsa),
      await client.put(`${records}/${body.id}`, { ttl: 60 }),
      await client.post(records, { type: 'TYPE52', name: 'x', content: '\\# 0' }),
      await client.get(`${records}?type=TLSA`),
    ])
      expect(refused.body.error).toMatchObject({
        code: 'INVALID_RECORD_TYPE',
        details: 'Supported types: A, AAAA, CNAME, MX, TXT, NS, SRV, CAA',
      });
    expect(imported.body.skipped_types).toEqual({ TLSA: 1 });
    expect(text).toContain('The operator of this service can switch on more types');
    expect((await client.get(records)).body).toEqual([body, expect.objectContaining({ type: 'A' })]);
    expect((await client.get(`/api/domains/${id}/dns/zonefile`)).text).toContain('TLSA\t3 1 1');
    await client.delete(`${records}/${body.id}`).expect(200);
    await service.stop();
    rmSync(folder, { recursive: true });
  });
});
