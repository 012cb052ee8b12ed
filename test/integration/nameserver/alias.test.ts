import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode, type Answer } from 'dns-packet';
import request from 'supertest';
import { ZoneSigner } from '../../../src/application/dns/signing/zone-signer';
import { SecondaryDirectory, PublishedZones } from '../../../src/application/ports/dns/publishing';
import { ExpiredRows } from '../../../src/application/ports/storage/expired-rows';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { Clock } from '../../../src/application/ports/system';
import { ZoneTransfers } from '../../../src/infrastructure/nameserver/transfers/zone-transfers';
import { TsigSigner } from '../../../src/infrastructure/nameserver/wire/tsig';
import { readQuery, type WireQuery } from '../../../src/infrastructure/nameserver/wire/wire-query';
import { SeededRandom } from '../../crash/random';
import { applyTransfer, type ZoneLines } from '../../support/nameservers/apply-transfer';
import { requestFor, type Question } from '../../support/nameservers/primary-client';
import { SEED } from '../../support/seeded';
import { AliasReader } from '../../../src/application/ports/dns/alias-repository';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../support/databases/mariadb';
import type { AddressSet, AliasAddresses } from '../../../src/domain/dns/alias/alias-addresses';
import type { Denial } from '../../../src/domain/dns/dnssec/zone-signing-state';
import { describeOrSkip } from '../../support/describe-or-skip';
import { KNOT_MISSING, startKnot } from '../../support/nameservers/knot';
import { missing, program, type Nameserver } from '../../support/nameservers/nameserver';
import { createInProcessAdmin } from '../../support/nameservers/primary';
import { StubResolver } from '../../support/nameservers/stub-resolver';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const POLL_INTERVAL_MS = 50;
const STEPS = 25;
const ADDRESSING: readonly string[] = ['A', 'ALIAS'];
const TOOLS_MISSING = KNOT_MISSING ?? missing('ldns-verify-zone', 'dnssec-verify');

describeOrSkip(TOOLS_MISSING)('ALIAS records that Knot serves, on SQLite', () => {
  suite(async () => ({ settings: {}, replicas: 1, close: async () => undefined }));
});

describeOrSkip(TOOLS_MISSING ?? MYSQL_MISSING)('ALIAS records that Knot serves, on MySQL with two replicas', () => {
  suite(async () => {
    const mysql: MysqlServer = await startMysql();
    const DATABASE_URL = await mysql.createDatabase();
    return { settings: { DATABASE_URL }, replicas: 2, close: () => mysql.stop() };
  });
});

async function transferredBy({ container }: TestService, query: Question): Promise<readonly Answer[]> {
  const zones = container.get<PublishedZones>(PublishedZones);
  const directory = container.get<SecondaryDirectory>(SecondaryDirectory);
  const timers = { refresh: 3600, retry: 600, expire: 86_400, negative: 300 };
  const settings = { catalogZone: 'catalog.example', primaryName: undefined, contact: undefined, timers };
  const key = await directory.findKey('knot');
  const messages: Buffer[] = [];
  const channel = {
    transport: 'tcp' as const,
    address: '127.0.0.1',
    send: async (message: Buffer) => void messages.push(message),
    markAuthenticated: () => undefined,
  };
  const signer = new TsigSigner(key!, Buffer.alloc(32));
  const request = readQuery(requestFor(query)) as WireQuery;
  await new ZoneTransfers({ zones, directory, settings, clock: container.get<Clock>(Clock) }).send(
    request,
    channel,
    signer,
  );
  return messages.flatMap((message) => decode(message).answers ?? []);
}

/** With its serial. */
async function wholeZone(service: TestService, name: string): Promise<readonly [number, ZoneLines]> {
  const answers = await transferredBy(service, { type: 'AXFR', name });
  const [soa] = answers;
  return [soa?.type === 'SOA' ? (soa.data.serial ?? 0) : 0, applyTransfer(new Set(), answers).zone];
}

function randomAddresses(random: SeededRandom): AliasAddresses {
  const set = (address: (at: number) => string): AddressSet => ({
    addresses: Array.from({ length: random.between(0, 2) }, (_, at) => address(random.between(1, 2) + 2 * at)),
    ttl: [60, 120][random.between(0, 1)] ?? 60,
  });
  return { A: set((at) => `198.51.100.${at}`), AAAA: set((at) => `2001:db8::${at}`) };
}

/** The names of a transfer with signed addresses, and their types. */
function signedAt(zone: string): string[] {
  return [...zone.matchAll(/^(\S+)\s+\d+\s+IN\s+RRSIG\s+(A|AAAA) /gm)].map(([, at, type]) => `${at} ${type}`);
}

interface Surroundings {
  readonly settings: Record<string, string>;
  readonly replicas: number;
  readonly close: () => Promise<void>;
}

function suite(open: () => Promise<Surroundings>): void {
  const resolver = new StubResolver();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-alias-'));
  let surroundings: Surroundings;
  let services: TestService[] = [];
  let key: string;
  let client: Api;
  let knot: Nameserver;

  beforeAll(async () => {
    surroundings = await open();
    const settings = {
      ...surroundings.settings,
      SECRET_KEY: randomBytes(32).toString('base64'),
      DNS_LISTEN: '127.0.0.1:0',
      PUBLISH_WAIT_MS: '60000',
      RECORD_TYPES: 'all',
      COMPATIBILITY_APIS: 'powerdns',
      ALIAS_RESOLVER: await resolver.start(),
      ALIAS_NETWORKS: '198.51.100.0/24, 2001:db8::/32',
    };
    services = [await startService(settings)];
    while (services.length < surroundings.replicas) services.push(await startService(settings));
    const [service] = services;
    if (!service) throw new Error('no service was started');
    key = await service.key(await service.account());
    client = api(service, key);
    const primaries = services.flatMap(({ dns }) => (dns ? [`127.0.0.1:${dns.port}`] : []));
    knot = await startKnot(createInProcessAdmin(service), 'knot', { primaries, logLevel: 'info' });
  });

  afterAll(async () => {
    await knot.stop();
    for (const service of services.toReversed()) await service.stop();
    resolver.stop();
    rmSync(folder, { recursive: true, force: true });
    await surroundings.close();
  });

  const add = (id: string, body: object) => client.post(`/api/domains/${id}/dns/records`, body);
  const served = async (name: string): Promise<string[]> => {
    const sets = await knot.queryRrsets(['A', 'AAAA'].map((type) => ({ name, type })));
    return ['A', 'AAAA'].flatMap((type) => sets.get(`${name} ${type}`) ?? []);
  };
  const waitUntilServed = async (name: string, addresses: readonly string[]): Promise<void> => {
    while ((await served(name)).join() !== addresses.join()) await sleep(POLL_INTERVAL_MS);
  };
  const listed = async (id: string, name: string): Promise<Record<string, unknown>> => {
    const { body } = await client.get(`/api/domains/${id}/dns/records?type=ALIAS&name=${name}`).expect(200);
    return body[0];
  };
  /** As if the TTL of the target's last answer had passed. A look-up that is due or running would still see the former records. */
  const changeTarget = async (target: string, records: readonly string[]): Promise<void> => {
    const { container } = services[0] as TestService;
    const find = async () => (await container.get<AliasReader>(AliasReader).targets([target]))[0];
    let found = await find();
    for (; !found || found.dueAt <= new Date(); found = await find()) await sleep(POLL_INTERVAL_MS);
    resolver.rcode = 0;
    resolver.records = records;
    const due = { ...found, dueAt: new Date(0) };
    await container.get(UnitOfWork).run(({ aliases }) => aliases.saveTargets([due]));
  };

  const startSigning = async (id: string, denial: Denial): Promise<void> => {
    const { container } = services[0] as TestService;
    const signer = container.get<ZoneSigner>(ZoneSigner);
    const key = await signer.createKey();
    await container.get(UnitOfWork).run((stores) => signer.start(stores, id, { denial, key }));
  };
  /** The zone as the primary sends it. Rejects if a checker objects to its signatures. */
  const verifiedTransfer = async (name: string): Promise<string> => {
    const { container, dns } = services[0] as TestService;
    const tsig = await container.get<SecondaryDirectory>(SecondaryDirectory).findKey('knot');
    const secret = `${tsig?.algorithm}:knot:${tsig?.secret.toString('base64')}`;
    const request = ['@127.0.0.1', '-p', String(dns?.port), '-y', secret, '+noall', '+answer', name, 'AXFR'];
    const { stdout } = await promisify(execFile)('kdig', request);
    const zone = stdout.trimEnd().split('\n').slice(0, -1).join('\n');
    const file = join(folder, name);
    writeFileSync(file, `${zone}\n`);
    await Promise.all([
      promisify(execFile)(program('ldns-verify-zone') ?? '', [file]),
      promisify(execFile)(program('dnssec-verify') ?? '', ['-q', '-z', '-o', name, file]),
    ]);
    return zone;
  };

  it('are A and AAAA records at the apex, at other names and at wildcards, and follow their target', async () => {
    const id = await registered(client, 'alias-served.com');
    resolver.records = [
      'shop.test 300 CNAME lb.test',
      'lb.test 90 A 198.51.100.2',
      'lb.test 90 A 198.51.100.1',
      'lb.test 20 AAAA 2001:db8::1',
    ];
    const before = resolver.queries.length;

    for (const name of ['@', 'www', '*.any']) await add(id, { type: 'ALIAS', name, content: 'shop.test' }).expect(201);
    const addresses = ['198.51.100.1', '198.51.100.2', '2001:db8::1'];
    for (const name of ['alias-served.com', 'www.alias-served.com', 'x.any.alias-served.com'])
      await waitUntilServed(name, addresses);
    const queries = resolver.queries.slice(before);
    const first = await listed(id, '@');
    const { body: status } = await client.get(`/api/domains/${id}/dns/status`).expect(200);
    await changeTarget('shop.test', ['shop.test 60 A 198.51.100.3']);
    await waitUntilServed('alias-served.com', ['198.51.100.3']);
    const { body: after } = await client.get(`/api/domains/${id}/dns/status`).expect(200);

    expect(queries.toSorted()).toEqual(['shop.test A', 'shop.test AAAA']);
    expect(first).toMatchObject({
      content: 'shop.test',
      resolved: [
        { type: 'A', content: '198.51.100.1', ttl: 90 },
        { type: 'A', content: '198.51.100.2', ttl: 90 },
        { type: 'AAAA', content: '2001:db8::1', ttl: 60 },
      ],
      resolution: { state: 'resolved', error: null },
    });
    expect(after).toMatchObject({ version: status.version, serial: status.serial + 1, failing_aliases: [] });
  });

  it.each<Denial | 'unsigned'>(['unsigned', 'nsec', 'nsec3'])(
    'reach Knot as differences, and lead from each serial to the current zone: %s',
    async (denial) => {
      const { container } = services[0] as TestService;
      const unitOfWork = container.get(UnitOfWork);
      const random = new SeededRandom(SEED);
      const name = `alias-history-${denial}.com`;
      const id = await registered(client, name);
      const fillers = Array.from({ length: 30 }, (_, at) => ({ type: 'A', name: `f${at}`, content: '192.0.2.9' }));
      await client.post(`/api/domains/${id}/dns/records/batch`, { create: fillers }).expect(200);
      if (denial !== 'unsigned') await startSigning(id, denial);
      resolver.rcode = 2;
      const past = new Map<number, ZoneLines>();
      const remember = async () => past.set(...(await wholeZone(services[0] as TestService, name)));
      const setAddresses = (at: string) =>
        unitOfWork.run(async ({ aliases, zones }) => {
          const zone = await zones.lock(id);
          if (!zone || (await aliases.find(id, [at])).length === 0) return;
          const addresses = randomAddresses(random);
          await aliases.setAddresses(id, [{ name: at, addresses }], { serial: zone.serial + 1, at: new Date() });
          await zones.raiseSerial(id, { names: [at] });
        });
      const waitForKnot = async () => {
        const [serial] = await wholeZone(services[0] as TestService, name);
        while ((await knot.querySerial(name)) !== serial) await sleep(POLL_INTERVAL_MS);
      };
      const transfers = (kind: string) =>
        knot.log.match(new RegExp(`\\[${name}\\.\\] ${kind}, incoming, .*finished`, 'g'))?.length ?? 0;
      await remember();
      await waitForKnot();
      const before = transfers('AXFR');

      for (let step = 0; step < STEPS; step += 1) {
        const at = ['@', 'www', 'a.b', '*.any'][random.between(0, 3)] ?? '@';
        const { body } = await client.get(`/api/domains/${id}/dns/records?name=${encodeURIComponent(at)}`).expect(200);
        const present = (body as { id: string; type: string }[]).filter(({ type }) => ADDRESSING.includes(type));
        const draft =
          random.between(0, 1) === 0
            ? { type: 'A', content: '198.51.100.1' }
            : { type: 'ALIAS', content: 'history.test' };
        const create = [{ ...draft, name: at, ttl: [60, 300][random.between(0, 1)] }];
        const isRemoved = random.between(0, 3) === 0;
        if (random.between(0, 1) === 0) await setAddresses(at);
        else
          await client
            .post(`/api/domains/${id}/dns/records/batch`, {
              delete: present.map((record) => record.id),
              create: isRemoved ? [] : create,
            })
            .expect(isRemoved && present.length === 0 ? 400 : 200);
        await remember();
        if (step % 5 === 4) await waitForKnot();
      }
      await waitForKnot();

      const [last, now] = await wholeZone(services[0] as TestService, name);
      expect(past.size).toBeGreaterThan(STEPS / 3);
      for (const [serial, zone] of past) {
        const answers = await transferredBy(services[0] as TestService, { type: 'IXFR', name, serial });
        const result = applyTransfer(zone, answers);
        expect({ serial, kind: result.kind, zone: [...result.zone].toSorted() }).toEqual({
          serial,
          kind: serial === last ? 'single SOA' : 'IXFR',
          zone: [...now].toSorted(),
        });
      }
      expect(transfers('AXFR')).toBe(before);
      expect(transfers('IXFR')).toBeGreaterThan(1);
      if (denial !== 'unsigned') await verifiedTransfer(name);
      await container.get<ExpiredRows>(ExpiredRows).remove('signature changes', new Date(), 1_000_000);
      const [first = 0] = past.keys();
      const [soa, ...others] = await transferredBy(services[0] as TestService, { type: 'IXFR', name, serial: first });
      expect(applyTransfer(new Set(), [soa!, ...others]).kind).toBe('AXFR');
    },
  );

  it('take the place of addresses without a moment in which the name has none', async () => {
    const id = await registered(client, 'alias-switch.com');
    const { body: record } = await client
      .post(`/api/domains/${id}/dns/records?wait=published`, { type: 'A', name: '@', content: '192.0.2.1' })
      .expect(201);
    resolver.rcode = 2;

    await client
      .post(`/api/domains/${id}/dns/records/batch?wait=published`, {
        delete: [record.id],
        create: [{ type: 'ALIAS', name: '@', content: 'moved.test' }],
      })
      .expect(200);
    const meanwhile = await served('alias-switch.com');
    while ((await listed(id, '@'))['resolution']?.['state' as never] !== 'failing') await sleep(POLL_INTERVAL_MS);
    const failing = await served('alias-switch.com');
    await changeTarget('moved.test', ['moved.test 300 A 198.51.100.4']);
    await waitUntilServed('alias-switch.com', ['198.51.100.4']);

    expect([meanwhile, failing]).toEqual([['192.0.2.1'], ['192.0.2.1']]);
  });

  it('report loops and addresses that are not public, and publish neither', async () => {
    const id = await registered(client, 'alias-errors.com');
    resolver.records = ['a.test 60 CNAME b.test', 'b.test 60 CNAME a.test', 'inner.test 60 A 127.0.0.1'];

    await add(id, { type: 'ALIAS', name: 'loop', content: 'a.test' }).expect(201);
    await add(id, { type: 'ALIAS', name: 'inner', content: 'inner.test' }).expect(201);
    let failing: { name: string; resolution: { error: string } }[] = [];
    while (failing.length < 2) {
      await sleep(POLL_INTERVAL_MS);
      failing = (await client.get(`/api/domains/${id}/dns/status`).expect(200)).body.failing_aliases;
    }

    expect(failing.map(({ name, resolution: { error } }) => [name, error])).toEqual([
      ['inner', 'A: 127.0.0.1 is not a public address'],
      ['loop', 'the names form a loop: a.test -> b.test -> a.test'],
    ]);
    expect(await listed(id, 'inner')).toMatchObject({ resolved: [] });
    expect(await served('inner.alias-errors.com')).toEqual([]);
  });

  it('exclude A, AAAA, CNAME and other ALIAS records at their name, and are excluded by them', async () => {
    const id = await registered(client, 'alias-beside.com');
    resolver.records = [];
    await add(id, { type: 'ALIAS', name: '@', content: 'lb.test' }).expect(201);
    await add(id, { type: 'MX', name: '@', content: 'mail.example.net', priority: 1 }).expect(201);

    const codes: string[] = [];
    for (const [type, content] of Object.entries({
      A: '192.0.2.1',
      AAAA: '2001:db8::1',
      CNAME: 'a.test',
      ALIAS: 'a.test',
    })) {
      const name = type === 'CNAME' ? 'www' : '@';
      if (type === 'CNAME') await add(id, { type: 'ALIAS', name, content: 'lb.test' }).expect(201);
      const { body: beside } = await add(id, { type, name, content }).expect(409);
      await add(id, { type, name: type.toLowerCase(), content }).expect(201);
      const { body: excluded } = await add(id, { type: 'ALIAS', name: type.toLowerCase(), content: 'lb.test' }).expect(
        409,
      );
      codes.push(beside.error.code, excluded.error.code);
    }

    expect([...new Set(codes)]).toEqual(['RECORD_CONFLICT']);
  });

  it('come back from an exported zone file', async () => {
    const id = await registered(client, 'alias-file.com');
    await add(id, { type: 'ALIAS', name: '@', content: 'lb.test', ttl: 300 }).expect(201);
    const read = async () => (await client.get(`/api/domains/${id}/dns/zonefile`).expect(200)).text;
    const file = await read();
    const record = await listed(id, '@');

    await client.delete(`/api/domains/${id}/dns/records/${String(record['id'])}`).expect(200);
    await client.put(`/api/domains/${id}/dns/zonefile`, file).set('Content-Type', 'text/dns').expect(200);

    expect(file).toContain('alias-file.com.\t300\tIN\tALIAS\tlb.test.');
    expect(await listed(id, '@')).toMatchObject({ content: 'lb.test', ttl: 300 });
  });

  it('are read and written by clients of the PowerDNS API', async () => {
    const id = await registered(client, 'alias-pdns.com');
    resolver.records = ['pdns.test 300 A 198.51.100.5'];
    const zone = '/compat/powerdns/api/v1/servers/localhost/zones/alias-pdns.com.';
    const pdns = (method: 'get' | 'patch') =>
      request(services[0]?.server ?? '')
        [method](zone)
        .set('X-API-Key', key);
    const records = [{ content: 'pdns.test.', disabled: false }];
    const rrset = { name: 'alias-pdns.com.', type: 'ALIAS', ttl: 300, records };

    await pdns('patch')
      .send({ rrsets: [{ ...rrset, changetype: 'REPLACE' }] })
      .expect(204);
    await waitUntilServed('alias-pdns.com', ['198.51.100.5']);

    const { body } = await pdns('get').expect(200);
    expect(body.rrsets).toContainEqual({ ...rrset, comments: [] });
    expect(await listed(id, '@')).toMatchObject({ content: 'pdns.test', ttl: 300 });
  });

  it.each<Denial>(['nsec', 'nsec3'])(
    'are signed with their addresses, also when these change or the record is removed, with %s',
    async (denial) => {
      const [name, target] = [`alias-${denial}.com`, `${denial}.test`];
      const id = await registered(client, name);
      await startSigning(id, denial);
      resolver.rcode = 2;
      await add(id, { type: 'ALIAS', name: '@', content: target }).expect(201);
      await add(id, { type: 'ALIAS', name: 'deep.below', content: target }).expect(201);
      const unknown = await verifiedTransfer(name);

      await changeTarget(target, [`${target} 300 A 198.51.100.6`, `${target} 300 AAAA 2001:db8::6`]);
      await waitUntilServed(`deep.below.${name}`, ['198.51.100.6', '2001:db8::6']);
      const resolved = await verifiedTransfer(name);
      await changeTarget(target, [`${target} 300 A 198.51.100.7`]);
      await waitUntilServed(name, ['198.51.100.7']);
      const changed = await verifiedTransfer(name);
      await client
        .delete(`/api/domains/${id}/dns/records/${String((await listed(id, 'deep.below'))['id'])}?wait=published`)
        .expect(200);
      const removed = await verifiedTransfer(name);

      expect(signedAt(unknown)).toEqual([]);
      expect(unknown).not.toContain('deep.below');
      expect(signedAt(resolved).toSorted()).toEqual([
        `${name}. A`,
        `${name}. AAAA`,
        `deep.below.${name}. A`,
        `deep.below.${name}. AAAA`,
      ]);
      expect(signedAt(changed).toSorted()).toEqual([`${name}. A`, `deep.below.${name}. A`]);
      expect(signedAt(removed)).toEqual([`${name}. A`]);
      expect(removed).not.toContain('deep.below');
    },
  );
}
