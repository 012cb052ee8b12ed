import { sandboxOf } from '../../../support/registries/sandbox';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import {
  api,
  REGISTRANT,
  registered,
  startService,
  type Api,
  type TestService,
} from '../../../support/service/service';
import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';
import { aTransfer } from '../../../support/data/a-transfer';

const form = (name: string, overrides: Record<string, string> = {}) => ({
  name,
  years: '1',
  price: '1044',
  currency: 'USD',
  auth_code: 'Sesame-0pen!',
  auto_renew: 'on',
  first_name: REGISTRANT.first_name,
  last_name: REGISTRANT.last_name,
  email: REGISTRANT.email,
  phone: REGISTRANT.phone,
  'address.street': REGISTRANT.address.street,
  'address.city': REGISTRANT.address.city,
  'address.country': REGISTRANT.address.country,
  ...overrides,
});

describe('transfers in the dashboard', () => {
  let service: TestService;
  let client: Api;
  let accountId: string;
  let dashboard: DashboardClient;
  let member: DashboardClient;

  beforeAll(async () => {
    service = await startService();
    accountId = await service.account();
    client = api(service, await service.key(accountId));
    dashboard = await signIn(service, accountId);
    member = await signIn(service, accountId, 'manager');
  });
  afterAll(() => service.stop());

  const elsewhere = async (name: string): Promise<string> =>
    (await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200)).body.auth_code;
  const leaving = async (name: string): Promise<string> => {
    const id = await registered(client, name);
    const { body } = await client.post(`/api/domains/${id}/auth-code`).expect(200);
    await client.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    await client.post('/api/sandbox/transfer-out', { name, auth_code: body.auth_code }).expect(200);
    await client.post('/api/sandbox/advance', { days: 1 }).expect(200);
    return id;
  };

  it('shows the price of a transfer, or why the name cannot be transferred', async () => {
    await elsewhere('priced.com');
    await registered(client, 'present.com');

    await dashboard
      .get('/transfers/new?name=priced.com')
      .expect(200)
      .expect(/\$10\.44, which extends/);
    await dashboard
      .get('/transfers/new?name=present.com')
      .expect(409)
      .expect(/already in this account/);
    await dashboard
      .get('/transfers/new?name=nothing-at-all.com')
      .expect(422)
      .expect(/is not registered/);
    await dashboard.get('/transfers/new?name=no%20name').expect(400);
  });

  it('orders a transfer at the price that the form showed, and never shows the auth code again', async () => {
    const auth_code = await elsewhere('ordered.com');

    const { headers } = await dashboard.post('/transfers', form('ordered.com', { auth_code })).expect(303);

    const { text } = await dashboard.get(headers['location'] ?? '').expect(200);
    expect(text).toContain('Transfer of ordered.com');
    expect(text).not.toContain(auth_code);
    await dashboard
      .get('/transfers')
      .expect(200)
      .expect(/ordered\.com/);
  });

  it('shows the form again with the issues, without the auth code, if the order is refused', async () => {
    const auth_code = await elsewhere('refused-form.com');

    const stale = await dashboard.post('/transfers', form('refused-form.com', { auth_code, price: '1' })).expect(422);
    const invalid = await dashboard
      .post('/transfers', form('refused-form.com', { auth_code, phone: '123' }))
      .expect(400);

    expect(stale.text).toContain('The price has changed: it is');
    expect(invalid.text).toContain('Must be a complete phone number, such as +44 20 7946 0000');
    for (const { text } of [stale, invalid]) {
      expect(text).toContain('Transfer for $10.44');
      expect(text).not.toContain(auth_code);
    }
  });

  it('keeps the form, but not the auth code, while the registry is unavailable', async () => {
    const auth_code = await elsewhere('outage-form.com');
    const inOutage = async (path: string, body: Record<string, string>) => {
      // A call that succeeds in between, because after several failures no request is sent for a while.
      await dashboard.get('/transfers/new?name=outage-form.com').expect(200);
      await sandboxOf(service).injectFault({ kind: 'outage', target: 'outage-form.com' });
      const response = await dashboard.post(path, body).expect(503);
      await sandboxOf(service).clearFaults();
      return response;
    };

    const sent = await inOutage('/transfers', form('outage-form.com', { auth_code }));
    const filled = await inOutage('/transfers/new', form('outage-form.com', { auth_code }));
    const forged = await inOutage('/transfers', form('outage-form.com', { auth_code, price: 'x' }));

    for (const { text } of [sent, filled]) {
      expect(text).toContain('Transfer for $10.44');
      expect(text).not.toContain(auth_code);
    }
    expect(sent.text).toContain(`value="${REGISTRANT.email}"`);
    expect(forged.text).toContain('Show price');
    await dashboard.post('/transfers', form('outage-form.com', { auth_code })).expect(303);
  });

  it('cancels a transfer that was never sent', async () => {
    const transfer = aTransfer({ id: 'tr_1', accountId, name: 'waiting.com' }, new Date(Date.now() + 86_400_000));
    await service.container.get(UnitOfWork).run(({ transfers }) => transfers.add(transfer));

    await dashboard
      .get('/transfers/tr_1')
      .expect(200)
      .expect(/Cancel the transfer/);
    await dashboard.post('/transfers/tr_1/cancel').expect(303);

    const { text } = await dashboard.get('/transfers/tr_1').expect(200);
    expect(text).toContain('The transfer was cancelled.');
    expect(text).not.toContain('/transfers/tr_1/cancel');
  });

  it('finds no transfer of another account', async () => {
    const stranger = await signIn(service, await service.account());

    await stranger.get('/transfers/tr_1').expect(404);
    await stranger.post('/transfers/tr_1/cancel').expect(404);
  });

  it('shows a transfer to another registrar on the overview, with its deadline and the decision, until it is decided', async () => {
    const id = await leaving('seen-first.com');

    const { text } = await member.get('/').expect(200);
    expect(text).toContain('requested the transfer of <a href="/domains/' + id);
    expect(text).toMatch(
      /Unless it is rejected by the deadline, it moves there\..*?Deadline: <time[^>]+>\d+ \w+ \d+<\/time>, in \d days/,
    );
    expect(text).toContain(`/domains/${id}/transfer-out/reject`);
    expect(text).not.toContain(`/domains/${id}/transfer-out/approve`);
    await dashboard.get('/').expect(new RegExp(`/domains/${id}/transfer-out/approve`));
    const viewer = await signIn(service, accountId, 'viewer');
    for (const path of ['/', `/domains/${id}`])
      expect((await viewer.get(path).expect(200)).text).not.toContain(`action="/domains/${id}/transfer-out/`);

    await member.post(`/domains/${id}/transfer-out/reject`).expect(303);
    expect((await member.get('/').expect(200)).text).not.toContain('Another registrar has requested');
  });

  it('lets every member reject a transfer to another registrar, and only owners approve one', async () => {
    const [kept, lost] = [await leaving('kept.com'), await leaving('lost.com')];

    const { text } = await member.get(`/domains/${kept}`).expect(200);
    expect(text).toContain(`/domains/${kept}/transfer-out/reject`);
    expect(text).not.toContain(`/domains/${kept}/transfer-out/approve`);
    await member.post(`/domains/${lost}/transfer-out/approve`).expect(403);
    await member.post(`/domains/${kept}/transfer-out/reject`).expect(303);
    await member.get(`/domains/${kept}`).expect(/The transfer was rejected/);

    await dashboard.get(`/domains/${lost}`).expect(/Another registrar requested a transfer/);
    await dashboard.post(`/domains/${lost}/transfer-out/approve`).expect(303);
    await dashboard.get(`/domains/${lost}`).expect(/was transferred to another registrar/);
  });
});
