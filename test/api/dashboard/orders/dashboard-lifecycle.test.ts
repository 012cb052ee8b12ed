import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { Domain } from '../../../../src/domain/registration/domain';
import { sandboxOf } from '../../../support/registries/sandbox';
import {
  api,
  REGISTRANT,
  registered,
  startService,
  type Api,
  type TestService,
} from '../../../support/service/service';
import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';

/** What a form says in redemption. */
const FORMS = {
  nameservers: 'The nameservers cannot be changed',
  'nameservers?nameservers=ns1.other.example+ns2.other.example': 'The nameservers cannot be changed',
  switch: 'The nameservers cannot be changed',
  registrant: 'The registrant cannot be changed',
  'auth-code': 'No auth code can be issued',
};

describe('deletion and restore of a domain in the dashboard', () => {
  let service: TestService;
  let accountId: string;
  let client: Api;
  let dashboard: DashboardClient;
  let member: DashboardClient;
  let viewer: DashboardClient;
  let serial = 0;

  beforeAll(async () => {
    service = await startService();
    accountId = await service.account();
    client = api(service, await service.key(accountId));
    dashboard = await signIn(service, accountId);
    member = await signIn(service, accountId, 'manager');
    viewer = await signIn(service, accountId, 'viewer');
  });
  afterAll(() => service.stop());

  const freshName = () => `ending-${(serial += 1)}.com`;
  const advance = (days: number) => dashboard.post('/sandbox/advance', { days: String(days) }).expect(303);

  it('deletes a domain with a refund in the first days only', async () => {
    const [name, keptName] = [freshName(), freshName()];
    const [deleted, kept] = [await registered(client, name), await registered(client, keptName)];

    await dashboard.get(`/domains/${deleted}`).expect(new RegExp(`/domains/${deleted}/delete`));
    await dashboard
      .get(`/domains/${deleted}/delete`)
      .expect(200)
      .expect(/deleted and its price refunded/);
    await dashboard
      .post(`/domains/${deleted}/delete`, { confirm_name: keptName })
      .expect(400)
      .expect(/id="confirm_name-error">Must be ending-/);
    await dashboard.post(`/domains/${deleted}/delete`, { confirm_name: name }).expect(303);
    await dashboard.get('/domains').expect(/was deleted and its price refunded/);
    await dashboard.get(`/domains/${deleted}`).expect(404);
    await dashboard.get('/sandbox').expect(/refund/);

    await advance(10);
    expect((await dashboard.get(`/domains/${kept}`).expect(200)).text).not.toContain(`/domains/${kept}/delete`);
    await dashboard
      .get(`/domains/${kept}/delete`)
      .expect(200)
      .expect(/Turn off auto-renewal/);
    await dashboard.post(`/domains/${kept}/delete`, { confirm_name: keptName }).expect(409);
  });

  it('shows the name of a deleted domain without a link', async () => {
    const [name, refused] = [freshName(), freshName()];
    const id = await registered(client, name);
    const [{ id: operationId }] = (await client.get(`/api/domains/${id}/operations`).expect(200)).body;
    await dashboard.get('/').expect(new RegExp(`<a href="/domains/${id}">${name}</a>`));
    await dashboard.post(`/domains/${id}/delete`, { confirm_name: name }).expect(303);
    await sandboxOf(service).injectFault({ kind: 'refuse', target: refused, times: 1 });
    const { body } = await client
      .post('/api/domains', { name: refused, contacts: { registrant: REGISTRANT } })
      .expect(201);
    for (let text = ''; !text.includes('The registry refused');) ({ text } = await dashboard.get('/').expect(200));

    for (const path of ['/activity', '/']) {
      const { text } = await dashboard.get(path).expect(200);
      expect(text).toContain(`<span>${name}</span>`);
      expect(text).not.toContain(`/domains/${id}`);
      expect(text).not.toContain(`/domains/${body.id}`);
    }
    await dashboard
      .get(`/register/progress/${operationId}`)
      .expect(200)
      .expect(new RegExp(`${name} was deleted`));
    const { text: overview } = await dashboard.get('/').expect(200);
    const [, progress = ''] =
      new RegExp(
        `The registry refused the registration of ${refused} on <time [^>]+>[^<]*</time>: [^<]+<.*?href="(/register/progress/\\w+)">Order again`,
      ).exec(overview) ?? [];
    const { text: why } = await dashboard.get(progress).expect(200);
    expect(why).toContain(`Order ${refused} again`);
    const fields = Object.fromEntries(
      [...why.matchAll(/<input type="hidden" name="([a-z][\w.]*)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    );
    const { text: order } = await dashboard.post('/register/details', fields).expect(200);
    expect(order).toContain(`Register ${refused}`);
    expect(order).toContain(`value="${REGISTRANT.first_name}"`);
  });

  it('restores a domain that was not renewed, only at the price shown', async () => {
    const name = freshName();
    const id = await registered(client, name);
    await dashboard.post(`/domains/${id}/auto-renewal`, { on: 'no' }).expect(303);
    await advance(370);
    await dashboard.get(`/domains/${id}`).expect(/The domain has expired but still works[^<]+Deadline:/);
    await dashboard.get('/').expect(new RegExp(`/domains/${id}/renew"`));
    const linksOfViewer = async () => [
      ...(await viewer.get(`/domains/${id}`).expect(200)).text.matchAll(/\/(renew|restore)"/g),
      ...(await viewer.get('/').expect(200)).text.matchAll(/\/(renew|restore)"/g),
    ];
    expect(await linksOfViewer()).toEqual([]);
    await advance(30);
    expect(await linksOfViewer()).toEqual([]);
    const { text: page } = await dashboard.get(`/domains/${id}`).expect(/Restore it to keep it[^<]+Deadline:/);
    for (const refused of ['renew', 'auto-renewal', 'transfer-lock', 'auth-code', 'nameservers', 'registrant'])
      expect(page).not.toContain(`/domains/${id}/${refused}"`);
    const { text: dnssec } = await dashboard.get(`/domains/${id}/dnssec`).expect(200);
    expect(dnssec).toContain('DNSSEC is off. It cannot be changed, because the domain is in redemption.');
    expect(dnssec).not.toContain('role="switch"');
    for (const [form, what] of Object.entries(FORMS)) {
      const { text: forbidden } = await dashboard.get(`/domains/${id}/${form}`).expect(200);
      expect(forbidden).toContain(`${what}, because the domain is in redemption.`);
      expect(forbidden).not.toMatch(/<(input|textarea)[^>]+name="(nameservers|first_name|confirm_name)"/);
    }
    const offered = async (word: string) =>
      JSON.parse((await dashboard.get(`/palette?q=${name}+${word}`).expect(200)).text).items.map(
        ({ url }: { url: string }) => url.replace(`/domains/${id}`, ''),
      );
    expect(await offered('re')).toEqual(['/records', '/records#new', '/templates', '/restore']);
    for (const word of ['nameservers', 'auth']) expect(await offered(word)).toEqual([]);

    const { text } = await dashboard.get(`/domains/${id}/restore`).expect(200);
    const [, price = ''] = /name="price" value="(\d+)"/.exec(text) ?? [];
    await dashboard
      .post(`/domains/${id}/restore`, { price: '1', currency: 'USD' })
      .expect(422)
      .expect(/The price has changed: it is/);
    await dashboard.post(`/domains/${id}/restore`, { price, currency: 'USD' }).expect(303);

    expect((await client.get(`/api/domains/${id}`).expect(200)).body.status).toBe('active');
    await dashboard.get(`/domains/${id}/restore`).expect(409);
  });

  it('offers no change of the records of a domain that was transferred away', async () => {
    const id = await registered(client, freshName());
    await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: '@', content: '192.0.2.1' }).expect(201);
    const pages = ['records', 'zone-file', 'history/2'] as const;
    const forms = [/Add<[^>]+> a record|Delete selected/, /Preview import/, /Roll back to/] as const;
    const read = (page: string) => dashboard.get(`/domains/${id}/${page}`).expect(200);
    for (const [index, page] of pages.entries()) expect((await read(page)).text).toMatch(forms[index] ?? '');
    await service.container.get(UnitOfWork).run(async ({ domains }) => {
      const domain = await domains.lock(accountId, id);
      await domains.save(Domain.fromState({ ...domain!.toState(), status: 'transferred_out' }));
    });

    for (const [index, page] of pages.entries()) expect((await read(page)).text).not.toMatch(forms[index] ?? '');
    for (const page of ['records', 'templates', 'mail'])
      expect((await read(page)).text).toContain(
        'The records cannot be changed, because the domain is transferred out.',
      );
    const preview = await dashboard.get(`/domains/${id}/mail/spf?all=~all`).expect(409);
    expect(preview.text).toContain('The records cannot be changed, because');
    expect((await read('history')).text).not.toContain('You can roll back');
  });

  it('responds with 404 to all requests of another account', async () => {
    const id = await registered(client, freshName());
    const stranger = await signIn(service, await service.account());

    for (const path of ['restore', 'delete']) {
      await stranger.get(`/domains/${id}/${path}`).expect(404);
      await stranger.post(`/domains/${id}/${path}`).expect(404);
    }
  });

  it('lets owners advance the clock and inject faults in the sandbox', async () => {
    await member.get('/sandbox').expect(403);
    await member.post('/sandbox/advance', { days: '1' }).expect(403);
    expect((await member.get('/')).text).not.toContain('href="/sandbox"');

    await dashboard
      .post('/sandbox/advance', { days: 'many' })
      .expect(400)
      .expect(/id="advance-days-error">Must be a number from 0/);
    await dashboard
      .post('/sandbox/faults', { kind: 'latency', target: '', times: '', milliseconds: '' })
      .expect(400)
      .expect(/id="fault-milliseconds-error"/);
    await dashboard
      .post('/sandbox/faults', { kind: 'refuse', target: 'com', times: '1', milliseconds: '' })
      .expect(303);
    await dashboard.get('/sandbox').expect(/refuses changes, for com, 1 more time/);
    await dashboard.post('/sandbox/faults/clear').expect(303);
    await dashboard.get('/sandbox').expect(/No faults. The registry works normally/);
    await dashboard.post('/sandbox/transfer-out', { name: 'unknown-name.com', auth_code: 'x' }).expect(422);
  });
});
