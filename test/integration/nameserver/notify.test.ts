import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../../src/config';
import { DnsListener } from '../../../src/infrastructure/nameserver/dns-listener';
import { HiddenPrimary, type DnsListen } from '../../../src/infrastructure/nameserver/hidden-primary';
import { NameserverClient } from '../../../src/infrastructure/nameserver/nameserver-client';
import { NOTIFY_TIMES } from '../../../src/infrastructure/nameserver/notify/notify-times';
import { Notifier } from '../../../src/infrastructure/nameserver/notify/notifier';
import { PublicationRecorder } from '../../../src/infrastructure/nameserver/notify/publication-recorder';
import { SecondaryQueries } from '../../../src/infrastructure/nameserver/notify/secondary-queries';
import { Responder } from '../../../src/infrastructure/nameserver/responder';
import { ServedSerials } from '../../../src/infrastructure/nameserver/notify/served-serials';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../support/databases/mariadb';
import { noAccountKeys } from '../../support/nameservers/no-account-keys';
import { createInProcessAdmin } from '../../support/nameservers/primary';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';
import { describeOrSkip } from '../../support/describe-or-skip';
import { UseCaseContext } from '../../support/use-cases/use-case-context';
import { StubNameserver } from '../../support/nameservers/stub-nameserver';

const LISTENING = { DNS_LISTEN: '127.0.0.1:0' };
const DRAFT = { type: 'A', name: 'www', content: '192.0.2.1' };

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5);
}

async function addSecondary(service: TestService, name: string): Promise<StubNameserver> {
  const server = await StubNameserver.start();
  const admin = createInProcessAdmin(service);
  await admin('tsig', 'create', name);
  await admin('secondary', 'add', name, `127.0.0.1:${server.port}`, '--key', name);
  return server;
}

describe('the hidden primary', () => {
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
    server = await addSecondary(service, 'ns1');
  });
  beforeEach(async () => {
    name = `notify-${(serial += 1)}.com`;
    records = `/api/domains/${await registered(client, name)}/dns/records`;
  });
  afterAll(async () => {
    server.stop();
    await service.stop();
  });

  it('sends a new secondary NOTIFY for the catalog and for every zone', async () => {
    await until(() => server.notified.includes('catalog.namewright.invalid') && timesNotified() > 0);
  });

  it('repeats NOTIFY until the secondary serves the change', async () => {
    server.serials.set(name, 1);
    await until(() => timesNotified() > 0);

    await client.post(records, DRAFT).expect(201);

    const notified = timesNotified();
    await until(() => timesNotified() >= notified + 2);
  });

  it('sends NOTIFY after a nameserver change', async () => {
    server.serials.set(name, 1);
    await until(() => timesNotified() > 0);
    const notified = timesNotified();

    await client
      .put(records.replace('/dns/records', '/nameservers'), { nameservers: ['a.example.org', 'b.example.org'] })
      .expect(200);

    await until(() => timesNotified() > notified);
  });

  it('sends no NOTIFY to a removed secondary', async () => {
    await createInProcessAdmin(service)('secondary', 'remove', 'ns1');
    const other = await addSecondary(service, 'ns2');
    await until(() => other.notified.includes(name));
    const notified = server.notified.length;

    await registered(client, 'after-its-removal.com');
    await until(() => other.notified.includes('after-its-removal.com'));

    expect(server.notified).toHaveLength(notified);
    other.stop();
  });
});

describe('the hidden primary, after an outage of a secondary', () => {
  it('sends NOTIFY for the changes that the secondary missed', async () => {
    const service = await startService(LISTENING);
    const client = api(service, await service.key(await service.account()));
    const server = await addSecondary(service, 'ns1');
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

describe('the hidden primary, after SECRET_KEY was lost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-notify-'));
  const withKey = () => ({
    ...LISTENING,
    DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    SECRET_KEY: randomBytes(32).toString('base64'),
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('sends NOTIFY to a secondary with a new key, even if other keys cannot be decrypted', async () => {
    const former = await startService(withKey());
    const left = await addSecondary(former, 'a-with-the-former-key');
    await former.stop();
    const service = await startService(withKey(), { replaceLostKey: true });
    const server = await addSecondary(service, 'b-with-a-new-key');

    await registered(api(service, await service.key(await service.account())), 'new-key.com');

    await until(() => server.notified.includes('new-key.com'));
    expect(left.notified).not.toContain('new-key.com');
    await service.stop();
    for (const stub of [left, server]) stub.stop();
  });
});

describeOrSkip(MYSQL_MISSING)('two hidden primaries on one database', () => {
  let mysql: MysqlServer;

  beforeAll(async () => {
    mysql = await startMysql();
  });
  afterAll(() => mysql.stop());

  it('send NOTIFY for changes of either process, also after one of them stops', async () => {
    const shared = {
      ...LISTENING,
      DATABASE_URL: await mysql.createDatabase(),
      SECRET_KEY: randomBytes(32).toString('base64'),
    };
    const [one, other] = [await startService(shared), await startService(shared)];
    const key = await one.key(await one.account());
    const clients = [one, other].map((service) => api(service, key));
    const server = await addSecondary(one, 'ns1');
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
    const notified = server.notified.filter((name) => name === 'by-1.com').length;
    await clients[1]?.post(`/api/domains/${ids[1]}/dns/records`, DRAFT).expect(201);

    await until(() => server.notified.filter((name) => name === 'by-1.com').length > notified);
    server.stop();
    await other.stop();
  });
});

async function startPrimary(listen: DnsListen): Promise<unknown> {
  const { storage, clock, log } = new UseCaseContext();
  const parts = {
    zones: storage.publishedZones,
    directory: storage.secondaryDirectory,
    leases: storage.leases,
    clock,
    log,
  };
  const client = new NameserverClient(100);
  const servedSerials = new ServedSerials();
  const queries = new SecondaryQueries(storage.secondaryDirectory, client, servedSerials, clock);
  const recorder = new PublicationRecorder({
    publications: { unrecorded: async () => [] },
    record: async () => undefined,
    queries,
    clock,
    log,
  });
  const listener = new DnsListener(new Responder({ ...parts, ...noAccountKeys(), settings: loadConfig({}).dns }));
  const notifier = new Notifier({
    ...parts,
    client,
    servedSerials,
    recorder,
    catalogZone: 'catalog.example',
    times: NOTIFY_TIMES,
  });
  const primary = new HiddenPrimary({ log, listen, notifier, client, queries });
  try {
    return { endpoint: await primary.start(listener), warnings: log.entries.map(({ level }) => level) };
  } finally {
    await primary.stop();
  }
}

describe('a DNS port that is in use', () => {
  let taken: ReturnType<typeof createServer>;
  let port: number;

  beforeAll(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });
  afterAll(() => taken.close());

  it('is a warning if DNS_LISTEN is not set', async () => {
    expect(await startPrimary({ kind: 'on', endpoint: { address: '127.0.0.1', port }, isDefault: true })).toEqual({
      endpoint: undefined,
      warnings: ['warn'],
    });
  });

  it('stops the start if DNS_LISTEN names it', async () => {
    await expect(
      startPrimary({ kind: 'on', endpoint: { address: '127.0.0.1', port }, isDefault: false }),
    ).rejects.toThrow('(EADDRINUSE); set DNS_LISTEN to an address and port that are free and permitted, or to off');
  });
});
