import request from 'supertest';
import { signIn } from '../../support/dashboard/dashboard-client';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const ZONE = 'dyndns-client.com';

function splitKey(text: string): readonly [keyId: string, secret: string] {
  const [, keyId = '', secret = ''] = /^nw_live_(.*?)\.(.*)$/.exec(text) ?? [];
  return [keyId, secret];
}

describe('the DynDNS2 API', () => {
  let service: TestService;
  let client: Api;
  let account: string;
  let domainId: string;
  let credentials: readonly [keyId: string, secret: string];

  beforeAll(async () => {
    service = await startService({
      COMPATIBILITY_APIS: 'dyndns',
      TRUST_PROXY: 'loopback',
      FAILED_AUTH_PER_MINUTE: '2',
      DNS_LISTEN: '127.0.0.1:0',
    });
    account = await service.account();
    client = api(service, await service.key(account));
    domainId = await registered(client, ZONE);
    credentials = splitKey(await service.key(account, 'WRITE'));
  });

  afterAll(() => service.stop());

  const update = (
    query: string,
    { user = credentials, headers = {} }: { user?: readonly [string, string]; headers?: Record<string, string> } = {},
  ) =>
    request(service.server)
      .get(`/nic/update?${query}`)
      .auth(...user)
      .set({ 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '198.51.100.7', ...headers });

  const records = async (): Promise<readonly string[]> => {
    const { body } = await client.get(`/api/domains/${domainId}/dns/records`).expect(200);
    return (body as { name: string; type: string; content: string }[])
      .map(({ name, type, content }) => `${name} ${type} ${content}`)
      .toSorted();
  };

  it('replies with one line for each host, in order', async () => {
    await update(`hostname=a.${ZONE},${ZONE}&myip=192.0.2.1,2001:db8::1`)
      .expect(200, 'good 192.0.2.1,2001:db8::1\ngood 192.0.2.1,2001:db8::1\n')
      .expect('Content-Type', 'text/plain; charset=utf-8')
      .expect('Cache-Control', 'no-store');
    await update(`hostname=a.${ZONE},b.${ZONE},other.example,home&myip=192.0.2.1`).expect(
      200,
      'nochg 192.0.2.1\ngood 192.0.2.1\nnohost\nnotfqdn\n',
    );

    expect(await records()).toEqual([
      '@ A 192.0.2.1',
      '@ AAAA 2001:db8::1',
      'a A 192.0.2.1',
      'a AAAA 2001:db8::1',
      'b A 192.0.2.1',
    ]);
  });

  it('takes the address of the client behind a trusted proxy, and no loopback address', async () => {
    await update(`hostname=c.${ZONE}`).expect(200, 'good 198.51.100.7\n');
    await update(`hostname=c.${ZONE}&myip=`, { headers: { 'X-Forwarded-For': '2001:db8::7' } }).expect(
      200,
      'good 2001:db8::7\n',
    );
    await update(`hostname=c.${ZONE}`, { headers: { 'X-Forwarded-For': '127.0.0.1' } }).expect(200, '911\n');
  });

  it('moves hosts to the IPv6 prefix of a FRITZ!Box', async () => {
    await update(`hostname=nas.${ZONE}&myip=2001:db8:1:1::5`).expect(200);

    await update(`hostname=nas.${ZONE}&ip6lanprefix=2001:db8:2:2::/64`).expect(200, 'good 2001:db8:2:2::5\n');
    await update(`hostname=nas.${ZONE}&ip6lanprefix=2001:db8:2:2::/64`).expect(200, 'nochg 2001:db8:2:2::5\n');
  });

  it('takes an address with a prefix length for the address, whatever the host has', async () => {
    await update(`hostname=laptop.${ZONE}&myip=192.0.2.1`).expect(200);

    for (const length of [64, 128])
      await update(`hostname=laptop.${ZONE}&myip=2001:db8:1:2:3:4:5:${length}/${length}`).expect(
        200,
        `good 2001:db8:1:2:3:4:5:${length}\n`,
      );
  });

  it.each([
    ['its URL', `hostname=posted.${ZONE}&myip=192.0.2.1`, ''],
    ['its body', '', `hostname=posted.${ZONE}&myip=192.0.2.2`],
  ])('takes a POST with the parameters in %s', async (_place, query, body) => {
    const { text } = await request(service.server)
      .post(`/nic/update?${query}`)
      .auth(...credentials)
      .type('form')
      .set({ 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '198.51.100.7' })
      .send(body)
      .expect(200);

    expect(text).toMatch(/^good 192\.0\.2\.[12]\n$/);
  });

  it('replies to a request without hosts with notfqdn, and to more than 20 with numhost', async () => {
    await update('myip=192.0.2.1').expect(200, 'notfqdn\n');
    await update(`hostname=${Array.from({ length: 21 }, () => ZONE).join(',')}`).expect(200, 'numhost\n');
  });

  it('replies with badauth to a wrong key, a key that may only read, and a request without TLS', async () => {
    const [keyId] = credentials;
    const headers = { 'X-Forwarded-For': '198.51.100.8' };
    await update(`hostname=${ZONE}`, { user: [keyId, 'x'.repeat(43)], headers })
      .expect(401, 'badauth\n')
      .expect('WWW-Authenticate', /^Basic realm=/);
    await update(`hostname=${ZONE}`, { user: splitKey(await service.key(account, 'READ')) }).expect(403, 'badauth\n');
    await update(`hostname=${ZONE}`, { headers: { 'X-Forwarded-Proto': 'http' } }).expect(403, 'badauth\n');
  });

  it('takes the key of a router that the dashboard made, for its host only', async () => {
    const dashboard = await signIn(service, account);
    const form = { name: 'router', domain: ZONE, purpose: 'router', record: 'attic' };
    const { text } = await dashboard.post('/api-keys', form).expect(200);
    const user = splitKey(/nw_live_[\w-]{12}\.[\w-]{43}/.exec(text)?.[0] ?? '');

    expect(text).toContain(`/nic/update?hostname=attic.${ZONE}&amp;myip=`);
    await update(`hostname=attic.${ZONE}&myip=192.0.2.9`, { user }).expect(200, 'good 192.0.2.9\n');
    await update(`hostname=cellar.${ZONE}&myip=192.0.2.9`, { user }).expect(200, 'nohost\n');
  });

  it('replies with abuse to an address with too many wrong keys', async () => {
    const wrong = { user: ['a', 'b'], headers: { 'X-Forwarded-For': '198.51.100.9' } } as const;
    await update(`hostname=${ZONE}`, wrong).expect(401);
    await update(`hostname=${ZONE}`, wrong).expect(401);

    await update(`hostname=${ZONE}`, wrong).expect(429, 'abuse\n').expect('Retry-After', /^\d+$/);
  });

  it('changes nothing by HEAD', async () => {
    const before = await records();
    await request(service.server)
      .head(`/nic/update?hostname=head.${ZONE}&myip=192.0.2.1`)
      .auth(...credentials)
      .expect(405);

    expect(await records()).toEqual(before);
  });
});
