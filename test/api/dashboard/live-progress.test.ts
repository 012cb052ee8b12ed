import { LiveStreams, MAX_STREAMS_OF_PERSON } from '../../../src/http/dashboard/live/live-streams';
import { EventStream } from '../../support/dashboard/event-stream';
import { signIn, type DashboardClient } from '../../support/dashboard/dashboard-client';
import { api, REGISTRANT, startService, type Api, type TestService } from '../../support/service/service';

describe('the event stream of a page', () => {
  let service: TestService;
  let accountId: string;
  let client: Api;
  let owner: DashboardClient;
  let transferId: string;
  let url: string;
  let serial = 0;

  const opened: EventStream[] = [];
  const open = async (browser: DashboardClient, of = `transfer:${transferId}`): Promise<EventStream> => {
    const stream = new EventStream();
    await stream.connect(`${url}/live?of=${of}`, browser.cookies('/'));
    opened.push(stream);
    return stream;
  };
  const status = async (browser: DashboardClient, of: string) => (await open(browser, of)).response?.status;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    const address = service.server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    accountId = await service.account();
    client = api(service, await service.key(accountId));
    owner = await signIn(service, accountId);
  });
  beforeEach(async () => {
    const name = `live-${(serial += 1)}.com`;
    const { auth_code } = (await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200)).body;
    const order = { name, auth_code, years: 1, registrant: REGISTRANT };
    transferId = (await client.post('/api/transfers', order).expect(201)).body.id;
  });
  afterEach(() => {
    for (const stream of opened) stream.leave();
  });
  afterAll(() => service.stop());

  it('tells at once that the progress has changed, uncompressed, and that no proxy may hold it back', async () => {
    const stream = await open(owner);
    expect(await stream.next('ready')).toBe('ready');

    await client.post(`/api/transfers/${transferId}/cancel`).expect(200);

    expect(await stream.next('news')).toBe('news');
    expect(stream.response?.status).toBe(200);
    expect(Object.fromEntries(stream.response?.headers ?? [])).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.response?.headers.get('content-encoding')).toBeNull();
    expect(stream.text).not.toContain('live-');
  });

  it('ends with the session', async () => {
    const leaving = await signIn(service, accountId);
    const stream = await open(leaving);
    await stream.next('ready');

    await leaving.post('/sign-out').expect(303);
    // Any event of the account ends the stream's wait.
    await client.post(`/api/transfers/${transferId}/cancel`);

    expect(await stream.next('end')).toBe('end');
    await stream.finished;
  });

  it('is for what the person may see: not of another account, not an import for others than owners', async () => {
    const stranger = await signIn(service, await service.account());
    const manager = await signIn(service, accountId, 'manager');

    expect(await status(stranger, `transfer:${transferId}`)).toBe(404);
    expect(await status(owner, 'transfer:tra_unknown')).toBe(404);
    expect(await status(owner, 'anything:tra_unknown')).toBe(404);
    expect(await status(manager, 'import:imp_1')).toBe(403);
    const { status: unknown, url: landed } = await fetch(`${url}/live?of=transfer:${transferId}`);
    expect([unknown, new URL(landed).pathname]).toEqual([200, '/sign-in']);
  });

  it('ends the oldest of a person who has too many', async () => {
    const streams: EventStream[] = [];
    for (let count = 0; count <= MAX_STREAMS_OF_PERSON; count += 1) streams.push(await open(owner));

    await streams[0]?.finished;

    expect(streams[0]?.text).toContain('event: end');
    expect(streams.slice(1).every(({ text }) => !text.includes('event: end'))).toBe(true);
  });

  it('is closed when its browser leaves', async () => {
    const streams = service.container.get(LiveStreams);
    const before = streams.size;
    const stream = await open(owner);
    await stream.next('ready');
    expect(streams.size).toBe(before + 1);

    stream.leave();

    while (streams.size > before) await new Promise((resolve) => setImmediate(resolve));
  });

  it('needs no script: the page has a link that loads it again, and does not ask by itself', async () => {
    const { text } = await owner.get(`/transfers/${transferId}`).expect(200);

    expect(text).toContain(`<noscript><p class="small"><a href="/transfers/${transferId}">Refresh</a>`);
    expect(text).toContain(`data-live="transfer:${transferId}"`);
    expect(text).not.toContain('every ');
  });

  it('ends when the process stops, without an end for the browser, and no other one begins', async () => {
    const stream = await open(owner);
    await stream.next('ready');

    service.container.get(LiveStreams).release();

    await stream.finished;
    expect(stream.text).not.toContain('event: end');
    expect((await open(owner)).response?.status).toBe(503);
  });
});
