import { api, registered, startService, type Api, type TestService } from '../../../support/service/service';
import { aUser, DashboardClient, signIn } from '../../../support/dashboard/dashboard-client';

interface Entry {
  readonly name: string;
  readonly amount: number;
  readonly currency: string;
}

const linesOf = async (dashboard: DashboardClient) => {
  const { text, headers } = await dashboard.get('/costs.csv').expect(200);
  expect(headers['content-type']).toContain('text/csv');
  const [heading, ...lines] = text.trim().split('\r\n');
  expect(heading).toBe('month,kind,tld,tags,count,amount,currency');
  return lines.map((line) => {
    const [month, kind, tld, tags, count, amount, currency] = line.split(',');
    return { month, kind, tld, tags, count: Number(count), amount: Number(amount), currency };
  });
};

const cents = (amounts: readonly { readonly amount: number }[]) =>
  amounts.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);

describe('the costs in the dashboard', () => {
  let service: TestService;
  let accountId: string;
  let client: Api;

  beforeAll(async () => {
    service = await startService();
    accountId = await service.account();
    client = api(service, await service.key(accountId));
    const id = await registered(client, 'cost-one.com', { years: 2 });
    await client.post(`/api/domains/${id}/renew`, { years: 1 }).expect(200);
    await registered(client, 'cost-two.dev');
    const off = await registered(client, 'cost-three.org');
    await client.put(`/api/domains/${off}/autorenew`, { auto_renew: false }).expect(200);
    await client.put(`/api/domains/${id}/tags`, { tags: ['shops'] }).expect(200);
    await signInAs('owner');
  });
  afterAll(() => service.stop());

  const signInAs = async (role: 'owner' | 'viewer', tags: readonly string[] = []) =>
    new DashboardClient(service).signIn(await aUser(service, accountId, role, undefined, tags));

  it('are what the registry charged, to the cent', async () => {
    const ledger = (await client.get('/api/sandbox/ledger').expect(200)).body as readonly Entry[];
    const dashboard = await signInAs('owner');

    const charged = (await linesOf(dashboard)).filter(({ kind }) => kind === 'charged');

    expect(ledger).toHaveLength(4);
    expect(charged.reduce((sum, { count }) => sum + count, 0)).toBe(ledger.length);
    for (const tld of ['com', 'dev', 'org'])
      expect([tld, cents(charged.filter((line) => line.tld === tld))]).toEqual([
        tld,
        cents(ledger.filter(({ name }) => name.endsWith(`.${tld}`))),
      ]);
    expect(new Set(charged.map(({ currency }) => currency))).toEqual(new Set(ledger.map(({ currency }) => currency)));
  });

  it('show the charges and the renewals to come by month, TLD and tag, with a text for each drawing', async () => {
    const { text } = await (await signInAs('viewer')).get('/costs').expect(200);

    expect(text).toMatch(/aria-label="Charged in the last 12 months: \$[\d.]+\. The table below has each month\."/);
    expect(text).toContain('<a href="/domains?tld=com">.com</a>');
    expect(text).toContain('<a href="/domains?tag=shops">shops</a>');
    expect(text).toContain('The months as a table');
    expect(text).not.toContain('not known');
  });

  it('are those of the domains that a person may see, and of no other account', async () => {
    const limited = await linesOf(await signInAs('viewer', ['shops']));
    const stranger = await linesOf(await signIn(service, await service.account()));

    expect(new Set(limited.map(({ tld }) => tld))).toEqual(new Set(['com']));
    expect(stranger).toEqual([]);
  });
});
