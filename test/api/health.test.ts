import { AddSecondary } from '../../src/application/dns/publishing/add-secondary';
import { CreateTsigKey } from '../../src/application/dns/publishing/create-tsig-key';
import { signIn } from '../support/dashboard/dashboard-client';
import { onBothDatabases } from '../support/databases/databases';
import { StubNameserver } from '../support/nameservers/stub-nameserver';
import { api, registered, type Api } from '../support/service/service';

interface Check {
  readonly id: string;
  readonly state: string;
}

function stateOf({ checks }: { checks: readonly Check[] }, id: string): string | undefined {
  return checks.find((check) => check.id === id)?.state;
}

onBothDatabases('health', (service) => {
  let accountId: string;
  let client: Api;
  let secondary: StubNameserver;
  let serial = 0;
  const aDomain = async () => {
    const name = `health-${(serial += 1)}.com`;
    return { name, path: `/api/domains/${await registered(client, name)}` };
  };

  beforeAll(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
    secondary = await StubNameserver.start();
    await service().container.get(CreateTsigKey).execute({ name: 'k', algorithm: 'hmac-sha256' });
    await service()
      .container.get(AddSecondary)
      .execute({ name: 'ns-stub', address: `127.0.0.1:${secondary.port}`, key: 'k', signs: false });
  });
  afterAll(() => secondary.stop());

  it('has no state before the first check', async () => {
    const { path } = await aDomain();

    const { body } = await client.get(`${path}/health`).expect(200);

    expect(body).toMatchObject({ state: null, checked_at: null, checks: [], servers: [] });
  });

  it('says with a simulated registry that public DNS does not know its domains, in the API and on the page', async () => {
    const { path } = await aDomain();
    const dashboard = await signIn(service(), accountId);
    const sentence =
      'The registry is simulated, but these checks query public DNS, which does not know sandbox domains';

    const { body: read } = await client.get(`${path}/health`).expect(200);
    const { body: checked } = await client.post(`${path}/health`).expect(200);
    const { text } = await dashboard.get(`${path.replace('/api', '')}/health`).expect(200);

    for (const { note } of [read, checked]) expect(note).toContain(sentence);
    expect(text).toContain(sentence);
  });

  it('is told by an event when a check finds another state, and not when it finds the same', async () => {
    const { name, path } = await aDomain();
    const { body } = await client.post(`${path}/health`).expect(200);
    await client.post(`${path}/health`).expect(200);

    const { body: events } = await client.get(`/api/events?types=health.*&domain=${name}`).expect(200);

    expect(events).toMatchObject([
      { type: 'health.changed', actor: 'service', data: { domain: { name }, before: null, after: body.state } },
    ]);
  });

  it('is stored by a check on demand, with the worst state of the checks', async () => {
    const { name, path } = await aDomain();
    const { headers } = await client
      .post(`${path}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' })
      .expect(201);
    secondary.serials.set(name, Number(headers['zone-version']) - 1);
    await client.put(`${path}/transfer-lock`, { transfer_locked: false }).expect(200);

    const { body } = await client.post(`${path}/health`).expect(200);

    expect(body.state).toBe('warning');
    expect(stateOf(body, 'delegation')).toBe('ok');
    expect(stateOf(body, 'nameservers')).toBe('warning');
    expect(stateOf(body, 'transfer_lock')).toBe('warning');
    expect(body.servers).toContainEqual(expect.objectContaining({ name: 'ns-stub', state: 'warning' }));
    expect(JSON.stringify(body)).not.toMatch(/[A-Z]{3,}_[A-Z]{3,}/);
    expect((await client.get(`${path}/health`).expect(200)).body).toEqual(body);
  });

  it('reports a secondary that does not have the zone as a problem', async () => {
    const { path } = await aDomain();

    const { body } = await client.post(`${path}/health`).expect(200);

    expect(stateOf(body, 'nameservers')).toBe('problem');
    expect(body.state).toBe('problem');
  });

  it('is not found for a domain of another account, and not shown to a key for some records', async () => {
    const { name, path } = await aDomain();
    const stranger = api(service(), await service().key(await service().account()));
    const { body: limited } = await client
      .post('/api/keys', { name: 'some records', scope: 'READ', limits: { domains: [name], types: ['TXT'] } })
      .expect(201);

    await stranger.get(`${path}/health`).expect(404);
    await stranger.post(`${path}/health`).expect(404);
    await api(service(), limited.key).get(`${path}/health`).expect(403);
    await api(service(), limited.key).post(`${path}/health`).expect(403);
  });

  it('has a page with every check and a button that works without scripts', async () => {
    const { path } = await aDomain();
    const page = `${path.replace('/api', '')}/health`;
    const dashboard = await signIn(service(), accountId);
    expect((await dashboard.get(page).expect(200)).text).toContain('This domain was not checked yet');

    await dashboard.post(page).expect(303);
    const { text } = await dashboard.get(page).expect(200);
    const overview = (await dashboard.get('/').expect(200)).text;

    expect(overview).toMatch(/The health checks found problems with \d+ domains?\./);
    expect(overview).toContain('href="/domains?health=problem"');
    expect(text).toContain('The domain has been checked.');
    expect(text).toContain('id="check-delegation"');
    expect(text).toContain('ns-stub');
  });
});
