import { sandboxOf } from '../support/registries/sandbox';
import { api, REGISTRANT, registered, startService, type Api, type TestService } from '../support/service/service';
import { signedIn, type Visitor } from '../support/dashboard/visitor';

describe('the end of a domain in the dashboard', () => {
  let service: TestService;
  let client: Api;
  let visitor: Visitor;
  let member: Visitor;
  let serial = 0;

  beforeAll(async () => {
    service = await startService();
    const accountId = await service.account();
    client = api(service, await service.key(accountId));
    visitor = await signedIn(service, accountId);
    member = await signedIn(service, accountId, 'member');
  });
  afterAll(() => service.stop());

  const freshName = () => `ending-${(serial += 1)}.com`;
  const advance = (days: number) => visitor.post('/sandbox/advance', { days: String(days) }).expect(303);

  it('is a deletion with a refund in the first days, and is not offered later', async () => {
    const [given, kept] = [await registered(client, freshName()), await registered(client, freshName())];

    await visitor.get(`/domains/${given}`).expect(new RegExp(`/domains/${given}/delete`));
    await visitor
      .get(`/domains/${given}/delete`)
      .expect(200)
      .expect(/given back and refunded/);
    await visitor.post(`/domains/${given}/delete`).expect(303);
    await visitor.get('/domains').expect(/is deleted, and its price refunded/);
    await visitor.get(`/domains/${given}`).expect(404);
    await visitor.get('/sandbox').expect(/refund/);

    await advance(10);
    expect((await visitor.get(`/domains/${kept}`).expect(200)).text).not.toContain(`/domains/${kept}/delete`);
    await visitor
      .get(`/domains/${kept}/delete`)
      .expect(200)
      .expect(/Switch its auto-renewal off instead/);
    await visitor.post(`/domains/${kept}/delete`).expect(409);
  });

  it('leaves its name as text in the activity, the overview and the progress of its registration', async () => {
    const [name, refused] = [freshName(), freshName()];
    const id = await registered(client, name);
    const [{ id: operationId }] = (await client.get(`/api/domains/${id}/operations`).expect(200)).body;
    await visitor.get('/').expect(new RegExp(`<a href="/domains/${id}">${name}</a>`));
    await visitor.post(`/domains/${id}/delete`).expect(303);
    await sandboxOf(service).injectFault({ kind: 'refuse', target: refused, times: 1 });
    const { body } = await client
      .post('/api/domains', { name: refused, contacts: { registrant: REGISTRANT } })
      .expect(201);
    for (let text = ''; !text.includes('was refused');) ({ text } = await visitor.get('/').expect(200));

    for (const path of ['/activity', '/']) {
      const { text } = await visitor.get(path).expect(200);
      expect(text).toContain(`<span>${name}</span>`);
      expect(text).not.toContain(`/domains/${id}`);
      expect(text).not.toContain(`/domains/${body.id}`);
    }
    await visitor
      .get(`/register/progress/${operationId}`)
      .expect(200)
      .expect(new RegExp(`${name} is gone`));
    await visitor
      .get('/')
      .expect(
        new RegExp(
          `The registration of ${refused} was refused on [^<]+<a href="/register\\?q=${refused}">Search again`,
        ),
      );
  });

  it('comes when nobody renews it, and can be taken back for the price that was shown', async () => {
    const id = await registered(client, freshName());
    await visitor.post(`/domains/${id}/auto-renewal`, { on: 'no' }).expect(303);
    await advance(370);
    await visitor.get(`/domains/${id}`).expect(/It has expired and works for the time being[^<]+There is time until/);
    await advance(30);
    const { text: page } = await visitor
      .get(`/domains/${id}`)
      .expect(/Only a restore brings it back[^<]+There is time until/);
    for (const refused of ['renew', 'auto-renewal', 'transfer-lock', 'auth-code', 'nameservers', 'registrant'])
      expect(page).not.toContain(`/domains/${id}/${refused}"`);

    const { text } = await visitor.get(`/domains/${id}/restore`).expect(200);
    const [, price = ''] = /name="price" value="(\d+)"/.exec(text) ?? [];
    await visitor
      .post(`/domains/${id}/restore`, { price: '1', currency: 'USD' })
      .expect(422)
      .expect(/The price has changed since it was shown/);
    await visitor.post(`/domains/${id}/restore`, { price, currency: 'USD' }).expect(303);

    expect((await client.get(`/api/domains/${id}`).expect(200)).body.status).toBe('active');
    await visitor.get(`/domains/${id}/restore`).expect(409);
  });

  it('is not found in another account', async () => {
    const id = await registered(client, freshName());
    const stranger = await signedIn(service, await service.account());

    for (const path of ['restore', 'delete']) {
      await stranger.get(`/domains/${id}/${path}`).expect(404);
      await stranger.post(`/domains/${id}/${path}`).expect(404);
    }
  });

  it('can be brought about in the sandbox, by owners', async () => {
    await member.get('/sandbox').expect(403);
    await member.post('/sandbox/advance', { days: '1' }).expect(403);
    expect((await member.get('/')).text).not.toContain('href="/sandbox"');

    await visitor
      .post('/sandbox/advance', { days: 'many' })
      .expect(400)
      .expect(/id="advance-days-fault">Must be a number from 0/);
    await visitor
      .post('/sandbox/faults', { kind: 'latency', target: '', times: '', milliseconds: '' })
      .expect(400)
      .expect(/id="fault-milliseconds-fault"/);
    await visitor.post('/sandbox/faults', { kind: 'refuse', target: 'com', times: '1', milliseconds: '' }).expect(303);
    await visitor.get('/sandbox').expect(/refuses a change, for com, 1 more time/);
    await visitor.post('/sandbox/faults/clear').expect(303);
    await visitor.get('/sandbox').expect(/None: the registry does what it should/);
    await visitor.post('/sandbox/transfer-out', { name: 'unknown-name.com', auth_code: 'x' }).expect(422);
  });
});
