import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { SERVICE } from '../../../src/domain/access/actor';
import { DnsRecord, type DnsRecordState } from '../../../src/domain/dns/records/dns-record';
import { fullName } from '../../../src/domain/dns/records/record-name';
import type { DomainState } from '../../../src/domain/registration/domain';
import type { DomainStatus } from '../../../src/domain/registration/domain-status';
import { aDomain, inStatus } from '../data/a-domain';
import type { Nameserver } from './nameserver';
import { createInProcessAdmin, type Admin } from './primary';
import { api, registered, startService, type Api, type TestService } from '../service/service';
import { vectorZones, type PlacedVector } from '../data/vector-zones';
import { VECTORS_MISSING } from '../data/record-vectors';
import { describeOrSkip } from '../describe-or-skip';

const LOOK_EVERY_MS = 20;
/** Of a domain that is registered without nameservers. */
const DELEGATION = ['ns1.namewright.example.', 'ns2.namewright.example.'];

const EIGHT_TYPES = [
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

export interface SecondarySuite {
  /** Of a kind, as a title begins with it. */
  readonly kind: string;
  readonly start: (admin: Admin) => Promise<readonly Nameserver[]>;
  /** How many zones it is to take up at once. */
  readonly manyZones: number;
}

/** What any nameserver does that is a secondary of ours. */
export function testSecondary({ kind, start, manyZones }: SecondarySuite): void {
  describe(kind, () => {
    let service: TestService;
    let client: Api;
    let admin: Admin;
    let servers: readonly Nameserver[] = [];

    beforeAll(async () => {
      service = await startService({ DNS_LISTEN: '127.0.0.1:0', PUBLISH_WAIT_MS: '60000' });
      client = api(service, await service.key(await service.account()));
      admin = createInProcessAdmin(service);
      servers = await start(admin);
    });

    afterAll(async () => {
      for (const server of servers) await server.stop();
      await service.stop();
    });

    const untilLive = async (id: string): Promise<void> => {
      for (;;) {
        const { body } = await client.get(`/api/domains/${id}/dns/status`).expect(200);
        if (body.published) return;
        await sleep(LOOK_EVERY_MS);
      }
    };

    const move = (id: string, status: DomainStatus): Promise<void> =>
      service.container.get<UnitOfWork>(UnitOfWork).run(async ({ domains }) => {
        const domain = await domains.lockAny(id);
        if (domain) await domains.save(inStatus(domain, status));
      });

    const expectSets = async (expected: ReadonlyMap<string, readonly string[]>): Promise<void> => {
      const questions = [...expected.keys()].map((set) => ({
        name: set.split(' ')[0] ?? '',
        type: set.split(' ')[1] ?? '',
      }));
      for (const server of servers) {
        const sets = await server.sets(questions);
        expect({ server: server.plan.name, sets: only(sets, expected) }).toEqual({
          server: server.plan.name,
          sets: Object.fromEntries(expected),
        });
      }
    };

    it('answers records of all eight types as they were written', async () => {
      const name = 'eight-types.com';
      const id = await registered(client, name);
      const expected = new Map<string, string[]>();
      for (const draft of EIGHT_TYPES) {
        const { body } = await client.post(`/api/domains/${id}/dns/records`, draft).expect(201);
        expected.set(`${fullName(body.name, name)} ${body.type}`, [rdataOf(body)]);
      }

      const { headers } = await client
        .post(`/api/domains/${id}/dns/records?wait=published`, { type: 'A', name: 'last', content: '192.0.2.2' })
        .expect(201);

      expect(headers['zone-published']).toBe('true');
      await expectSets(expected.set(`last.${name} A`, ['192.0.2.2']));
      await expectSets(new Map([[`${name} NS`, DELEGATION]]));
    });

    describeOrSkip(VECTORS_MISSING)('of the vectors of sixteen other projects', () => {
      it('answers every accepted one in its canonical form', async () => {
        const zones = vectorZones('v');
        const ids: string[] = [];
        for (const { name, placed } of zones) {
          const id = await registered(client, name);
          ids.push(id);
          for (const { vector } of placed) await writeVector(client, id, vector);
        }

        for (const id of ids) await untilLive(id);

        await expectSets(
          new Map(
            zones.flatMap(({ name, placed }) =>
              placed.map((one) => [`${one.owner} ${one.vector.type}`, setOf(name, one)] as const),
            ),
          ),
        );
      });
    });

    it('follows changes, removals and a new delegation', async () => {
      const name = 'in-motion.com';
      const id = await registered(client, name);
      const records = `/api/domains/${id}/dns/records`;
      const { body: one } = await client.post(records, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
      await client.post(`${records}?wait=published`, { type: 'A', name: 'gone', content: '192.0.2.3' }).expect(201);
      await expectSets(
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

      await expectSets(
        new Map([
          [`www.${name} A`, ['192.0.2.2']],
          [`gone.${name} A`, []],
          [`${name} NS`, ['a.example.org.', 'b.example.org.']],
        ]),
      );
    });

    it('forgets a domain that has lapsed, and begins anew with the next one of that name', async () => {
      const name = 'born-again.com';
      const id = await registered(client, name);
      await client
        .post(`/api/domains/${id}/dns/records?wait=published`, { type: 'A', name: 'www', content: '192.0.2.1' })
        .expect(201);

      const { accountId } = await stateOf(service, id);
      await move(id, 'redemption');
      for (const server of servers) while ((await server.serial(name)) !== undefined) await sleep(LOOK_EVERY_MS);
      await move(id, 'pending_delete');
      await move(id, 'gone');
      const next = aDomain({ id: `${id.slice(0, -4)}next`, name, accountId, status: 'pending' });
      await service.container.get<UnitOfWork>(UnitOfWork).run(async ({ domains, zones }) => {
        await domains.add(next);
        await zones.create(next.id, { actor: SERVICE, at: new Date() });
      });
      await move(next.id, 'active');

      await client
        .post(`/api/domains/${next.id}/dns/records?wait=published`, { type: 'A', name: 'www', content: '192.0.2.2' })
        .expect(201);
      await expectSets(new Map([[`www.${name} A`, ['192.0.2.2']]]));
    });

    it('catches up with what it missed while it was dead', async () => {
      const name = 'while-away.com';
      const id = await registered(client, name);
      const records = `/api/domains/${id}/dns/records`;
      await client.post(`${records}?wait=published`, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);

      for (const server of servers) await server.kill();
      await client.post(records, { type: 'A', name: 'www', content: '192.0.2.2' }).expect(201);
      const meanwhile = await registered(client, 'born-meanwhile.com');
      for (const server of servers) await server.start();

      await untilLive(id);
      await untilLive(meanwhile);
      await expectSets(new Map([[`www.${name} A`, ['192.0.2.1', '192.0.2.2']]]));
    });

    it('takes up what an older back-up goes on to, once versions were raised', async () => {
      const name = 'restored.com';
      const id = await registered(client, name);
      const records = `/api/domains/${id}/dns/records`;
      const backup = await backUp(service);
      for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
        await client.post(`${records}?wait=published`, { type: 'A', name: 'lost', content: address }).expect(201);
      const served = await Promise.all(servers.map((server) => server.serial(name)));

      restore(service, backup);
      await admin('raise-versions');
      await client.post(`${records}?wait=published`, { type: 'A', name: 'kept', content: '192.0.2.4' }).expect(201);

      await expectSets(
        new Map([
          [`lost.${name} A`, []],
          [`kept.${name} A`, ['192.0.2.4']],
        ]),
      );
      for (const [index, server] of servers.entries())
        expect(await server.serial(name)).toBeGreaterThan(served[index] ?? NaN);
    });

    it(`takes up ${manyZones} new zones`, async () => {
      const names = Array.from({ length: manyZones }, (_, index) => `many-${index}.net`);
      const ids = new Map<string, string>();
      const left = [...names];
      const register = async (): Promise<void> => {
        for (let name = left.pop(); name !== undefined; name = left.pop())
          ids.set(name, await registered(client, name));
      };
      await Promise.all(Array.from({ length: 8 }, register));

      for (const id of ids.values()) await untilLive(id);

      for (const server of servers) {
        const sets = await server.sets(names.map((name) => ({ name, type: 'NS' })));
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
  if (status !== 201) throw new Error(`${vector.id} is refused: ${JSON.stringify(body)}`);
}

function fileOf({ config: { database } }: TestService): string {
  if (database.kind === 'sqlite') return database.file;
  throw new TypeError('the service is on another database');
}

/** What the zones are, as a back-up would hold it. */
async function backUp(service: TestService): Promise<string> {
  const database = new Database(fileOf(service), { readonly: true });
  const copy = `${fileOf(service)}.backup`;
  await database.backup(copy);
  database.close();
  return copy;
}

/** Brings records and versions back as they were; what else there is may stay. */
function restore(service: TestService, backup: string): void {
  const database = new Database(fileOf(service));
  database.pragma('foreign_keys = OFF');
  database.exec(`ATTACH '${backup}' AS backup; BEGIN IMMEDIATE`);
  for (const table of ['dns_records', 'zone_changes', 'zones', 'dns_catalog'])
    database.exec(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM backup.${table}`);
  database.exec('COMMIT');
  database.close();
}

/** What is asked of the root has the delegation in its set, too. */
function setOf(zoneName: string, { vector, owner }: PlacedVector): string[] {
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
  return container.get<UnitOfWork>(UnitOfWork).run(async ({ domains }) => {
    const domain = await domains.lockAny(domainId);
    if (domain) return domain.toState();
    throw new Error(`there is no domain ${domainId}`);
  });
}
