import { setTimeout as sleep } from 'node:timers/promises';
import { ZoneSigner } from '../../../src/application/dns/signing/zone-signer';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { SecondaryDirectory } from '../../../src/application/ports/dns/publishing';
import { SeededRandom } from '../../crash/random';
import { describeOrSkip } from '../../support/describe-or-skip';
import { BIND_MISSING, startBind } from '../../support/nameservers/bind';
import { KNOT_MISSING, startKnot } from '../../support/nameservers/knot';
import { transferFrom, type Nameserver } from '../../support/nameservers/nameserver';
import { POWERDNS_MISSING, startPowerdns } from '../../support/nameservers/powerdns';
import { createInProcessAdmin } from '../../support/nameservers/primary';
import { randomZoneChange } from '../../support/nameservers/random-zone-change';
import { SEED } from '../../support/seeded';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const CATALOG = 'catalog.namewright.invalid';
const ZONE = 'changes-often.com';
const ROUNDS = 6;
const POLL_INTERVAL_MS = 50;

/** What the logs say of a transfer of a zone that came as a difference, and as a whole. */
const LOGGED: Readonly<Record<string, (zone: string) => { readonly ixfr: RegExp; readonly axfr: RegExp }>> = {
  knot: (zone) => ({
    ixfr: new RegExp(`\\[${zone}\\.\\] IXFR, incoming, .*finished`, 'g'),
    axfr: new RegExp(`\\[${zone}\\.\\] AXFR, incoming, .*finished`, 'g'),
  }),
  bind: (zone) => ({
    ixfr: new RegExp(`transfer of '${zone}/IN' .*got incremental response`, 'g'),
    axfr: new RegExp(`transfer of '${zone}/IN' .*got nonincremental response`, 'g'),
  }),
};

describeOrSkip(KNOT_MISSING ?? BIND_MISSING ?? POWERDNS_MISSING)('secondaries and IXFR', () => {
  let service: TestService;
  let client: Api;
  let servers: readonly Nameserver[];
  const keys = new Map<string, string>();

  beforeAll(async () => {
    service = await startService({ DNS_LISTEN: '127.0.0.1:0', PUBLISH_WAIT_MS: '60000' });
    client = api(service, await service.key(await service.account()));
    const admin = createInProcessAdmin(service);
    await admin('tsig', 'create', 'reader');
    await admin('secondary', 'add', 'reader', '127.0.0.1:9', '--key', 'reader');
    const primary = service.dns ?? { address: '', port: 0 };
    servers = await Promise.all([
      startKnot(admin, 'knot', { logLevel: 'info' }),
      startBind(admin, 'bind', primary, { isTested: true }),
      startPowerdns(admin, 'powerdns', { options: ['--allow-axfr-ips=127.0.0.1'] }),
    ]);
    const directory = service.container.get<SecondaryDirectory>(SecondaryDirectory);
    for (const name of ['reader', 'knot']) {
      const { algorithm = '', secret = Buffer.alloc(0) } = (await directory.findKey(name)) ?? {};
      keys.set(name, `${algorithm}:${name}:${secret.toString('base64')}`);
    }
  });

  afterAll(async () => {
    for (const server of servers) await server.stop();
    await service.stop();
  });

  const published = (zone: string) => transferFrom(service.dns?.port ?? 0, zone, keys.get('reader'));
  /** Undefined until the server has the zone. */
  const zoneAt = (server: Nameserver, zone: string) =>
    server.transfer(zone, keys.get(server.plan.name)).catch(() => undefined);
  /** Ends when the servers have the serial of the service. Returns the zone of the service. */
  const waitForSerial = async (zone: string, among = servers): Promise<readonly string[]> => {
    const ours = await published(zone);
    for (const server of among)
      while (serialIn(await zoneAt(server, zone)) !== serialIn(ours)) await sleep(POLL_INTERVAL_MS);
    return ours;
  };
  const expectSame = async (zone: string, among = servers): Promise<void> => {
    const ours = await waitForSerial(zone, among);
    for (const server of among)
      expect({ server: server.plan.name, zone: await zoneAt(server, zone) }).toEqual({
        server: server.plan.name,
        zone: ours,
      });
  };

  it('Knot and BIND apply what changed, and all have the same zone as the service after random changes', async () => {
    const random = new SeededRandom(SEED);
    const id = await registered(client, ZONE);
    const create = Array.from({ length: 60 }, (_, index) => ({
      type: 'A',
      name: `filler-${index}`,
      content: '192.0.2.1',
    }));
    await client.post(`/api/domains/${id}/dns/records/batch`, { create }).expect(200);
    await waitForSerial(ZONE);
    const incremental = servers.slice(0, 2);
    const before = incremental.map((server) => countLogged(server, ZONE));

    for (let round = 0; round < ROUNDS; round += 1) {
      for (let change = random.between(1, 4); change > 0; change -= 1) await randomZoneChange(client, id, random);
      await expectSame(ZONE);
    }

    for (const [index, server] of incremental.entries()) {
      const { ixfr, axfr } = countLogged(server, ZONE);
      expect({ server: server.plan.name, axfr }).toEqual({ server: server.plan.name, axfr: before[index]?.axfr });
      expect(ixfr).toBeGreaterThan(1);
    }
  });

  it('Knot and BIND apply what changed in a signed zone, and all have the same zone as the service', async () => {
    const [name, serving] = ['signed-zone.com', servers.slice(0, 2)];
    const id = await registered(client, name);
    const records = `/api/domains/${id}/dns/records`;
    const create = Array.from({ length: 60 }, (_, index) => ({ type: 'A', name: `h${index}`, content: '192.0.2.1' }));
    await client.post(`${records}/batch`, { create }).expect(200);
    const signer = service.container.get<ZoneSigner>(ZoneSigner);
    const key = await signer.createKey();
    await service.container.get(UnitOfWork).run((stores) => signer.start(stores, id, { denial: 'nsec', key }));
    await expectSame(name);
    const before = serving.map((server) => countLogged(server, name));

    const { body } = await client.post(records, { type: 'A', name: 'added', content: '192.0.2.2' }).expect(201);
    await expectSame(name);
    await client.put(`${records}/${body.id}`, { content: '192.0.2.3' }).expect(200);
    await client.post(records, { type: 'TXT', name: 'a.b', content: 'text' }).expect(201);
    await expectSame(name);
    await client.delete(`${records}/${body.id}`).expect(200);
    await expectSame(name);

    for (const [index, server] of serving.entries()) {
      const { ixfr, axfr } = countLogged(server, name);
      expect({ server: server.plan.name, axfr }).toEqual({ server: server.plan.name, axfr: before[index]?.axfr });
      expect(ixfr - (before[index]?.ixfr ?? 0)).toBeGreaterThanOrEqual(3);
    }
    expect(Math.max(...octetsReceived(servers[0], name).slice(-3))).toBeLessThan(4_096);
  });

  it('Knot and BIND apply what changed in the catalog, and all have the same zones as the service', async () => {
    const consumers = servers.slice(0, 2);
    await waitForSerial(CATALOG, consumers);
    const before = consumers.map((server) => countLogged(server, CATALOG));
    const ids: string[] = [];
    for (let domain = 0; domain < 4; domain += 1) ids.push(await registered(client, `member-${domain}.com`));
    await waitForSerial('member-3.com');
    for (const id of [ids[0], ids[2]]) await client.delete(`/api/domains/${id}`).expect(200);

    for (const server of servers)
      for (const name of ['member-0.com', 'member-2.com'])
        while ((await server.querySerial(name)) !== undefined) await sleep(POLL_INTERVAL_MS);

    await expectSame(CATALOG, consumers);
    for (const [index, server] of consumers.entries()) {
      const { ixfr, axfr } = countLogged(server, CATALOG);
      expect({ server: server.plan.name, axfr }).toEqual({ server: server.plan.name, axfr: before[index]?.axfr });
      expect(ixfr).toBeGreaterThan(before[index]?.ixfr ?? 0);
    }
    expect(Math.max(...octetsReceived(servers[0], CATALOG))).toBeLessThan(2_048);
  });
});

/** Of each IXFR that Knot received. */
function octetsReceived(knot: Nameserver | undefined, zone: string): readonly number[] {
  const received = new RegExp(
    `\\[${zone.replaceAll('.', '\\.')}\\.\\] IXFR, incoming, .*finished, .* (\\d+) bytes`,
    'g',
  );
  return [...(knot?.log.matchAll(received) ?? [])].map(([, octets]) => Number(octets));
}

function serialIn(lines: readonly string[] | undefined): string | undefined {
  return / in soa \S+ \S+ (\d+) /.exec(lines?.join('\n') ?? '')?.[1];
}

function countLogged(server: Nameserver, zone: string): { readonly ixfr: number; readonly axfr: number } {
  const { ixfr, axfr } = LOGGED[server.plan.name]?.(zone) ?? { ixfr: /$^/g, axfr: /$^/g };
  return { ixfr: server.log.match(ixfr)?.length ?? 0, axfr: server.log.match(axfr)?.length ?? 0 };
}
