import { readFileSync } from 'node:fs';
import request from 'supertest';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { OPERATOR } from '../../../src/domain/access/actor';
import { onBothDatabases } from '../../support/databases/databases';
import { api, hosted, registered, startService, type Api, type TestService } from '../../support/service/service';

const PREFIX = '/compat/external-dns';
const MEDIA_TYPE = 'application/external.dns.webhook+json;version=1';

function address(dnsName: string, target: string): object {
  return { dnsName, targets: [target], recordType: 'A' };
}

function endpointOf(domain: string, name: string, recordType: string, target: string, recordTTL = 300): object {
  return { dnsName: `${name}.${domain}`, targets: [target], recordType, recordTTL };
}

async function json(call: request.Test): Promise<unknown> {
  const { text, headers } = await call.buffer(true).expect(200);
  expect(headers['content-type']).toBe(MEDIA_TYPE);
  expect(headers['vary']).toBe('Content-Type');
  return JSON.parse(text) as unknown;
}

/** A body of a public bug report, for another domain. */
function publicCase(file: string, domain: string): object {
  const text = readFileSync(`${__dirname}/../../fixtures/public-cases/${file}`, 'utf8');
  return JSON.parse(text.replaceAll('my-first-name.com', domain)) as object;
}

onBothDatabases(
  'the webhook provider of external-dns',
  (service) => {
    let account: string;
    let key: string;
    let client: Api;

    beforeAll(async () => {
      account = await service().account();
      key = await service().key(account, 'WRITE');
      client = api(service(), await service().key(account));
    });

    const get = (path: string, token = key) =>
      request(service().server).get(`${PREFIX}${path}`).set('Authorization', `Bearer ${token}`).accept(MEDIA_TYPE);
    const post = (path: string, body: object, token = key) =>
      request(service().server)
        .post(`${PREFIX}${path}`)
        .set('Authorization', `Bearer ${token}`)
        .type(MEDIA_TYPE)
        .accept(MEDIA_TYPE)
        .send(JSON.stringify(body));
    const keyFor = async (domain: string): Promise<string> => {
      const limits = { domains: [domain] };
      const command = { accountId: account, actor: OPERATOR, name: 'cluster', scope: 'WRITE' as const, limits };
      return (await service().container.get(IssueApiKey).execute(command)).text;
    };

    it.each([
      [
        'a registered domain',
        'externaldns-walk.com',
        async (name: string) => `/api/domains/${await registered(client, name)}`,
      ],
      ['a hosted zone', 'externaldns-walk.example', (name: string) => hosted(client, name)],
    ])(
      'creates, updates and deletes the records of a cluster in %s, with the TXT records of its registry',
      async (_place, domain, create) => {
        const path = await create(domain);
        const cluster = await keyFor(domain);
        const registry = '"heritage=external-dns,external-dns/owner=blue,external-dns/resource=ingress/default/web"';
        const web = { dnsName: `web.${domain}`, targets: ['192.0.2.1', '192.0.2.2'], recordType: 'A', labels: {} };
        const owner = { dnsName: `a-web.${domain}`, targets: [registry], recordType: 'TXT', labels: { owner: 'blue' } };

        expect(await json(get('/', cluster))).toEqual({ filters: [domain], include: [domain] });
        expect(await json(get('/records', cluster))).toEqual([]);
        expect(await json(post('/adjustendpoints', [web], cluster))).toEqual([web]);
        const { text } = await post('/records', { create: [web, owner] }, cluster).expect(204);

        expect(text).toBe('');
        const { labels: _labels, ...stored } = web;
        const { labels: _owner, ...storedOwner } = owner;
        expect(await json(get('/records', cluster))).toEqual([
          { ...stored, recordTTL: 300 },
          { ...storedOwner, recordTTL: 300 },
        ]);
        const updated = { ...web, targets: ['192.0.2.3'], recordTTL: 60 };
        await post('/records', { updateOld: [web, owner], updateNew: [updated, owner] }, cluster).expect(204);
        expect(await json(get('/records', cluster))).toEqual([
          { ...stored, targets: ['192.0.2.3'], recordTTL: 60 },
          { ...storedOwner, recordTTL: 300 },
        ]);
        await post('/records', { Delete: [updated, owner] }, cluster).expect(204);
        expect(await json(get('/records', cluster))).toEqual([]);
        const { body: history } = await client.get(`${path}/dns/history`).expect(200);
        const changes = history.map(({ added, changed, removed }: Record<string, number>) => [added, changed, removed]);
        expect(changes.slice(0, 3)).toEqual([
          [0, 0, 2],
          [0, 1, 1],
          [3, 0, 0],
        ]);
      },
    );

    it('reads endpoints back as it has adjusted them', async () => {
      const domain = 'externaldns-forms.com';
      await registered(client, domain);
      const cluster = await keyFor(domain);
      const desired = [
        endpointOf(domain, 'a', 'AAAA', '2001:DB8::0:1', 1),
        endpointOf(domain, 'b', 'CNAME', 'Host.example.net.'),
        endpointOf(domain, 'c', 'TXT', 'v=spf1 -all'),
        endpointOf(domain, 'd', 'MX', '10 mail.example.net'),
        endpointOf(domain, '_e._tcp', 'SRV', '1 2 443 web.example.net'),
        endpointOf(domain, '*.f', 'NS', 'ns1.example.net'),
      ];

      const adjusted = (await json(post('/adjustendpoints', desired, cluster))) as object[];

      expect(adjusted).toEqual([
        endpointOf(domain, 'a', 'AAAA', '2001:db8::1', 60),
        endpointOf(domain, 'b', 'CNAME', 'host.example.net'),
        endpointOf(domain, 'c', 'TXT', '"v=spf1 -all"'),
        endpointOf(domain, 'd', 'MX', '10 mail.example.net'),
        endpointOf(domain, '_e._tcp', 'SRV', '1 2 443 web.example.net.'),
        endpointOf(domain, '*.f', 'NS', 'ns1.example.net'),
      ]);
      await post('/records', { create: adjusted.slice(0, 5) }, cluster).expect(204);
      expect(await json(get('/records', cluster))).toEqual(adjusted.slice(0, 5));
    });

    it('ignores thousands of names with many labels outside of the domains', async () => {
      const create = Array.from({ length: 2_500 }, (_, index) =>
        address(`${'a.'.repeat(100)}x${index}.com`, '192.0.2.1'),
      );

      await post('/records', { create }).expect(204);
    });

    it('makes all changes but the refused ones, and ignores names outside of the domains', async () => {
      const domains = ['externaldns-one.com', 'externaldns-two.com'];
      const [one, two] = [await registered(client, domains[0] ?? ''), await registered(client, domains[1] ?? '')];
      const recordsOf = async (id: string) => (await client.get(`/api/domains/${id}/dns/records`).expect(200)).body;
      await client
        .post(`/api/domains/${one}/dns/records`, { type: 'A', name: 'taken', content: '192.0.2.1' })
        .expect(201);

      const { text } = await post('/records', {
        create: [
          address('good.externaldns-one.com', '192.0.2.1'),
          address('bad.externaldns-one.com', 'host.example.net'),
          endpointOf('externaldns-one.com', 'taken', 'CNAME', 'host.example.net'),
          address('*.*.externaldns-one.com', '192.0.2.1'),
          address('good.externaldns-two.com', '192.0.2.1'),
          address('www.not-ours.com', '192.0.2.1'),
        ],
      }).expect(500);

      expect(text).toMatch(/^Invalid content for A record: bad\.externaldns-one\.com\. A: A content must be/);
      expect(await recordsOf(one)).toMatchObject([
        { name: 'taken', type: 'A' },
        { name: 'good', content: '192.0.2.1', ttl: 300 },
      ]);
      expect(await recordsOf(two)).toMatchObject([{ name: 'good', content: '192.0.2.1', ttl: 300 }]);
      const good = endpointOf('externaldns-two.com', 'good', 'A', '192.0.2.1');
      expect(await json(get('/records'))).toEqual(expect.arrayContaining([good]));
    });

    it('makes all changes but those of types that the key may not change', async () => {
      const domain = 'externaldns-limited.com';
      const id = await registered(client, domain);
      const limits = { domains: [domain], types: ['A'] };
      const { text: limited } = await service()
        .container.get(IssueApiKey)
        .execute({ accountId: account, actor: OPERATOR, name: 'cluster', scope: 'WRITE', limits });

      const { text } = await post(
        '/records',
        { create: [endpointOf(domain, 'a', 'CNAME', 'b.example.net'), address(`b.${domain}`, '192.0.2.1')] },
        limited,
      ).expect(500);

      expect(text).toContain('the key is for A records');
      expect((await client.get(`/api/domains/${id}/dns/records`).expect(200)).body).toMatchObject([{ name: 'b' }]);
    });

    it('refuses a CNAME at the apex without ALIAS, and creates the others', async () => {
      const domain = 'externaldns-no-alias.com';
      await registered(client, domain);

      const { text } = await post('/records', publicCase('24-external-dns-apex.json', domain)).expect(500);

      expect(text).toMatch(/^CNAME cannot be created at the root/);
      expect(await json(get('/records', await keyFor(domain)))).toEqual([
        endpointOf(domain, 'www', 'CNAME', 'lb-1.example.net'),
      ]);
    });

    it('does not remove what others have added to a set that external-dns creates', async () => {
      const domain = 'externaldns-others.com';
      const id = await registered(client, domain);
      await client
        .post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'web', content: '192.0.2.1', ttl: 60 })
        .expect(201);
      const create = [{ dnsName: `web.${domain}`, targets: ['192.0.2.2'], recordType: 'A', recordTTL: 60 }];

      await post('/records', { create }).expect(204);

      const { body } = await client.get(`/api/domains/${id}/dns/records`).expect(200);
      expect(body.map(({ content }: { content: string }) => content)).toEqual(['192.0.2.1', '192.0.2.2']);
    });

    it.each([
      [{ create: {} }, 'create must be an array'],
      [{ create: ['x'] }, 'create[0] must be an object'],
      [{ updateNew: [{ dnsName: 'a.b.com' }] }, 'updateNew[0] must have a dnsName and a recordType'],
      [{ create: [{ dnsName: 'a.b.com', recordType: 'A', targets: [1] }] }, 'a.b.com A must have targets'],
      [
        { create: [{ dnsName: 'a.b.com', recordType: 'A', targets: [], setIdentifier: 'eu' }] },
        'a.b.com A has a setIdentifier',
      ],
      [[], 'The body must be an object'],
    ])('refuses the changes %j with 500, after which external-dns tries again', async (body, reason) => {
      const { text } = await post('/records', body).expect(500);

      expect(text).toContain(reason);
    });

    it('speaks version 1 of the media type only', async () => {
      const other = 'application/external.dns.webhook+json;version=2';

      await get('/').accept(other).expect(406);
      await post('/records', {}).type(other).expect(415);
      await get('/').accept('*/*').expect(200);
      await post('/records', {}).unset('Content-Type').unset('Accept').expect(204);
    });

    it('takes the key as a bearer token and never from the URL', async () => {
      const { text } = await request(service().server).get(`${PREFIX}/?token=${key}`).expect(401);

      expect(text).toBe('Provided key is invalid\n');
      const reader = await service().key(account, 'READ');
      await get('/', reader).expect(200);
      await post('/records', {}, reader).expect(500, 'This operation requires WRITE scope\n');
    });
  },
  { COMPATIBILITY_APIS: 'external-dns' },
);

function cname(dnsName: string, target = 'lb-1.example.net'): object {
  return { dnsName, targets: [target], recordType: 'CNAME', recordTTL: 300 };
}

describe('the webhook provider of external-dns with ALIAS records', () => {
  let service: TestService;
  let key: string;

  beforeAll(async () => {
    service = await startService({
      COMPATIBILITY_APIS: 'external-dns',
      RECORD_TYPES: 'ALIAS',
      ALIAS_RESOLVER: '127.0.0.1:9',
    });
    key = await service.key(await service.account());
  });

  afterAll(() => service.stop());

  const records = () => request(service.server).get(`${PREFIX}/records`).set('Authorization', `Bearer ${key}`);
  const apply = (body: object) =>
    request(service.server)
      .post(`${PREFIX}/records`)
      .set('Authorization', `Bearer ${key}`)
      .type(MEDIA_TYPE)
      .send(JSON.stringify(body))
      .expect(204);

  it('stores a CNAME at the apex as an ALIAS, lists it as a CNAME, and updates and deletes it', async () => {
    const domain = 'externaldns-alias.com';
    const id = await registered(api(service, key), domain);
    await apply(publicCase('24-external-dns-apex.json', domain));

    const { body: stored } = await api(service, key).get(`/api/domains/${id}/dns/records`).expect(200);
    expect(stored).toMatchObject([
      { name: '@', type: 'ALIAS', content: 'lb-1.example.net' },
      { name: 'www', type: 'CNAME' },
    ]);
    expect(await json(records())).toEqual([cname(domain), cname(`www.${domain}`)]);

    await apply({ updateOld: [cname(domain)], updateNew: [cname(domain, 'lb-2.example.net')] });
    expect(await json(records())).toEqual([cname(domain, 'lb-2.example.net'), cname(`www.${domain}`)]);

    await apply({ delete: [cname(domain, 'lb-2.example.net')] });
    expect(await json(records())).toEqual([cname(`www.${domain}`)]);
  });
});
