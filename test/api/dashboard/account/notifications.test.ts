import { aUser, DashboardClient, signIn } from '../../../support/dashboard/dashboard-client';
import { api, registered, startService, type Api, type TestService } from '../../../support/service/service';

const newAt = async (dashboard: DashboardClient, path = '/'): Promise<string> => {
  const { text } = await dashboard.get(path).expect(200);
  const [, number = '0'] =
    /<span>Notifications<\/span><span class="bell-count">([\d+]+)<span[^>]+> new</.exec(text) ?? [];
  return number;
};
const look = async (dashboard: DashboardClient) => {
  const { headers } = await dashboard.post('/notifications').expect(303);
  return (await dashboard.get(headers['location'] as string).expect(200)).text;
};
const lines = (html: string) =>
  [...html.matchAll(/<li><p>(.*?)<\/p><p class="small"><time/g)].map(([, text = '']) =>
    text.replaceAll(/<[^>]+>/g, ''),
  );

describe('the bell', () => {
  let service: TestService;
  let accountId: string;
  let client: Api;
  let owner: DashboardClient;
  let domainId: string;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    accountId = await service.account();
    client = api(service, await service.key(accountId));
    owner = await signIn(service, accountId);
    domainId = await registered(client, 'ringing.com');
  });
  afterAll(() => service.stop());

  it('tells each person how much is new, until that person looks', async () => {
    const manager = await signIn(service, accountId, 'manager');
    expect([await newAt(owner), await newAt(manager)]).toEqual(['2', '1']);

    const text = await look(owner);

    expect(lines(text)).toEqual(['ringing.com was registered', 'The API key “Test key” was created']);
    expect([await newAt(owner), await newAt(manager)]).toEqual(['0', '1']);
    expect(lines(await look(manager))).toEqual(['ringing.com was registered']);
    expect(await newAt(manager)).toBe('0');
  });

  it('keeps what was new on its page when that is loaded again, and has what needs attention', async () => {
    await look(owner);
    const other = await registered(client, 'leaving-ringing.com');
    await client.put(`/api/domains/${other}/transfer-lock`, { transfer_locked: false }).expect(200);
    await client.post('/api/sandbox/transfer-out', { name: 'leaving-ringing.com' });
    await client.put(`/api/domains/${other}/autorenew`, { auto_renew: false }).expect(200);
    await client.post('/api/sandbox/advance', { days: 340 }).expect(200);
    expect(Number(await newAt(owner))).toBeGreaterThan(0);
    const { headers } = await owner.post('/notifications').expect(303);

    for (let loads = 0; loads < 2; loads += 1) {
      const { text } = await owner.get(headers['location'] as string).expect(200);
      expect(lines(text)).toContain('leaving-ringing.com was registered');
      expect(text).toContain('Needs attention');
    }
    expect(lines((await owner.get('/notifications').expect(200)).text)).toEqual([]);
  });

  it('leaves out changes of records and settings, and what the person did', async () => {
    await look(owner);
    await client.post(`/api/domains/${domainId}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' });
    await client.put(`/api/domains/${domainId}/tags`, { tags: ['shop'] });
    await owner.get('/api-keys/new').expect(200);
    await owner.post('/api-keys', { name: 'made by the owner', scope: 'READ', expires: '30' });

    expect(await newAt(owner)).toBe('0');
  });

  it('is about the domains that a person may see, and not about people and keys unless the person is an owner', async () => {
    await client.put(`/api/domains/${domainId}/tags`, { tags: ['shop'] }).expect(200);
    const email = await aUser(service, accountId, 'manager', 'limited@example.com', ['shop']);
    const limited = await new DashboardClient(service).signIn(email);

    expect(lines(await look(limited)).every((line) => line.startsWith('ringing.com '))).toBe(true);
    expect(lines((await limited.get('/notifications?since=0').expect(200)).text)).toContain(
      'ringing.com was registered',
    );
    await registered(client, 'unseen-ringing.com');
    await service.key(accountId);
    expect(await newAt(limited)).toBe('0');
  });

  it('is not counted for parts of pages and for what has no bell', async () => {
    await registered(client, 'partly-ringing.com');
    const { text } = await owner.get('/domains', { 'HX-Request': 'true' }).expect(200);

    expect(text).toContain('<span>Notifications</span></button>');
    expect(await newAt(owner)).not.toBe('0');
  });
});
