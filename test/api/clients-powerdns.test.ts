import request from 'supertest';
import { onBothDatabases } from '../support/databases/databases';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';

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

    it('tells its version and its one server', async () => {
      const { body: versions } = await pdns.get(`${PREFIX}/api`).expect(200);
      const { body: servers } = await pdns.get(`${PREFIX}/api/v1/servers`).expect(200);
      const { body: server } = await pdns.get(`${PREFIX}/api/v1/servers/localhost`).expect(200);

      expect(versions).toEqual([{ url: '/api/v1', version: 1 }]);
      expect(servers).toEqual([server]);
      expect(server).toMatchObject({ id: 'localhost', type: 'Server', daemon_type: 'authoritative', version: '4.9.0' });
    });

    it('lists the domains of the account as zones, all or the one that is asked for', async () => {
      const domain = 'pdns-list.com';
      await registered(client, domain);
      const listed = {
        account: '',
        catalog: '',
        dnssec: false,
        id: `${domain}.`,
        kind: 'Master',
        last_check: 0,
        masters: [],
        name: `${domain}.`,
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

    it.each([
      [`${PREFIX}/api`, 'nw_live_AAAAAAAAAAAA.wrong', 401, 'Provided key is invalid'],
      [`${ZONES}/not-ours.com.`, undefined, 404, 'Specified domain not found'],
      [`${PREFIX}/api/v1/servers/other/zones`, undefined, 404, 'Not found'],
      [`${ZONES}/not-ours.com./cryptokeys`, undefined, 404, 'Not found'],
    ])('reports an error of GET %s in the form of PowerDNS', async (path, otherKey, status, error) => {
      const { body, headers } = await powerDns(service(), otherKey ?? key)
        .get(path)
        .expect(status);

      expect(body).toEqual({ error });
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    });

    it('refuses to create a zone, because zones come with their domains', async () => {
      const { body, headers } = await pdns.post(ZONES).expect(405);

      expect(body).toEqual({ error: 'Method not allowed: Allowed: GET' });
      expect(headers['allow']).toBe('GET');
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
