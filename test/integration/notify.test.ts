import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../src/config';
import { DnsListener } from '../../src/infrastructure/nameserver/dns-listener';
import { HiddenPrimary, type DnsListen } from '../../src/infrastructure/nameserver/hidden-primary';
import { NameserverClient } from '../../src/infrastructure/nameserver/nameserver-client';
import { Notifier } from '../../src/infrastructure/nameserver/notifier';
import { Responder } from '../../src/infrastructure/nameserver/responder';
import { Sightings } from '../../src/infrastructure/nameserver/sightings';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../support/databases/mariadb';
import { adminWithin } from '../support/nameservers/primary';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';
import { describeIf } from '../support/skip-aloud';
import { Surroundings } from '../support/use-cases/surroundings';
import { StubNameserver } from '../support/nameservers/stub-nameserver';

const LISTENING = { DNS_LISTEN: '127.0.0.1:0' };
const DRAFT = { type: 'A', name: 'www', content: '192.0.2.1' };

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5);
}

async function named(service: TestService, name: string): Promise<StubNameserver> {
  const server = await StubNameserver.start();
  const admin = adminWithin(service);
  await admin('tsig', 'create', name);
  await admin('secondary', 'add', name, `127.0.0.1:${server.port}`, '--key', name);
  return server;
}

describe('a secondary', () => {
  let service: TestService;
  let client: Api;
  let server: StubNameserver;
  let serial = 0;
  let name: string;
  let records: string;

  const timesNotified = (): number => server.notified.filter((zone) => zone === name).length;

  beforeAll(async () => {
    service = await startService(LISTENING);
    client = api(service, await service.key(await service.account()));
    server = await named(service, 'ns1');
  });
  beforeEach(async () => {
    name = `told-${(serial += 1)}.com`;
    records = `/api/domains/${await registered(client, name)}/dns/records`;
  });
  afterAll(async () => {
    server.stop();
    await service.stop();
  });

  it('is told of the catalog when it comes, and of the zones that it does not have', async () => {
    await until(() => server.notified.includes('catalog.namewright.invalid') && timesNotified() > 0);
  });

  it('is told of a change again while it does not serve it', async () => {
    server.serials.set(name, 1);
    await until(() => timesNotified() > 0);

    await client.post(records, DRAFT).expect(201);

    const told = timesNotified();
    await until(() => timesNotified() >= told + 2);
  });

  it('is told of a new delegation', async () => {
    server.serials.set(name, 1);
    await until(() => timesNotified() > 0);
    const told = timesNotified();

    await client
      .put(records.replace('/dns/records', '/nameservers'), { nameservers: ['a.example.org', 'b.example.org'] })
      .expect(200);

    await until(() => timesNotified() > told);
  });

  it('is told of nothing any more when it is removed', async () => {
    await adminWithin(service)('secondary', 'remove', 'ns1');
    const other = await named(service, 'ns2');
    await until(() => other.notified.includes(name));
    const told = server.notified.length;

    await registered(client, 'after-its-removal.com');
    await until(() => other.notified.includes('after-its-removal.com'));

    expect(server.notified).toHaveLength(told);
    other.stop();
  });
});

describe('a secondary that was away', () => {
  it('is told of what it missed when it answers again', async () => {
    const service = await startService(LISTENING);
    const client = api(service, await service.key(await service.account()));
    const server = await named(service, 'ns1');
    server.isSilent = true;
    const id = await registered(client, 'missed.com');
    await client.post(`/api/domains/${id}/dns/records`, DRAFT).expect(201);
    const ignored = server.ignored.length;
    await until(() => server.ignored.length > ignored);

    server.isSilent = false;

    await until(() => server.notified.includes('missed.com'));
    server.stop();
    await service.stop();
  });
});

describe('after SECRET_KEY was lost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-notify-'));
  const withKey = () => ({
    ...LISTENING,
    DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    SECRET_KEY: randomBytes(32).toString('base64'),
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('a secondary that has a new key is told, though others have none yet', async () => {
    const former = await startService(withKey());
    const left = await named(former, 'a-with-the-former-key');
    await former.stop();
    const service = await startService(withKey(), { formerKeyIsLost: true });
    const server = await named(service, 'b-with-a-new-key');

    await registered(api(service, await service.key(await service.account())), 'told.com');

    await until(() => server.notified.includes('told.com'));
    expect(left.notified).not.toContain('told.com');
    await service.stop();
    for (const stub of [left, server]) stub.stop();
  });
});

describeIf(MYSQL_MISSING === undefined, MYSQL_MISSING ?? '')('of two processes', () => {
  let mysql: MysqlServer;

  beforeAll(async () => {
    mysql = await startMysql();
  });
  afterAll(() => mysql.stop());

  it('one tells of what either has changed, and the other when that one is gone', async () => {
    const shared = {
      ...LISTENING,
      DATABASE_URL: await mysql.createDatabase(),
      SECRET_KEY: randomBytes(32).toString('base64'),
    };
    const [one, other] = [await startService(shared), await startService(shared)];
    const key = await one.key(await one.account());
    const clients = [one, other].map((service) => api(service, key));
    const server = await named(one, 'ns1');
    const ids: string[] = [];
    for (const [index, client] of clients.entries()) {
      const name = `by-${index}.com`;
      server.serials.set(name, 1);
      ids.push(await registered(client, name));
    }
    await until(() => server.notified.includes('by-0.com') && server.notified.includes('by-1.com'));
    const { body: status } = (await clients[1]?.get(`/api/domains/${ids[1]}/dns/status`).expect(200)) ?? {};
    server.serials.set('by-1.com', status.version);

    await one.stop();
    const told = server.notified.filter((name) => name === 'by-1.com').length;
    await clients[1]?.post(`/api/domains/${ids[1]}/dns/records`, DRAFT).expect(201);

    await until(() => server.notified.filter((name) => name === 'by-1.com').length > told);
    server.stop();
    await other.stop();
  });
});

async function startPrimary(listen: DnsListen): Promise<unknown> {
  const { storage, clock, log } = new Surroundings();
  const parts = {
    zones: storage.publishedZones,
    directory: storage.secondaryDirectory,
    leases: storage.leases,
    clock,
    log,
  };
  const client = new NameserverClient(100);
  const sightings = new Sightings();
  const listener = new DnsListener(new Responder({ ...parts, settings: loadConfig({}).dns }));
  const notifier = new Notifier({ ...parts, client, sightings, catalogZone: 'catalog.example' });
  const primary = new HiddenPrimary({ ...parts, listen, listener, notifier, client, sightings });
  try {
    return { endpoint: await primary.start(), warnings: log.entries.map(({ level }) => level) };
  } finally {
    await primary.stop();
  }
}

describe('a port that is taken', () => {
  let taken: ReturnType<typeof createServer>;
  let port: number;

  beforeAll(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });
  afterAll(() => taken.close());

  it('is a warning where nobody asked for it', async () => {
    expect(await startPrimary({ kind: 'on', endpoint: { address: '127.0.0.1', port }, isDefault: true })).toEqual({
      endpoint: undefined,
      warnings: ['warn'],
    });
  });

  it('is the end where it was asked for', async () => {
    await expect(
      startPrimary({ kind: 'on', endpoint: { address: '127.0.0.1', port }, isDefault: false }),
    ).rejects.toThrow('(EADDRINUSE); set DNS_LISTEN to an address and port that are free and may be had, or to off');
  });
});
