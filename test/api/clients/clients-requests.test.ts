import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const DOCUMENTED = readFileSync(join(__dirname, '../../../docs/clients/powerdns-api.md'), 'utf8');
const SERVER = '/compat/powerdns/api/v1/servers/localhost';
const JSON_TYPE = { 'Content-Type': 'application/json' };

type Sent = readonly [method: 'get' | 'patch' | 'put' | 'post', path: string, body?: string | object];

/** A zone as go-powerdns encodes it. */
const sets = (rrsets: readonly object[]) => ({ name: '', type: 'Zone', rrsets, nameservers: [] });
const set = (name: string, type: string, contents: readonly string[], ttl = 300) => ({
  name,
  type,
  ttl,
  changetype: 'REPLACE',
  records: contents.map((content) => ({ content, disabled: false })),
  comments: null,
});

/**
 * The requests of programs that cannot be run here, as their source sends them: DNSControl 4 (go-powerdns 0.6.7), Terraform's
 * provider pan-net/powerdns 1.5, external-dns's PowerDNS provider before and after 0.22, lego 5, acme.sh 3.1 and lexicon 3.
 */
describe('the requests of programs that speak the PowerDNS API', () => {
  let service: TestService;
  let client: Api;
  let key: string;

  beforeAll(async () => {
    service = await startService({
      COMPATIBILITY_APIS: 'powerdns,external-dns,httpreq,acme-dns,dyndns',
      DYNDNS_PLAIN_HTTP: 'on',
      RECORD_TYPES: 'all',
    });
    key = await service.key(await service.account());
    client = api(service, key);
  });

  afterAll(() => service.stop());

  const send = ([method, path, body]: Sent, headers: Record<string, string> = JSON_TYPE) => {
    const sent = request(service.server)[method](path).set('X-API-Key', key).set(headers);
    return body === undefined ? sent : sent.send(typeof body === 'string' ? body : `${JSON.stringify(body)}\n`);
  };
  const records = async (id: string): Promise<readonly string[]> =>
    ((await client.get(`/api/domains/${id}/dns/records`).expect(200)).body as Record<string, string | number>[])
      .map(({ name, type, ttl, content }) => `${name} ${ttl} ${type} ${content}`)
      .toSorted();

  it('read, delete and replace sets below the documented apiUrl for DNSControl', async () => {
    const zone = 'dnscontrol.com';
    const id = await registered(client, zone);
    const [, apiUrl = ''] = /"apiUrl": "(.*?)"/.exec(DOCUMENTED) ?? [];
    // It adds /api/v1 only to a URL without a path.
    const path = `${new URL(apiUrl).pathname.replace(/\/$/, '')}/servers/localhost/zones/${zone}.`;
    const replaced = sets([
      set(`www.${zone}.`, 'A', ['192.0.2.1', '192.0.2.2']),
      set(`${zone}.`, 'TXT', ['"v=spf1 -all"', `"${'a'.repeat(255)}" "b"`]),
      set(`${zone}.`, 'HTTPS', ['1 . alpn=h3,h2 ipv4hint=192.0.2.1']),
      set(`${zone}.`, 'MX', [`10 mail.${zone}.`]),
      set(`${zone}.`, 'CAA', ['0 issue "ca.example.net"']),
      set(`_sip._tcp.${zone}.`, 'SRV', [`1 2 5060 sip.${zone}.`]),
      set(`host.${zone}.`, 'SSHFP', ['4 2 123456789abcdef67890123456789abcdef67890123456789abcdef123456789']),
    ]);

    const { body } = await send(['get', path]).expect(200).expect('Content-Type', 'application/json');
    await send(['patch', path, replaced]).expect(204, '');
    const stored = await records(id);
    await send(['patch', path, replaced]).expect(204, '');
    const removed = { name: `www.${zone}.`, type: 'A', ttl: 0, changetype: 'DELETE', records: null, comments: null };
    await send(['patch', path, sets([removed])]).expect(204, '');

    expect(body).toMatchObject({ kind: 'Master', serial: expect.any(Number), dnssec: false, soa_edit_api: '' });
    expect(stored).toHaveLength(9);
    expect(await records(id)).toEqual(stored.filter((record) => !record.startsWith('www ')));
    const refused = { ...removed, name: `${zone}.`, type: 'SOA' };
    await send(['patch', path, sets([refused])])
      .expect(422)
      .expect('Content-Type', 'application/json');
    await send(['get', `${path}/cryptokeys`]).expect(200, []);
    await send(['get', path.replace(zone, 'none.com')]).expect(404);
  });

  it('detect the version, and create, read and delete a set for Terraform', async () => {
    const zone = 'terraform.com';
    const id = await registered(client, zone);
    const path = `${SERVER}/zones/${zone}.`;
    const name = `www.${zone}.`;
    const record = { name, type: 'A', content: '192.0.2.1', ttl: 300, disabled: false, 'set-ptr': false };
    const set = { name, type: 'A', changetype: 'REPLACE', ttl: 300, records: [record] };
    const headers = { Accept: 'application/json' };

    await send(['get', '/compat/powerdns/api/v1/servers'], headers).expect(200);
    expect((await send(['get', SERVER], headers).expect(200)).body).toMatchObject({ version: '4.9.0' });
    await send(['patch', path, { rrsets: [set] }], { ...headers, ...JSON_TYPE }).expect(204);
    const { body } = await send(['get', path], headers).expect(200);
    const present = await records(id);
    const removed = { name, type: 'A', changetype: 'DELETE', ttl: 0 };
    await send(['patch', path, { rrsets: [removed] }], { ...headers, ...JSON_TYPE }).expect(204);

    expect(body.rrsets).toContainEqual(
      expect.objectContaining({ name, type: 'A', ttl: 300, records: [{ content: '192.0.2.1', disabled: false }] }),
    );
    expect(body).toMatchObject({ id: `${zone}.`, name: `${zone}.`, kind: 'Master', account: '', soa_edit_api: '' });
    expect([present, await records(id)]).toEqual([['www 300 A 192.0.2.1'], []]);
    await send(['get', `${SERVER}/zones/none.com.`], headers).expect(404);
  });

  it.each([
    ['before 0.22', (zone: string) => ({ id: `${zone}.`, name: `${zone}.`, kind: 'Master', dnssec: false, serial: 1 })],
    ['since 0.22', () => ({})],
  ])('create, update and delete endpoints with their TXT records for external-dns %s', async (version, members) => {
    const zone = `external-dns${version.length}.com`;
    const id = await registered(client, zone);
    const path = `${SERVER}/zones/${zone}.`;
    const headers = { 'User-Agent': 'go-powerdns', Accept: 'application/json', ...JSON_TYPE };
    const set = (changetype: string, name: string, type: string, contents: readonly string[], ttl?: number) => ({
      name: `${name}.${zone}.`,
      type,
      ...(ttl && { ttl }),
      changetype,
      records: contents.map((content) => ({ content, disabled: false })),
    });
    const owner = '"heritage=external-dns,external-dns/owner=blue,external-dns/resource=ingress/default/web"';
    const patch = (...rrsets: readonly object[]) =>
      send(['patch', path, { ...members(zone), rrsets }], headers).expect(204, '');

    const { body: zones } = await send(['get', `${SERVER}/zones`], { 'User-Agent': 'go-powerdns' }).expect(200);
    await patch(
      set('REPLACE', 'web', 'A', ['192.0.2.1'], 300),
      set('REPLACE', 'a-_owner.web', 'TXT', [owner], 300),
      set('REPLACE', 'alias', 'CNAME', ['web.example.net.'], 300),
      set('REPLACE', 'mail', 'MX', ['10 mail.example.net.'], 300),
    );
    const created = await records(id);
    await patch(set('REPLACE', 'web', 'A', ['192.0.2.2', '192.0.2.3'], 60));
    const updated = await records(id);
    await patch(
      set('DELETE', 'web', 'A', ['192.0.2.2', '192.0.2.3']),
      set('DELETE', 'a-_owner.web', 'TXT', [owner]),
      set('DELETE', 'alias', 'CNAME', ['web.example.net.']),
      set('DELETE', 'mail', 'MX', ['10 mail.example.net.']),
    );

    expect(zones).toContainEqual(expect.objectContaining({ id: `${zone}.`, name: `${zone}.` }));
    expect(created).toEqual([
      `a-_owner.web 300 TXT ${owner.slice(1, -1)}`,
      'alias 300 CNAME web.example.net',
      'mail 300 MX mail.example.net',
      'web 300 A 192.0.2.1',
    ]);
    expect(updated.filter((record) => record.startsWith('web'))).toEqual(['web 60 A 192.0.2.2', 'web 60 A 192.0.2.3']);
    expect(await records(id)).toEqual([]);
  });

  it('set and remove two values of a challenge for lego, acme.sh and lexicon', async () => {
    const zone = 'acme-requests.com';
    const id = await registered(client, zone);
    const path = `${SERVER}/zones/${zone}.`;
    const name = `_acme-challenge.${zone}.`;
    const set = (changetype: string, more: object = {}) => ({ rrsets: [{ name, type: 'TXT', changetype, ...more }] });
    const lego = (content: string) => ({ content, disabled: false, name, type: 'TXT', ttl: 120 });
    const challenges = async () => (await records(id)).map((record) => record.split(' ').at(-1));

    await send(['get', '/compat/powerdns/api'], { Accept: 'application/json' }).expect(200);
    const legoSet = { kind: 'Master', ttl: 120, records: [{ content: '"one"', disabled: false }, lego('"two"')] };
    await send(['patch', path, set('REPLACE', legoSet)]).expect(204, '');
    await send(['put', `${path}/notify`]).expect(200);
    expect(await challenges()).toEqual(['one', 'two']);
    await send(['patch', path, set('DELETE', { kind: '' })]).expect(204, '');
    expect(await challenges()).toEqual([]);

    const shell =
      '"records": [{"content": "\\"three\\"", "disabled": false}, {"content": "\\"four\\"", "disabled": false}]';
    const written = `{"rrsets": [{"changetype": "REPLACE", "name": "${name}", "type": "TXT", "ttl": 60, ${shell}}]}`;
    await send(['patch', path, written]).expect(204, '');
    await send(['put', `${path}/notify`, ''], { 'Content-Type': 'application/x-www-form-urlencoded' }).expect(200);
    expect(await challenges()).toEqual(['four', 'three']);
    const { text } = await send(['get', path], {}).expect(200);
    // These are the expressions by which acme.sh finds the values.
    const [found = ''] = new RegExp(`"name":"_acme-challenge\\.${zone}[^\\]]*}`).exec(text) ?? [];
    expect([...found.matchAll(/content":"\\"([^\\]*)/g)].map(([, value]) => value)).toEqual(['three', 'four']);

    const { body } = await send(['get', `${SERVER}/zones/${zone}`, '{}']).expect(200);
    const { comments: _comments, ...own } = body.rrsets.find((each: { type: string }) => each.type === 'TXT');
    const kept = { ...own, records: own.records.slice(0, 1), changetype: 'REPLACE' };
    await send(['patch', `${SERVER}/zones/${zone}`, { rrsets: [kept] }]).expect(204, '');
    expect(await challenges()).toEqual(['three']);
  });

  it('change nothing if they are sent again, whichever compatibility API they are for', async () => {
    const zone = 'sent-again.com';
    const id = await registered(client, zone);
    const [, keyId = '', secret = ''] = /^nw_live_(.{12})\.(.*)$/.exec(key) ?? [];
    const [one, two] = ['A'.repeat(43), 'B'.repeat(43)];
    const records = [{ content: '192.0.2.1', disabled: false }];
    const patch = (changetype: string) => () =>
      send([
        'patch',
        `${SERVER}/zones/${zone}.`,
        { rrsets: [{ name: `${changetype}.${zone}.`, type: 'A', ttl: 60, changetype, records }] },
      ]);
    const { server } = service;
    const requests: readonly (() => request.Test)[] = [
      patch('REPLACE'),
      patch('EXTEND'),
      () =>
        request(server)
          .post('/compat/external-dns/records')
          .auth(key, { type: 'bearer' })
          .send({ create: [{ dnsName: `web.${zone}`, recordType: 'A', targets: ['192.0.2.1'] }] }),
      () =>
        request(server)
          .post('/compat/httpreq/present')
          .auth(keyId, secret)
          .send({ fqdn: `_acme-challenge.${zone}.`, value: one }),
      () =>
        request(server)
          .post('/compat/acme-dns/update')
          .set({ 'X-Api-User': keyId, 'X-Api-Key': secret })
          .send({ subdomain: zone, txt: two }),
      () => request(server).get(`/nic/update?hostname=home.${zone}&myip=192.0.2.1`).auth(keyId, secret),
    ];
    const version = async () =>
      Number((await client.get(`/api/domains/${id}/dns/records`).expect(200)).headers['zone-version']);
    const first = await version();

    for (const [index, once] of requests.entries()) {
      expect((await once()).status).toBeLessThan(300);
      expect((await once()).status).toBeLessThan(300);
      expect(await version()).toBe(first + index + 1);
    }
  });
});
