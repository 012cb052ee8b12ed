import { setTimeout as sleep } from 'node:timers/promises';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';
import { Receiver, type ReceivedRequest } from '../../support/webhooks/receiver';
import { verified } from '../../support/webhooks/standard-webhooks';

interface ShownWebhook {
  readonly id: string;
  readonly secret: string;
  readonly status: string;
}
interface ShownDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  readonly response: object | null;
}

const TEMPLATE = { name: 'A template', records: '@ 300 IN TXT text' };

const isOf =
  (type: string) =>
  ({ body }: ReceivedRequest) =>
    (JSON.parse(body) as { type: string }).type === type;

describe('webhooks', () => {
  let service: TestService;
  let receiver: Receiver;
  let client: Api;
  let accountId: string;
  beforeAll(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
    accountId = await service.account();
    client = api(service, await service.key(accountId));
  });
  afterEach(() => receiver.stop());
  afterAll(() => service.stop());

  const create = async (settings: object = {}): Promise<ShownWebhook> =>
    (await client.post('/api/webhooks', { url: receiver.url, ...settings }).expect(201)).body as ShownWebhook;
  const addTemplate = (name = 'A template') => client.post('/api/record-templates', { ...TEMPLATE, name }).expect(201);
  const deliveries = async (id: string, query = ''): Promise<readonly ShownDelivery[]> =>
    (await client.get(`/api/webhooks/${id}/deliveries${query}`).expect(200)).body as ShownDelivery[];
  const settledOnce = async (id: string, matches: (each: ShownDelivery) => boolean): Promise<ShownDelivery> => {
    for (;;) {
      const found = (await deliveries(id)).find(matches);
      if (found) return found;
      await sleep(20);
    }
  };
  /** The delivery of an event of the type, once it has this status. */
  const settled = (id: string, type: string, status: string) =>
    settledOnce(id, (each) => each.type === type && each.status === status);
  const webhook = async (id: string) => (await client.get(`/api/webhooks/${id}`).expect(200)).body as ShownWebhook;
  const refused = async (settings: object) => {
    const { body } = await client.post('/api/webhooks', { url: 'https://hooks.example.com/', ...settings }).expect(400);
    return (body as { error: { details: string } }).error.details;
  };
  let serial = 0;
  const registeredDomain = async (): Promise<readonly [id: string, name: string]> => {
    const name = `hooked-${(serial += 1)}.com`;
    return [await registered(client, name), name];
  };

  it('send the events of the account, as the feed has them, with a signature that standardwebhooks accepts', async () => {
    const { id, secret } = await create();

    await addTemplate();

    const request = await receiver.received(isOf('template.created'));
    const { body: events } = await client.get('/api/events?types=template.created').expect(200);
    const [event] = events as { id: string }[];
    expect(verified(secret, request)).toEqual(event);
    expect(request).toMatchObject({ method: 'POST', path: '/in' });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': event?.id,
      'user-agent': expect.stringMatching(/^Namewright/),
    });
    expect(await settled(id, 'template.created', 'succeeded')).toMatchObject({
      event_id: event?.id,
      attempts: 1,
      response: { status: 204, body: '' },
      error: null,
      next_attempt_at: null,
    });
  });

  it('send what their types, domains and tags want, and a test event to one webhook only, whatever it wants', async () => {
    const [id, name] = await registeredDomain();
    await client.put(`/api/domains/${id}/tags`, { tags: ['shop'] }).expect(200);
    const byType = await create({ types: ['template.*'] });
    const byName = await create({ url: `${receiver.url}/name`, domains: [name.toUpperCase()] });
    const byTag = await create({ url: `${receiver.url}/tag`, tags: ['shop'], types: ['domain.changed'] });

    await addTemplate();
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
    await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
    await client.post(`/api/webhooks/${byTag.id}/test`).expect(200);

    await settled(byType.id, 'template.created', 'succeeded');
    for (const type of ['domain.changed', 'records.changed']) await settled(byName.id, type, 'succeeded');
    await settled(byTag.id, 'domain.changed', 'succeeded');
    await settled(byTag.id, 'webhook.test', 'succeeded');
    const sent = new Map<string, string[]>();
    for (const { path = '', body } of receiver.requests)
      sent.set(path, [...(sent.get(path) ?? []), (JSON.parse(body) as { type: string }).type].toSorted());
    expect(sent).toEqual(
      new Map([
        ['/in', ['template.created']],
        ['/in/name', ['domain.changed', 'records.changed']],
        ['/in/tag', ['domain.changed', 'webhook.test']],
      ]),
    );
  });

  it('keep what the receiver answered, retry later, and send again on request with the same id', async () => {
    receiver.answers(500, `out of order ${'x'.repeat(2_000)}`);
    const { id } = await create({ types: ['template.created'] });
    await addTemplate();
    await receiver.received(() => true);
    const failed = await settledOnce(id, ({ attempts, response }) => attempts === 1 && response !== null);
    expect(failed).toMatchObject({
      status: 'pending',
      next_attempt_at: expect.stringMatching(/Z$/),
      finished_at: null,
    });
    expect(failed.response).toEqual({ status: 500, body: expect.stringMatching(/^out of order x{1011}$/) });
    expect(await webhook(id)).toMatchObject({ status: 'active', failing_since: expect.stringMatching(/Z$/) });
    receiver.answers(200, 'thanks');

    await client.post(`/api/webhooks/${id}/deliveries/${failed.id}/resend`).expect(200);

    const delivered = await settled(id, 'template.created', 'succeeded');
    expect(delivered).toMatchObject({ id: failed.id, attempts: 1, response: { status: 200, body: 'thanks' } });
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([failed.event_id]));
    expect(await webhook(id)).toMatchObject({ failing_since: null });
  });

  it('are switched off by 410, which the account is told, and send what they have missed when they are resumed', async () => {
    receiver.answers(410);
    const { id } = await create({ types: ['template.*'] });
    await addTemplate('one');
    await settled(id, 'template.created', 'failed');
    await addTemplate('two');
    receiver.answers(204);

    expect(await webhook(id)).toMatchObject({ status: 'switched_off', reason: 'gone' });
    expect((await client.get('/api/events?types=webhook.switched_off').expect(200)).body).toMatchObject([
      { actor: 'service', data: { webhook_id: id, host: `127.0.0.1:${receiver.port}`, reason: 'gone' } },
    ]);
    const refused = await client.post(`/api/webhooks/${id}/test`).expect(409);
    expect(refused.body.error).toMatchObject({ code: 'WEBHOOK_NOT_ACTIVE' });
    await client.post(`/api/webhooks/${id}/resume`).expect(200);
    const request = await receiver.received(({ body }) => body.includes('"two"'));
    expect(request.body).toContain('template.created');
  });

  it('hold events back while they are paused', async () => {
    const { id } = await create({ types: ['template.*'] });
    expect((await client.post(`/api/webhooks/${id}/pause`).expect(200)).body).toMatchObject({ status: 'paused' });
    await addTemplate();
    const other = await create({ url: `${receiver.url}/other`, types: ['template.*'] });
    await addTemplate('another');
    await settled(other.id, 'template.created', 'succeeded');

    expect(await deliveries(id)).toEqual([]);
    await client.post(`/api/webhooks/${id}/resume`).expect(200);
    await receiver.received(({ path, body }) => path === '/in' && body.includes('"another"'));
    const names = (await deliveries(id)).map(({ type }) => type);
    expect(names).toEqual(['template.created', 'template.created']);
  });

  it('are signed with the new and the former secret after a rotation', async () => {
    const { id, secret } = await create({ types: ['template.*'] });
    const { body: rotated } = await client.post(`/api/webhooks/${id}/rotate-secret`).expect(200);

    await addTemplate();

    const request = await receiver.received(() => true);
    expect(rotated).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
      former_secret_until: expect.any(String),
    });
    expect(rotated.secret).not.toBe(secret);
    for (const each of [secret, rotated.secret as string])
      expect(verified(each, request)).toMatchObject({ type: 'template.created' });
    expect((await client.get(`/api/webhooks/${id}`).expect(200)).text).not.toContain('whsec_');
    const activity = (await client.get('/api/events?types=webhook.*').expect(200)).text;
    expect(activity).not.toContain('whsec_');
    expect(activity).not.toContain('/in');
  });

  it('are refused with the part that is wrong', async () => {
    expect(await refused({ url: 'ftp://example.com/' })).toMatch(/^url must be a URL that begins with https:/);
    expect(await refused({ url: 'https://me:secret@example.com/' })).toMatch(/^url must not have a user name/);
    expect(await refused({ url: 'https://example.com/#part' })).toMatch(/^url must not have a fragment/);
    expect(await refused({ types: ['domain.*', 'domain.sold'] })).toMatch(/^types\[1\] must be types of events/);
    expect(await refused({ domains: ['a b'], tags: ['!'] })).toMatch(
      /^domains\[0\] must have labels .*"a b" is none; tags\[0\]/,
    );
    expect(await refused({ description: 'x'.repeat(201) })).toMatch(/^description/);
  });

  it('are changed and deleted, 20 an account, and those of other accounts are not found', async () => {
    const { id } = await create({ types: ['domain.*'], description: 'one' });
    const stranger = api(service, await service.key(await service.account()));
    const replaced = { url: 'https://hooks.example.com/other', tags: ['shop'] };

    expect((await client.put(`/api/webhooks/${id}`, replaced).expect(200)).body).toMatchObject({
      ...replaced,
      types: null,
      description: '',
    });
    for (const [method, path] of [
      ['get', ''],
      ['put', ''],
      ['delete', ''],
      ['post', '/pause'],
      ['post', '/rotate-secret'],
      ['get', '/deliveries'],
    ] as const) {
      const { body } = await stranger[method](
        `/api/webhooks/${id}${path}`,
        method === 'put' ? replaced : undefined,
      ).expect(404);
      expect(body.error.code).toBe('WEBHOOK_NOT_FOUND');
    }
    const unknown = await client.post(`/api/webhooks/${id}/deliveries/dlv_unknown/resend`).expect(404);
    expect(unknown.body.error.code).toBe('DELIVERY_NOT_FOUND');
    for (let count = 1; count < 20; count += 1) await create();
    const full = await client.post('/api/webhooks', replaced).expect(409);
    expect(full.body.error.code).toBe('LIMIT_EXCEEDED');
    await client.delete(`/api/webhooks/${id}`).expect(200, { id, deleted: true });
    expect((await client.get('/api/webhooks').expect(200)).body).toHaveLength(19);
    await client.get(`/api/webhooks/${id}`).expect(404);
  });

  it('list their deliveries by pages and status', async () => {
    const { id } = await create({ types: ['template.*'] });
    for (const name of ['one', 'two', 'three']) await addTemplate(name);
    await receiver.received(({ body }) => body.includes('"three"'));
    await settledOnce(id, () => true);

    const { body: page, headers } = await client.get(`/api/webhooks/${id}/deliveries?limit=2`).expect(200);
    const next = /<(.*)>; rel="next"/.exec(headers['link'] ?? '')?.[1] ?? '';
    const { body: rest } = await client.get(next).expect(200);

    expect([...page, ...rest].map(({ id: each }: ShownDelivery) => each)).toEqual(
      (await deliveries(id)).map((each) => each.id),
    );
    expect(await deliveries(id, '?status=failed')).toEqual([]);
    await client.get(`/api/webhooks/${id}/deliveries?status=lost`).expect(400);
  });
});
