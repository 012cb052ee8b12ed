import { setTimeout as sleep } from 'node:timers/promises';
import { aUser, DashboardClient, signIn } from '../../../support/dashboard/dashboard-client';
import { api, startService, type TestService } from '../../../support/service/service';
import { Receiver } from '../../../support/webhooks/receiver';
import { verified } from '../../../support/webhooks/standard-webhooks';

describe('webhooks in the dashboard', () => {
  let service: TestService;
  let receiver: Receiver;
  let accountId: string;
  let dashboard: DashboardClient;
  beforeAll(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
    accountId = await service.account();
    dashboard = await signIn(service, accountId);
  });
  afterEach(() => receiver.stop());
  afterAll(() => service.stop());

  const form = (overrides: object = {}) => ({ url: receiver.url, types: 'template.*', ...overrides });
  const create = async () => {
    const { text } = await dashboard.post('/webhooks', form()).expect(200);
    return { secret: /whsec_[\w+/=]+/.exec(text)?.[0] ?? '', path: /\/webhooks\/whk_\w+/.exec(text)?.[0] ?? '' };
  };
  const pageWith = async (path: string, text: RegExp) => {
    for (;;) {
      const page = (await dashboard.get(path).expect(200)).text;
      if (text.test(page)) return page;
      await sleep(20);
    }
  };

  it('are created with a secret that is shown once, tested, and list what was delivered', async () => {
    const { secret, path } = await create();

    await dashboard.post(`${path}/test`).expect(303);

    const request = await receiver.received(() => true);
    expect(verified(secret, request)).toMatchObject({ type: 'webhook.test' });
    const page = await pageWith(path, /204, \d+ ms/);
    expect(page).toContain('webhook.test');
    expect(page).not.toContain(secret);
    const { text: list } = await dashboard.get('/webhooks').expect(200);
    expect(list).toContain(`127.0.0.1:${receiver.port}`);
    expect(list).toContain('template.*');
  });

  it('show the answer of a receiver that fails, as text, and send an event again', async () => {
    receiver.answers(500, '<b>out of order</b>');
    const { path } = await create();
    await dashboard.post(`${path}/test`).expect(303);
    // The page reads the webhook before its deliveries: one that was stored in between has not the webhook's status yet.
    const page = await pageWith(path, /failing[^]*500, \d+ ms/);
    expect(page).toContain('&lt;b>out of order');
    receiver.answers(204);

    await dashboard.post(/\/webhooks\/\w+\/deliveries\/\w+\/resend/.exec(page)?.[0] ?? '').expect(303);

    await pageWith(path, /succeeded/);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('are changed, paused, resumed, given a new secret, and deleted', async () => {
    const { path, secret } = await create();

    await dashboard
      .post(`${path}/settings`, form({ types: '', domains: 'one.com\r\ntwo.com', tags: 'shop' }))
      .expect(303);
    expect((await dashboard.get(path)).text).toContain('all events of 2 names of domains tagged shop');
    expect((await dashboard.get(`${path}/settings`)).text).toContain('one.com\ntwo.com</textarea>');
    await dashboard.post(`${path}/pause`).expect(303);
    expect((await dashboard.get(path)).text).toContain('Resume');
    await dashboard.post(`${path}/test`).expect(303);
    expect((await dashboard.get(path)).text).toContain('The webhook is not active');
    await dashboard.post(`${path}/resume`).expect(303);
    const { text: rotated } = await dashboard.post(`${path}/rotate`).expect(200);
    expect(rotated).toMatch(/whsec_/);
    expect(rotated).not.toContain(secret);
    await dashboard.post(`${path}/delete`).expect(303);
    await dashboard.get(path).expect(404);
    const { text: activity } = await dashboard.get('/activity').expect(200);
    for (const words of ['created', 'changed', 'paused', 'resumed', 'rotated the secret of', 'removed'])
      expect(activity).toContain(`${words} the webhook to 127.0.0.1`);
    expect(activity).not.toContain(`${receiver.port}/in`);
  });

  it('are refused with messages at the fields', async () => {
    const { text } = await dashboard
      .post('/webhooks', form({ url: 'nonsense', types: 'domain.* domain.sold' }))
      .expect(400);

    expect(text).toMatch(/ust be a URL that begins with https:/);
    expect(text).toMatch(/ust be types of events/);
    expect(text).toContain('domain.* domain.sold</textarea>');
  });

  it('are for owners only, and for those of the account', async () => {
    const { path } = await create();
    const manager = await new DashboardClient(service).signIn(await aUser(service, accountId, 'manager'));
    const stranger = await signIn(service, await service.account());

    expect((await manager.get('/').expect(200)).text).not.toContain('href="/webhooks"');
    for (const page of ['/webhooks', '/webhooks/new', path]) await manager.get(page).expect(403);
    await manager.post(`${path}/delete`).expect(403);
    for (const step of ['test', 'pause', 'rotate', 'delete']) await stranger.post(`${path}/${step}`).expect(404);
    await stranger.get(path).expect(404);
    await api(service, await service.key(accountId))
      .get(`/api${path}`)
      .expect(200);
  });
});
