import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../support/databases/mariadb';
import { EventStream } from '../support/dashboard/event-stream';
import { signIn } from '../support/dashboard/dashboard-client';
import { describeOrSkip } from '../support/describe-or-skip';
import { createInProcessAdmin } from '../support/nameservers/primary';
import { StubNameserver } from '../support/nameservers/stub-nameserver';
import { api, registered, REGISTRANT, startService, type Api, type TestService } from '../support/service/service';

/** Later than any serial here. */
const FAR_SERIAL = 100_000;
/** Without an event, a stream looks only every 15 seconds. */
const AT_ONCE_MS = 10_000;

describeOrSkip(MYSQL_MISSING)('the event stream of a page in another process than the change', () => {
  let mysql: MysqlServer;
  let changing: TestService;
  let showing: TestService;
  let secondary: StubNameserver;
  let client: Api;
  let cookies: string;
  const opened: EventStream[] = [];

  beforeAll(async () => {
    mysql = await startMysql();
    const settings = {
      DNS_LISTEN: '127.0.0.1:0',
      SECRET_KEY: randomBytes(32).toString('base64'),
      DATABASE_URL: await mysql.createDatabase(),
    };
    changing = await startService(settings);
    showing = await startService(settings);
    const accountId = await changing.account();
    client = api(changing, await changing.key(accountId));
    cookies = (await signIn(showing, accountId)).cookies('/');
    secondary = await StubNameserver.start();
    const admin = createInProcessAdmin(changing);
    await admin('tsig', 'create', 'ns1');
    await admin('secondary', 'add', 'ns1', `127.0.0.1:${secondary.port}`, '--key', 'ns1');
  });
  afterEach(() => {
    for (const stream of opened.splice(0)) stream.leave();
  });
  afterAll(async () => {
    secondary.stop();
    await showing.stop();
    await changing.stop();
    await mysql.stop();
  });

  const open = async (of: string): Promise<EventStream> => {
    const address = showing.server.address();
    const stream = new EventStream();
    opened.push(stream);
    await stream.connect(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/live?of=${of}`, cookies);
    await stream.next('ready');
    return stream;
  };
  const toldOf = async (of: string, change: () => Promise<unknown>): Promise<number> => {
    const stream = await open(of);
    await change();
    const since = performance.now();
    await stream.next('news');
    return performance.now() - since;
  };

  it('tells of a transfer', async () => {
    const name = 'live-transfer.com';
    const { auth_code } = (await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200)).body;
    const order = { name, auth_code, years: 1, registrant: REGISTRANT };
    const { id } = (await client.post('/api/transfers', order).expect(201)).body;

    expect(await toldOf(`transfer:${id}`, () => client.post(`/api/transfers/${id}/cancel`).expect(200))).toBeLessThan(
      AT_ONCE_MS,
    );
  });

  it('tells that the last secondary serves the zone', async () => {
    const id = await registered(client, 'live-zone.com');
    await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);

    expect(
      await toldOf(`publication:${id}`, async () => secondary.serials.set('live-zone.com', FAR_SERIAL)),
    ).toBeLessThan(AT_ONCE_MS);
    // The stream has asked for such an event. It is not written for a zone that is published before someone asks.
    const published = async () => (await client.get('/api/events?types=zone.published').expect(200)).body as unknown[];
    while ((await published()).length === 0) await sleep(20);
  });

  it('tells what DNSSEC waits for next', async () => {
    const id = await registered(client, 'live-dnssec.com');
    await client.put(`/api/domains/${id}/dnssec`, { enabled: true }).expect(200);
    const waitsFor = async () => (await client.get(`/api/domains/${id}/dnssec`).expect(200)).body.waits_for as string;
    while ((await waitsFor()) !== 'secondaries') await sleep(20);

    expect(
      await toldOf(`dnssec:${id}`, async () => {
        secondary.serials.set('live-dnssec.com', FAR_SERIAL);
        while ((await waitsFor()) === 'secondaries') await sleep(20);
      }),
    ).toBeLessThan(AT_ONCE_MS);
  });
});
