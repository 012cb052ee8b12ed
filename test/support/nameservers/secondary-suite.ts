import { randomUUID } from 'node:crypto';
import { raisePublishedVersions } from '../../../src/application/publishing/raise-published-versions';
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { SERVICE } from '../../../src/domain/access/actor';
import { DnsRecord, type DnsRecordState } from '../../../src/domain/dns/records/dns-record';
import { typeDefinition, wireRdata, type RecordType } from '../../../src/domain/dns/records/types/record-types';
import { fullOwnerName } from '../../../src/domain/dns/records/record-name';
import type { DomainState } from '../../../src/domain/registration/domain';
import type { DomainStatus } from '../../../src/domain/registration/domain-status';
import { aDomain, inStatus } from '../data/a-domain';
import type { Nameserver } from './nameserver';
import { createInProcessAdmin, type Admin } from './primary';
import { api, registered, startService, type Api, type TestService } from '../service/service';
import { vectorZones, type PlacedVector } from '../data/vector-zones';

const POLL_INTERVAL_MS = 20;
/** DEFAULT_NAMESERVERS, for domains registered without nameservers. */
const DELEGATION = ['ns1.namewright.example.', 'ns2.namewright.example.'];

export const EIGHT_TYPES = [
  { type: 'A', name: '@', content: '192.0.2.1' },
  { type: 'A', name: '*.any', content: '192.0.2.9', ttl: 60 },
  { type: 'AAAA', name: 'www', content: '2001:DB8:0::1' },
  { type: 'CNAME', name: 'blog', content: 'Host.Example.net.' },
  { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 },
  { type: 'MX', name: 'nomail', content: '.', priority: 0 },
  { type: 'TXT', name: '_dmarc', content: 'v=DMARC1; p=none' },
  { type: 'TXT', name: 'long', content: `"${'a'.repeat(200)}" "b\\"c\\\\d\\255" ""` },
  { type: 'NS', name: 'sub', content: 'ns1.example.net' },
  { type: 'SRV', name: '_sip._tcp', content: 'sip.example.net', priority: 5, weight: 7, port: 5060 },
  { type: 'CAA', name: '@', content: '0 issue ";"' },
  { type: 'CAA', name: 'ca', content: '128 issuewild "ca.example.net; account=1"' },
] as const;

/** One record of each type that can be switched on, and of one that nameservers do not know. */
export const OTHER_TYPES: Readonly<Record<string, string>> = {
  HTTPS: '1 . alpn="h2,h3" ipv4hint="192.0.2.1" ipv6hint="2001:db8::1"',
  SVCB: '1 dns.example.net. mandatory="alpn" alpn="dot" port="853" key667="a\\"b"',
  TLSA: `3 1 1 ${'ab'.repeat(32)}`,
  SMIMEA: '3 0 0 abcdef',
  SSHFP: `4 2 ${'ab'.repeat(32)}`,
  DS: `2371 13 2 ${'ab'.repeat(32)}`,
  PTR: 'host.example.net.',
  NAPTR: '100 10 "S" "SIP+D2U" "" _sip._udp.example.net.',
  URI: '10 1 "https://www.example.net/"',
  LOC: '52 22 23.000 N 4 53 32.000 E -2.00m 10.00m 10000.00m 10.00m',
  DNAME: 'new.example.net.',
  OPENPGPKEY: 'AAECAw==',
  CERT: '1 0 0 AAECAw==',
  HINFO: '"ARM64" "Linux"',
  DHCID: 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
  TYPE65280: '\\# 4 0a000001',
};

interface SecondarySuite {
  /** The title of the suite. */
  readonly title: string;
  readonly start: (admin: Admin) => Promise<readonly Nameserver[]>;
  /** The number of zones that are registered at once. */
  readonly manyZones: number;
}

/** Tests that a nameserver works as a secondary. */
export function testSecondary({ title, start, manyZones }: SecondarySuite): void {
  describe(title, () => {
    let service: TestService;
    let client: Api;
    let admin: Admin;
    let servers: readonly Nameserver[] = [];

    beforeAll(async () => {
      service = await startService({ DNS_LISTEN: '127.0.0.1:0', PUBLISH_WAIT_MS: '60000', RECORD_TYPES: 'all' });
      client = api(service, await service.key(await service.account()));
      admin = createInProcessAdmin(service);
      servers = await start(admin);
    });

    afterAll(async () => {
      for (const server of servers) await server.stop();
      await service.stop();
    });

    const waitUntilPublished = async (id: string): Promise<void> => {
      for (;;) {
        const { body } = await client.get(`/api/domains/${id}/dns/status`).expect(200);
        if (body.published) return;
        await sleep(POLL_INTERVAL_MS);
      }
    };

    const setStatus = (id: string, status: DomainStatus): Promise<void> =>
      service.container.get(UnitOfWork).run(async ({ domains, zones }) => {
        const domain = await domains.lockAny(id);
        if (!domain) return;
        const changed = inStatus(domain, status);
        await domains.save(changed);
        const by = { actor: SERVICE, at: new Date() };
        await raisePublishedVersions({ domains, zones }, domain.toState(), changed.toState(), by, randomUUID);
      });

    const expectRrsets = async (expected: ReadonlyMap<string, readonly string[]>): Promise<void> => {
      const questions = [...expected.keys()].map((set) => ({
        name: set.split(' ')[0] ?? '',
        type: set.split(' ')[1] ?? '',
      }));
      for (const server of servers) {
        const sets = await server.queryRrsets(questions);
        expect({ server: server.plan.name, sets: only(sets, expected) }).toEqual({
          server: server.plan.name,
          sets: Object.fromEntries(expected),
        });
      }
    };

    it('answers all eight record types with the written content', async () => {
      const name = 'eight-types.com';
      const id = await registered(client, name);
      const expected = new Map<string, string[]>();
      for (const draft of EIGHT_TYPES) {
        const { body } = await client.post(`/api/domains/${id}/dns/records`, draft).expect(201);
        expected.set(`${fullOwnerName(body.name, name)} ${body.type}`, [rdataOf(body)]);
      }

      const { headers } = await client
        .post(`/api/domains/${id}/dns/records?wait=published`, { type: 'A', name: 'last', content: '192.0.2.2' })
        .expect(201);

      expect(headers['zone-published']).toBe('true');
      await expectRrsets(expected.set(`last.${name} A`, ['192.0.2.2']));
      await expectRrsets(new Map([[`${name} NS`, DELEGATION]]));
    });

    it('answers the record types that can be switched on with our octets', async () => {
      const name = 'all-types.com';
      const id = await registered(client, name);
      const create = Object.entries(OTHER_TYPES).flatMap(([type, content], index) => [
        ...(type === 'DS' ? [{ type: 'NS', name: `t${index}`, content: 'ns1.example.net' }] : []),
        { type, name: `t${index}`, content },
      ]);
      await client.post(`/api/domains/${id}/dns/records/batch?wait=published`, { create }).expect(200);

      const expected = new Map(
        Object.entries(OTHER_TYPES).map(([type, content], index) => {
          const octets = wireRdata(type as RecordType, content);
          const number = typeDefinition(type as RecordType).number;
          return [`t${index}.${name} TYPE${number}`, `${octets.length} ${octets.toString('hex')}`];
        }),
      );
      const questions = [...expected.keys()].map((set) => ({
        name: set.split(' ')[0] ?? '',
        type: set.split(' ')[1] ?? '',
      }));
      for (const server of servers) {
        const sets = await server.queryRrsets(questions, '+generic');
        const answered = [...expected.keys()].map((set) => [
          set,
          (sets.get(set) ?? []).map((data) => data.replace('\\# ', '').toLowerCase()).join(),
        ]);
        expect({ server: server.plan.name, answered }).toEqual({ server: server.plan.name, answered: [...expected] });
      }
    });

    describe('with the test vectors of sixteen other projects', () => {
      it('answers every accepted record in its canonical form', async () => {
        const zones = vectorZones('v');
        const ids: string[] = [];
        for (const { name, placed } of zones) {
          const id = await registered(client, name);
          ids.push(id);
          for (const { vector } of placed) await writeVector(client, id, vector);
        }

        for (const id of ids) await waitUntilPublished(id);

        await expectRrsets(
          new Map(
            zones.flatMap(({ name, placed }) =>
              placed.map((one) => [`${one.owner} ${one.vector.type}`, expectedRrset(name, one)] as const),
            ),
          ),
        );
      });
    });

    it('serves changed records, removed records and new nameservers', async () => {
      const name = 'in-motion.com';
      const id = await registered(client, name);
      const records = `/api/domains/${id}/dns/records`;
      const { body: one } = await client.post(records, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
      await client.post(`${records}?wait=published`, { type: 'A', name: 'gone', content: '192.0.2.3' }).expect(201);
      await expectRrsets(
        new Map([
          [`www.${name} A`, ['192.0.2.1']],
          [`gone.${name} A`, ['192.0.2.3']],
        ]),
      );

      await client.put(`${records}/${one.id}`, { content: '192.0.2.2' }).expect(200);
      const { body: list } = await client.get(`${records}?name=gone`).expect(200);
      await client
        .put(`/api/domains/${id}/nameservers`, { nameservers: ['a.example.org', 'b.example.org'] })
        .expect(200);
      await client.delete(`${records}/${list[0].id}?wait=published`).expect(200);

      await expectRrsets(
        new Map([
          [`www.${name} A`, ['192.0.2.2']],
          [`gone.${name} A`, []],
          [`${name} NS`, ['a.example.org.', 'b.example.org.']],
        ]),
      );
    });

    it('drops the zone of a domain in redemption, and serves the zone of the next registration of that name', async () => {
      const name = 'registered-again.com';
      const id = await registered(client, name);
      await client
        .post(`/api/domains/${id}/dns/records?wait=published`, { type: 'A', name: 'www', content: '192.0.2.1' })
        .expect(201);

      const { accountId } = await stateOf(service, id);
      await setStatus(id, 'redemption');
      for (const server of servers)
        while ((await server.querySerial(name)) !== undefined) await sleep(POLL_INTERVAL_MS);
      await setStatus(id, 'pending_delete');
      await setStatus(id, 'gone');
      const next = aDomain({ id: `${id.slice(0, -4)}next`, name, accountId, status: 'pending' });
      await service.container.get(UnitOfWork).run(async ({ domains, zones }) => {
        await domains.add(next);
        await zones.create(next.id, { actor: SERVICE, at: new Date() });
      });
      await setStatus(next.id, 'active');

      await client
        .post(`/api/domains/${next.id}/dns/records?wait=published`, { type: 'A', name: 'www', content: '192.0.2.2' })
        .expect(201);
      await expectRrsets(new Map([[`www.${name} A`, ['192.0.2.2']]]));
    });

    it('serves the changes that were made while it was down', async () => {
      const name = 'during-outage.com';
      const id = await registered(client, name);
      const records = `/api/domains/${id}/dns/records`;
      await client.post(`${records}?wait=published`, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);

      for (const server of servers) await server.kill();
      await client.post(records, { type: 'A', name: 'www', content: '192.0.2.2' }).expect(201);
      const meanwhile = await registered(client, 'registered-during-outage.com');
      for (const server of servers) await server.start();

      await waitUntilPublished(id);
      await waitUntilPublished(meanwhile);
      await expectRrsets(new Map([[`www.${name} A`, ['192.0.2.1', '192.0.2.2']]]));
    });

    it('serves the restored zones after `dns raise-versions` follows the restore of a database backup', async () => {
      const name = 'restored.com';
      const id = await registered(client, name);
      const records = `/api/domains/${id}/dns/records`;
      const backup = await backUp(service);
      for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
        await client.post(`${records}?wait=published`, { type: 'A', name: 'lost', content: address }).expect(201);
      const served = await Promise.all(servers.map((server) => server.querySerial(name)));

      await restoreBackup(service, backup);
      await admin('raise-versions');
      await client.post(`${records}?wait=published`, { type: 'A', name: 'kept', content: '192.0.2.4' }).expect(201);

      await expectRrsets(
        new Map([
          [`lost.${name} A`, []],
          [`kept.${name} A`, ['192.0.2.4']],
        ]),
      );
      for (const [index, server] of servers.entries())
        expect(await server.querySerial(name)).toBeGreaterThan(served[index] ?? NaN);
    });

    it(`serves ${manyZones} zones that are registered at once`, async () => {
      const names = Array.from({ length: manyZones }, (_, index) => `many-${index}.net`);
      const ids = new Map<string, string>();
      const left = [...names];
      const register = async (): Promise<void> => {
        for (let name = left.pop(); name !== undefined; name = left.pop())
          ids.set(name, await registered(client, name));
      };
      await Promise.all(Array.from({ length: 8 }, register));

      for (const id of ids.values()) await waitUntilPublished(id);

      for (const server of servers) {
        const sets = await server.queryRrsets(names.map((name) => ({ name, type: 'NS' })));
        expect(names.filter((name) => !sets.has(`${name} NS`))).toEqual([]);
      }
    });
  });
}

async function writeVector(client: Api, domainId: string, vector: PlacedVector['vector']): Promise<void> {
  const records = `/api/domains/${domainId}/dns/records`;
  for (const draft of vector.existing ?? []) await client.post(records, draft).expect(201);
  const { type, name, content, ttl, priority, weight, port } = vector;
  const { status, body } = await client.post(records, {
    type,
    name,
    content,
    ttl: ttl ?? undefined,
    priority,
    weight,
    port,
  });
  if (status !== 201) throw new Error(`${vector.id} was rejected: ${JSON.stringify(body)}`);
}

function fileOf({ config: { database } }: TestService): string {
  if (database.kind === 'sqlite') return database.file;
  throw new TypeError('the service does not use SQLite');
}

/** Copies the database file. */
async function backUp(service: TestService): Promise<string> {
  const database = new Database(fileOf(service), { readonly: true });
  const copy = `${fileOf(service)}.backup`;
  await database.backup(copy);
  database.close();
  return copy;
}

/**
 * Restores records and zone versions from a copy; leaves other tables unchanged. In another process, as an operator does: the
 * lock that it waits for may be held by a transaction that goes on in this one.
 */
async function restoreBackup(service: TestService, backup: string): Promise<void> {
  const tables = ['dns_records', 'zone_changes', 'zones', 'dns_catalog'];
  const copies = tables.map((table) => `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM backup.${table}`);
  const sql = ['PRAGMA foreign_keys = OFF', `ATTACH '${backup}' AS backup`, 'BEGIN IMMEDIATE', ...copies, 'COMMIT'];
  const script = `new (require('better-sqlite3'))(process.argv[1]).exec(process.argv[2])`;
  await promisify(execFile)(process.execPath, ['-e', script, fileOf(service), sql.join('; ')]);
}

/** The NS RRset at the apex includes the delegation. */
function expectedRrset(zoneName: string, { vector, owner }: PlacedVector): string[] {
  const rdata = vector.canonical_rdata ?? '';
  return owner === zoneName && vector.type === 'NS' ? [...DELEGATION, rdata].toSorted() : [rdata];
}

function rdataOf(body: Record<string, unknown>): string {
  return DnsRecord.fromState({
    priority: null,
    weight: null,
    port: null,
    ...body,
  } as unknown as DnsRecordState).rdata();
}

function only(
  sets: ReadonlyMap<string, string[]>,
  expected: ReadonlyMap<string, readonly string[]>,
): Record<string, readonly string[]> {
  return Object.fromEntries([...expected.keys()].map((key) => [key, sets.get(key) ?? []]));
}

async function stateOf({ container }: TestService, domainId: string): Promise<DomainState> {
  return container.get(UnitOfWork).run(async ({ domains }) => {
    const domain = await domains.lockAny(domainId);
    if (domain) return domain.toState();
    throw new Error(`the domain ${domainId} does not exist`);
  });
}
