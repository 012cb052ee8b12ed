import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../support/databases/mariadb';
import { onBothDatabases } from '../../support/databases/databases';
import { describeOrSkip } from '../../support/describe-or-skip';
import { createInProcessAdmin } from '../../support/nameservers/primary';
import { StubNameserver } from '../../support/nameservers/stub-nameserver';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const LISTENING = { DNS_LISTEN: '127.0.0.1:0' };

interface Shown {
  readonly type: string;
  readonly actor: string;
  readonly data: { readonly version: number; readonly serial: number };
}

async function addSecondary(service: TestService, name: string): Promise<StubNameserver> {
  const server = await StubNameserver.start();
  const admin = createInProcessAdmin(service);
  await admin('tsig', 'create', name);
  await admin('secondary', 'add', name, `127.0.0.1:${server.port}`, '--key', name);
  return server;
}

async function publishedOf(client: Api, name: string): Promise<readonly Shown[]> {
  const { body } = await client.get(`/api/events?types=zone.published&domain=${name}&limit=1000`).expect(200);
  return body as Shown[];
}

/** Returns the version that adds the record. */
async function add(client: Api, id: string, address: string): Promise<number> {
  const record = { type: 'A', name: 'www', content: address };
  const { headers } = await client.post(`/api/domains/${id}/dns/records`, record).expect(201);
  return Number(headers['zone-version']);
}

async function untilPublished(client: Api, name: string, version: number): Promise<void> {
  while (!(await publishedOf(client, name)).some(({ data }) => data.version === version)) await sleep(20);
}

onBothDatabases(
  'zone.published',
  (service) => {
    let first: StubNameserver;
    let second: StubNameserver;
    let client: Api;
    let serial = 0;

    beforeAll(async () => {
      first = await addSecondary(service(), 'ns1');
      second = await addSecondary(service(), 'ns2');
    });
    beforeEach(async () => {
      client = api(service(), await service().key(await service().account()));
    });
    afterAll(() => {
      for (const server of [first, second]) server.stop();
    });

    const aZone = async (owner: Api) => {
      const name = `published-${(serial += 1)}.com`;
      return { name, id: await registered(owner, name) };
    };
    const serve = (name: string, version: number, by = [first, second]) => {
      for (const { serials } of by) serials.set(name, version);
    };

    it('is in the feed once all secondaries serve the newest version, and not before', async () => {
      const { name, id } = await aZone(client);
      await publishedOf(client, name);
      await add(client, id, '192.0.2.1');
      const version = await add(client, id, '192.0.2.2');
      serve(name, version, [first]);
      serve(name, version - 1, [second]);
      const queries = second.queryCount;
      while (second.queryCount < queries + 4) await sleep(5);
      const before = await publishedOf(client, name);

      serve(name, version);
      await untilPublished(client, name, version);
      const later = await add(client, id, '192.0.2.3');
      serve(name, later);
      await untilPublished(client, name, later);

      expect(before.filter(({ data }) => data.version >= version)).toEqual([]);
      const events = (await publishedOf(client, name)).filter(({ data }) => data.version >= version);
      expect(events).toMatchObject([
        { type: 'zone.published', actor: 'service', data: { domain: { id, name }, version, serial: version } },
        { data: { version: later, serial: later } },
      ]);
    });

    it('is not written for an account that does not read such events', async () => {
      const unread = await aZone(client);
      await client.get('/api/events?types=records.changed').expect(200);
      const reader = api(service(), await service().key(await service().account()));
      const own = await aZone(reader);
      await publishedOf(reader, own.name);

      serve(unread.name, await add(client, unread.id, '192.0.2.1'));
      const version = await add(reader, own.id, '192.0.2.1');
      serve(own.name, version);
      await untilPublished(reader, own.name, version);

      expect(await publishedOf(client, unread.name)).toEqual([]);
    });
  },
  LISTENING,
);

describeOrSkip(MYSQL_MISSING)('zone.published of two processes on one database', () => {
  let mysql: MysqlServer;
  beforeAll(async () => {
    mysql = await startMysql();
  });
  afterAll(() => mysql.stop());

  it('is written once for changes of either, also after one of them has stopped', async () => {
    const secrets = { SECRET_KEY: randomBytes(32).toString('base64'), DATABASE_URL: await mysql.createDatabase() };
    const [one, other] = [
      await startService({ ...LISTENING, ...secrets }),
      await startService({ ...LISTENING, ...secrets }),
    ];
    const key = await one.key(await one.account());
    const [left, right] = [api(one, key), api(other, key)];
    const server = await addSecondary(one, 'ns1');
    const id = await registered(left, 'shared.com');
    await publishedOf(right, 'shared.com');
    const versions: number[] = [];
    const change = async (client: Api) => {
      versions.push(await add(client, id, `192.0.2.${versions.length}`));
      server.serials.set('shared.com', versions.at(-1) ?? 0);
      await untilPublished(right, 'shared.com', versions.at(-1) ?? 0);
    };

    for (const client of [left, right]) await change(client);
    await one.stop();
    await change(right);

    const published = (await publishedOf(right, 'shared.com')).map(({ data }) => data.version);
    expect(published.filter((version) => versions.includes(version))).toEqual(versions);
    await other.stop();
    server.stop();
  });
});
