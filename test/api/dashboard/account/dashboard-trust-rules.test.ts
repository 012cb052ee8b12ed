import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';
import { api, startService, type TestService } from '../../../support/service/service';

const PATH = '/api-keys/trust-rules';
const FORM = {
  name: 'plan in CI',
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://names.example.com',
  claims: 'repository_id=123\r\nref=refs/heads/main\r\nref=refs/heads/next',
  scope: 'WRITE',
  domains: 'example.com',
  propose: 'on',
  minutes: '5',
};

describe('trust rules in the dashboard', () => {
  let service: TestService;
  let accountId: string;
  let dashboard: DashboardClient;
  beforeAll(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    accountId = await service.account();
    dashboard = await signIn(service, accountId);
  });
  afterAll(() => service.stop());

  const rules = async () => {
    const key = await service.key(accountId);
    return (await api(service, key).get('/api/trust-rules').expect(200)).body as { id: string }[];
  };

  it('are created, shown, changed without losing limits that the form lacks, and deleted', async () => {
    await dashboard.post(PATH, FORM).expect(303);
    const [rule] = await rules();
    const path = `${PATH}/${rule?.id}`;
    const client = api(service, await service.key(accountId));
    const shown = (await dashboard.get(path).expect(200)).text;
    const { name, issuer, audience } = FORM;
    const limits = { networks: ['192.0.2.0/24'] };
    await client.put(`/api/trust-rules/${rule?.id}`, {
      name,
      issuer,
      audience,
      limits,
      claims: { repository_id: '1' },
    });
    await dashboard.post(path, { ...FORM, minutes: '7' }).expect(303);

    expect(rule).toMatchObject({
      claims: { repository_id: ['123'], ref: ['refs/heads/main', 'refs/heads/next'] },
      limits: { domains: ['example.com'], propose: true },
      minutes: 5,
    });
    expect(shown).toContain('ref=refs/heads/main\nref=refs/heads/next');
    expect(await rules()).toMatchObject([
      { minutes: 7, limits: { networks: ['192.0.2.0/24'], domains: ['example.com'] } },
    ]);
    expect((await dashboard.get(PATH).expect(200)).text).toContain('plan in CI');
    expect((await dashboard.get('/activity').expect(200)).text).toContain('created the trust rule “plan in CI”');
    await dashboard.post(`${path}/delete`).expect(303);
    expect(await rules()).toEqual([]);
  });

  it('show what is wrong at its field, and keep what was typed', async () => {
    const { text } = await dashboard.post(PATH, { ...FORM, claims: 'repository=acme/dns', minutes: '99' }).expect(400);

    expect(text).toContain('repository_id or repository_owner_id');
    expect(text).toContain('Must be 1 to 15');
    expect(text).toMatch(/name="propose"[^>]* checked/);
    expect(text).toContain('repository=acme/dns');
    expect(await rules()).toEqual([]);
  });

  it('are for owners only', async () => {
    const manager = await signIn(service, accountId, 'manager');

    await manager.get(PATH).expect(403);
    await manager.post(PATH, FORM).expect(403);
  });
});
