import { signIn, type DashboardClient } from '../support/dashboard/dashboard-client';
import { HOSTS_ELSEWHERE, registerAtRegistry } from '../support/registries/register-at-registry';
import { api, startService, type Api, type TestService } from '../support/service/service';

describe('domains at a registrar, in the dashboard', () => {
  let service: TestService;
  let owner: DashboardClient;
  let member: DashboardClient;
  let client: Api;

  beforeAll(async () => {
    service = await startService();
    const accountId = await service.account();
    [owner, member] = [await signIn(service, accountId), await signIn(service, accountId, 'member')];
    client = api(service, await service.key(accountId));
    await registerAtRegistry(service, 'held.com');
  });
  afterAll(() => service.stop());

  it('are listed to owners with what is here, and not to members', async () => {
    await owner
      .get('/imports')
      .expect(200)
      .expect(/Domains at simulated[\s\S]*held\.com/);
    await member.get('/imports').expect(403);
  });

  it('are switched to this service only after a check that shows which nameservers answer', async () => {
    const { body } = await client.post('/api/imports', { registry: 'simulated', names: ['held.com'] }).expect(202);
    for (let done = false; !done;)
      done = (await client.get(`/api/imports/${body.id}`).expect(200)).body.finished_at !== null;
    const { body: domain } = await client.get('/api/domains/by-name/held.com').expect(200);
    expect(domain.nameservers).toEqual(HOSTS_ELSEWHERE);

    const page = `/domains/${domain.id}/switch`;
    await member
      .get(page)
      .expect(200)
      .expect(/does not answer[\s\S]*Switch anyway/);
    expect((await client.get(`/api/domains/${domain.id}`).expect(200)).body.nameservers).toEqual(HOSTS_ELSEWHERE);
    await member.post(page).expect(303);

    const { nameservers } = (await client.get(`/api/domains/${domain.id}`).expect(200)).body;
    expect(nameservers).toEqual(service.config.defaultNameservers);
  });
});
