import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import request from 'supertest';
import { SigningRunner } from '../../../src/application/dnssec/steps/signing-runner';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const PREFIX = '/compat/powerdns';
const ZONES = `${PREFIX}/api/v1/servers/localhost/zones`;

/** A client of the PowerDNS API. */
function powerDns({ server }: TestService, key: string) {
  const send = (method: 'get' | 'put' | 'patch' | 'post') => (path: string) =>
    request(server)[method](path).set('X-API-Key', key);
  return { get: send('get'), put: send('put'), patch: send('patch'), post: send('post') };
}

function rrset(name: string, type: string, ttl: number, contents: readonly string[]): object {
  return { comments: [], name, records: contents.map((content) => ({ content, disabled: false })), ttl, type };
}

function replace(name: string, type: string, ttl: number, contents: readonly string[]) {
  const records = contents.map((content) => ({ content, disabled: false }));
  return { name, type, ttl, changetype: 'REPLACE', records };
}

onBothDatabases(
  'the PowerDNS API',
  (service) => {
    let account: string;
    let key: string;
    let client: Api;
    let pdns: ReturnType<typeof powerDns>;

    beforeAll(async () => {
      account = await service().account();
      key = await service().key(account);
      client = api(service(), key);
      pdns = powerDns(service(), key);
    });

    it('returns its version and its one server', async () => {
      const { body: versions } = await pdns.get(`${PREFIX}/api`).expect(200);
      const { body: servers } = await pdns.get(`${PREFIX}/api/v1/servers`).expect(200);
      const { body: server } = await pdns.get(`${PREFIX}/api/v1/servers/localhost`).expect(200);

      expect(versions).toEqual([{ url: '/api/v1', version: 1 }]);
      expect(servers).toEqual([server]);
      expect(server).toMatchObject({ id: 'localhost', type: 'Server', daemon_type: 'authoritative', version: '4.9.0' });
    });

    it('lists the domains of the account as zones, all or the one that is asked for', async () => {
      const domain = 'pdns-list.com';
      const id = await registered(client, domain);
      const { body: status } = await client.get(`/api/domains/${id}/dns/status`).expect(200);
      const listed = {
        account: '',
        catalog: '',
        dnssec: false,
        edited_serial: status.serial,
        id: `${domain}.`,
        kind: 'Master',
        last_check: 0,
        masters: [],
        name: `${domain}.`,
        notified_serial: status.serial,
        serial: status.serial,
        url: `/api/v1/servers/localhost/zones/${domain}.`,
      };

      expect((await pdns.get(ZONES).expect(200)).body).toContainEqual(listed);
      expect((await pdns.get(`${ZONES}?zone=${domain}.`).expect(200)).body).toEqual([listed]);
      expect((await pdns.get(`${ZONES}?zone=com.`).expect(200)).body).toEqual([]);
    });

    it('shows a zone as nameservers serve it, with its SOA and its delegation', async () => {
      const domain = 'pdns-zone.com';
      const id = await registered(client, domain);
      await client
        .post(`/api/domains/${id}/dns/records`, { type: 'MX', name: '@', content: 'mail.pdns-zone.com', priority: 10 })
        .expect(201);
      const { headers } = await client
        .post(`/api/domains/${id}/dns/records`, { type: 'TXT', name: 'www', content: 'say "hi"', ttl: 60 })
        .expect(201);
      const serial = Number(headers['zone-version']);

      const { body } = await pdns.get(`${ZONES}/${domain}.`).expect(200);

      expect(body).toMatchObject({ id: `${domain}.`, kind: 'Master', serial, edited_serial: serial });
      expect(body.rrsets).toEqual([
        rrset(`${domain}.`, 'SOA', 3600, [
          `ns1.namewright.example. hostmaster.${domain}. ${serial} 3600 600 1209600 300`,
        ]),
        rrset(`${domain}.`, 'NS', 3600, ['ns1.namewright.example.', 'ns2.namewright.example.']),
        rrset(`${domain}.`, 'MX', 3600, [`10 mail.${domain}.`]),
        rrset(`www.${domain}.`, 'TXT', 60, [String.raw`"say \"hi\""`]),
      ]);
      expect((await pdns.get(`${ZONES}/${domain}`).expect(200)).body).toEqual(body);
      expect((await pdns.get(`${ZONES}/${domain}.?rrsets=false`).expect(200)).body).not.toHaveProperty('rrsets');
      const { body: one } = await pdns.get(`${ZONES}/${domain}.?rrset_name=www.${domain}.&rrset_type=TXT`).expect(200);
      expect(one.rrsets).toEqual(body.rrsets.slice(3));
    });

    const patch = (domain: string, ...rrsets: object[]) => pdns.patch(`${ZONES}/${domain}.`).send({ rrsets });
    const rrsetsOf = async (domain: string): Promise<{ readonly type: string; readonly name: string }[]> =>
      (await pdns.get(`${ZONES}/${domain}.`).expect(200)).body.rrsets;
    const withoutApex = async (domain: string) =>
      (await rrsetsOf(domain)).filter(({ type }) => type !== 'SOA' && type !== 'NS');

    it('replaces and deletes RRsets, all changes of a request as one version of the zone', async () => {
      const domain = 'pdns-patch.com';
      const id = await registered(client, domain);
      const sets = [
        replace(`www.${domain}.`, 'A', 300, ['192.0.2.1', '192.0.2.2']),
        replace(`${domain}.`, 'MX', 3600, [`10 mail.${domain}.`, '20 mail.example.net.']),
        replace(`${domain}.`, 'TXT', 3600, [`"v=spf1 -all"`, `"a;b" "c"`]),
        replace(`_sip._tcp.${domain}.`, 'SRV', 60, ['1 2 5060 sip.example.net.']),
        replace(`${domain}.`, 'CAA', 3600, ['0 issue "ca.example.net"']),
        replace(`*.w.${domain}.`, 'CNAME', 1, ['example.net.']),
      ];

      const { text, headers } = await patch(domain, ...sets).expect(204);

      expect(text).toBe('');
      expect(headers['content-type']).toBeUndefined();
      expect(await withoutApex(domain)).toEqual(
        sets.map(({ name, type, ttl, records }) =>
          rrset(
            name,
            type,
            Math.max(ttl, 60),
            records.map(({ content }) => content),
          ),
        ),
      );
      const { body: history } = await client.get(`/api/domains/${id}/dns/history`).expect(200);
      expect(history[0]).toMatchObject({ added: 9, changed: 0, removed: 0 });

      await patch(
        domain,
        { name: `www.${domain}.`, type: 'A', changetype: 'DELETE' },
        { name: `_sip._tcp.${domain}.`, type: 'SRV', changetype: 'DELETE', records: null },
        { ...replace(`*.w.${domain}.`, 'CNAME', 60, []), comments: [] },
        { name: `none.${domain}.`, type: 'A', changetype: 'DELETE' },
        replace(`www.${domain}.`, 'CNAME', 300, ['example.net.']),
      ).expect(204);

      expect((await withoutApex(domain)).map(({ name, type }) => `${name} ${type}`)).toEqual([
        `${domain}. MX`,
        `${domain}. TXT`,
        `${domain}. CAA`,
        `www.${domain}. CNAME`,
      ]);
    });

    it('adds and removes single records by EXTEND and PRUNE', async () => {
      const domain = 'pdns-extend.com';
      await registered(client, domain);
      const challenge = (changetype: string, content: string) => ({
        ...replace(`_acme-challenge.${domain}.`, 'TXT', 60, [content]),
        changetype,
      });

      await patch(domain, challenge('EXTEND', '"one"')).expect(204);
      await patch(domain, challenge('EXTEND', '"two"')).expect(204);
      await patch(domain, challenge('EXTEND', '"two"')).expect(204);
      await patch(domain, challenge('PRUNE', '"one"')).expect(204);

      expect(await withoutApex(domain)).toEqual([rrset(`_acme-challenge.${domain}.`, 'TXT', 60, ['"two"'])]);
    });

    it('takes a whole zone back as it was read, without a change', async () => {
      const domain = 'pdns-same.com';
      const id = await registered(client, domain);
      const records = `/api/domains/${id}/dns/records`;
      await client.post(records, { type: 'NS', name: '@', content: 'ns3.example.net', ttl: 7200 }).expect(201);
      await client.post(records, { type: 'A', name: '@', content: '192.0.2.1', ttl: 60 }).expect(201);
      await client.post(records, { type: 'A', name: '@', content: '192.0.2.2' }).expect(201);
      const { body: before } = await pdns.get(`${ZONES}/${domain}.`).expect(200);

      await patch(domain, ...before.rrsets.map((each: object) => ({ ...each, changetype: 'REPLACE' }))).expect(204);

      expect((await pdns.get(`${ZONES}/${domain}.`).expect(200)).body).toEqual(before);
      await client.post(records, { type: 'A', name: 'raises-the-serial', content: '192.0.2.1' }).expect(201);
      await patch(domain, { ...before.rrsets[0], changetype: 'REPLACE' }).expect(204);
    });

    it.each([
      [1800, 2],
      [86_400, 2],
      [3600, 0],
    ])('keeps the TTL of the NS set at the apex, though it is the delegation: %i', async (ttl, stored) => {
      const domain = `pdns-ns-${ttl}.com`;
      const id = await registered(client, domain);
      const ns = (each: number) =>
        replace(`${domain}.`, 'NS', each, ['ns1.namewright.example.', 'ns2.namewright.example.']);
      await patch(domain, ns(600)).expect(204);

      await patch(domain, ns(ttl)).expect(204);

      expect((await rrsetsOf(domain))[1]).toMatchObject({ type: 'NS', ttl, records: [{}, {}] });
      const { body, headers } = await client.get(`/api/domains/${id}/dns/records`).expect(200);
      expect(body.map((record: { ttl: number }) => record.ttl)).toEqual(Array.from({ length: stored }, () => ttl));
      await patch(domain, ns(ttl)).expect(204);
      expect((await client.get(`/api/domains/${id}/dns/records`)).headers['zone-version']).toBe(
        headers['zone-version'],
      );
    });

    it('takes changetype and type in any case, and numbers as text, as PowerDNS does', async () => {
      const domain = 'pdns-case.com';
      await registered(client, domain);
      const file = readFileSync(`${__dirname}/../../fixtures/public-cases/19-lowercase.json`, 'utf8');
      const body = JSON.parse(file.replaceAll('my-first-name.com', domain)) as { rrsets: object[] };

      await patch(domain, ...body.rrsets).expect(204);
      await patch(domain, { ...replace(`text.${domain}.`, 'A', 300, ['192.0.2.1']), ttl: '300' }).expect(204);

      expect(await withoutApex(domain)).toEqual([
        rrset(`low.${domain}.`, 'A', 300, ['192.0.2.100']),
        rrset(`text.${domain}.`, 'A', 300, ['192.0.2.1']),
      ]);
    });

    it('replaces a set that the same request deletes, as PowerDNS does', async () => {
      const domain = 'pdns-delete-replace.com';
      await registered(client, domain);
      const www = `www.${domain}.`;

      await patch(domain, { name: www, type: 'A', changetype: 'DELETE' }, replace(www, 'A', 300, ['192.0.2.1'])).expect(
        204,
      );

      expect(await withoutApex(domain)).toEqual([rrset(www, 'A', 300, ['192.0.2.1'])]);
    });

    it('takes the settings of PowerDNS-Admin without effect, and refuses those that would have one', async () => {
      const domain = 'pdns-put.com';
      await registered(client, domain);
      const put = (body: object) => pdns.put(`${ZONES}/${domain}.`).send(body);

      for (const body of [
        {},
        { kind: 'Master', masters: [], soa_edit_api: 'DEFAULT', account: 'a', api_rectify: true },
        { kind: 'native', dnssec: false, rrsets: [] },
      ])
        await put(body).expect(204, '');
      for (const [body, reason] of [
        [{ kind: 'Slave' }, 'kind must be Master'],
        [{ dnssec: true }, 'PUT /api/domains/{id}/dnssec'],
        [{ rrsets: [replace(`www.${domain}.`, 'A', 60, ['192.0.2.1'])] }, 'are changed by PATCH'],
      ] as const)
        expect((await put(body).expect(422)).body).toEqual({ error: expect.stringContaining(reason) });
      await powerDns(service(), await service().key(account, 'READ'))
        .put(`${ZONES}/${domain}.`)
        .send({})
        .expect(403);
    });

    it('shows a signed zone with its keys, never with their private part', async () => {
      const domain = 'pdns-signed.com';
      const id = await registered(client, domain);
      const keys = `${ZONES}/${domain}./cryptokeys`;
      expect((await pdns.get(keys).expect(200)).body).toEqual([]);
      await client.put(`/api/domains/${id}/dnssec`, { enabled: true }).expect(200);

      let body: object[] = [];
      while (body.length === 0) {
        service().container.get(SigningRunner).wake(id);
        await sleep(20);
        body = (await pdns.get(keys).expect(200)).body;
      }

      expect(body).toEqual([
        {
          active: true,
          algorithm: 'ECDSAP256SHA256',
          bits: 256,
          dnskey: expect.stringMatching(/^257 3 13 \S+$/),
          ds: [expect.stringMatching(/^\d+ 13 2 [0-9a-f]{64}$/), expect.stringMatching(/^\d+ 13 4 [0-9a-f]{96}$/)],
          flags: 257,
          id: 1,
          keytype: 'csk',
          published: true,
          type: 'Cryptokey',
        },
      ]);
      expect((await pdns.get(`${keys}/1`).expect(200)).body).toEqual(body[0]);
      await pdns.get(`${keys}/2`).expect(404);
      expect((await pdns.get(`${ZONES}/${domain}.`).expect(200)).body).toMatchObject({ dnssec: true });
      expect((await pdns.get(`${ZONES}?zone=${domain}.`).expect(200)).body).toMatchObject([{ dnssec: true }]);
      await pdns.put(`${ZONES}/${domain}.`).send({ dnssec: true }).expect(204);
    });

    it('takes a body of any media type, as PowerDNS does', async () => {
      const domain = 'pdns-media.com';
      await registered(client, domain);
      const body = JSON.stringify({ rrsets: [replace(`www.${domain}.`, 'A', 60, ['192.0.2.1'])] });

      await pdns.patch(`${ZONES}/${domain}`).type('application/x-www-form-urlencoded').send(body).expect(204);
      await pdns.patch(`${ZONES}/${domain}`).unset('Content-Type').send(body).expect(204);

      expect(await withoutApex(domain)).toHaveLength(1);
    });

    describe('a change that is refused', () => {
      const domain = 'pdns-refused.com';
      const www = `www.${domain}.`;

      beforeAll(async () => {
        await registered(client, domain);
      });

      it.each([
        [replace(www, 'A', 60, ['x']), `Invalid content for A record: ${www} A: A content must be an IPv4 address`],
        [replace('www', 'A', 60, ['192.0.2.1']), 'RRset www IN A: the name must have a trailing dot'],
        [replace('www.example.com.', 'A', 60, ['192.0.2.1']), 'Invalid DNS record name: www.example.com. A: A name'],
        [replace(www, 'LUA', 60, ['A "1"']), `Invalid DNS record type: ${www} LUA: Supported types: A,`],
        [replace(www, 'TXT', 60, ['v=spf1 -all']), 'the text must be in double quotes'],
        [replace(www, 'CAA', 60, ['0 issue ca.example.net']), 'the value must be in double quotes'],
        [replace(www, 'CNAME', 60, ['a.example.net']), 'the name a.example.net must have a trailing dot'],
        [replace(www, 'MX', 60, ['10 a.example.net']), 'the name a.example.net must have a trailing dot'],
        [replace(`_a._b.${domain}.`, 'SRV', 60, ['1 2 3 a.example.net']), 'must have a trailing dot'],
        [replace(`other.${domain}.`, 'A', 60, ['192.0.2.2']), 'changetype REPLACE is given twice for this set'],
        [{ ...replace(www, 'A', 60, ['192.0.2.1']), ttl: 'x' }, 'ttl must be an integer'],
        [replace(www, 'MX', 60, ['mail.example.net.']), 'the content must be a priority and a name'],
        [replace(www, 'SRV', 60, ['1 2 x.']), 'the content must be a priority, a weight, a port and a name'],
        [{ ...replace(www, 'A', 60, ['192.0.2.1']), ttl: undefined }, 'ttl must be an integer'],
        [
          { ...replace(www, 'A', 60, ['192.0.2.1']), changetype: undefined },
          'changetype must be one of REPLACE, DELETE',
        ],
        [{ ...replace(www, 'A', 60, ['192.0.2.1']), records: null }, 'records must be an array'],
        [{ ...replace(www, 'A', 60, ['192.0.2.1', '192.0.2.2']), changetype: 'EXTEND' }, 'EXTEND takes one record'],
        [
          { ...replace(www, 'A', 60, []), records: [{ content: '192.0.2.1', disabled: true }] },
          'disabled records are not',
        ],
        [{ ...replace(www, 'A', 60, []), records: [{ disabled: true }] }, 'a record must have a content'],
        [replace(`${domain}.`, 'SOA', 3600, ['a. b. 1 2 3 4 5']), 'the SOA is generated and cannot be changed'],
        [{ name: `${domain}.`, type: 'SOA', changetype: 'DELETE' }, 'the SOA is generated and cannot be changed'],
        [{ name: `${domain}.`, type: 'NS', changetype: 'DELETE' }, "must contain the domain's nameservers"],
        [replace(`${domain}.`, 'CNAME', 60, ['example.net.']), 'CNAME cannot be created at the root'],
        [
          replace('other.pdns-refused.com.', 'CNAME', 60, ['example.net.']),
          'conflicts: a CNAME must be the only record',
        ],
        ['www', 'rrsets[1] must be an object'],
      ])('leaves the zone as it was: %j', async (refused, reason) => {
        const good = replace(`other.${domain}.`, 'A', 60, ['192.0.2.1']);

        const { body } = await pdns
          .patch(`${ZONES}/${domain}.`)
          .send({ rrsets: [good, refused] })
          .expect(422);

        expect(body).toEqual({ error: expect.stringContaining(reason) });
        expect(await withoutApex(domain)).toEqual([]);
      });

      it.each(['[]', '{', '{"rrsets":{}}', ''])('leaves the zone as it was: the body %j', async (text) => {
        const { body } = await pdns.patch(`${ZONES}/${domain}.`).type('json').send(text).expect(422);

        expect(body).toEqual({ error: expect.stringContaining('Request validation failed') });
      });

      it('leaves the zone as it was: with a key that may only read', async () => {
        const reader = powerDns(service(), await service().key(account, 'READ'));

        const { body } = await reader.patch(`${ZONES}/${domain}.`).send({ rrsets: [] }).expect(403);

        expect(body).toEqual({ error: 'This operation requires WRITE scope' });
      });

      it('leaves the zone as it was: with a key of another account', async () => {
        const stranger = powerDns(service(), await service().key(await service().account()));

        await stranger.patch(`${ZONES}/${domain}.`).send({ rrsets: [] }).expect(404);
        await stranger.put(`${ZONES}/${domain}./notify`).expect(404);
      });
    });

    it('notifies the secondaries', async () => {
      const domain = 'pdns-notify.com';
      await registered(client, domain);

      const { body } = await pdns.put(`${ZONES}/${domain}./notify`).expect(200);

      expect(body).toEqual({ result: 'Notification queued' });
    });

    it.each([
      [`${PREFIX}/api`, 'nw_live_AAAAAAAAAAAA.wrong', 401, 'Provided key is invalid'],
      [`${ZONES}/not-ours.com.`, undefined, 404, 'Specified domain not found'],
      [`${PREFIX}/api/v1/servers/other/zones`, undefined, 404, 'Not found'],
      [`${ZONES}/not-ours.com./cryptokeys`, undefined, 404, 'Specified domain not found'],
    ])('reports an error of GET %s in the form of PowerDNS', async (path, otherKey, status, error) => {
      const { body, headers } = await powerDns(service(), otherKey ?? key)
        .get(path)
        .expect(status);

      expect(body).toEqual({ error });
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-type']).toBe('application/json');
    });

    it('takes the key from the header X-API-Key only', async () => {
      await request(service().server).get(`${PREFIX}/api?token=${key}`).expect(401);
      await request(service().server).get(`${PREFIX}/api`).set('Authorization', `Bearer ${key}`).expect(401);
    });
  },
  { COMPATIBILITY_APIS: 'powerdns' },
);

describe('a compatibility API', () => {
  it('does not exist unless it is configured', async () => {
    const service = await startService();
    const key = await service.key(await service.account());

    await powerDns(service, key).get(`${PREFIX}/api`).expect(404);
    await service.stop();
  });

  it('counts requests against the rate limit of the account', async () => {
    const service = await startService({ COMPATIBILITY_APIS: 'powerdns', RATE_LIMIT_PER_MINUTE: '2' });
    const pdns = powerDns(service, await service.key(await service.account()));
    await pdns.get(`${PREFIX}/api`).expect(200).expect('RateLimit-Remaining', '1');
    await pdns.get(`${PREFIX}/api`).expect(200);

    const { body, headers } = await pdns.get(`${PREFIX}/api`).expect(429);

    expect(body).toEqual({ error: 'Too many requests' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await service.stop();
  });
});
