import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  uniqueArray,
} from 'fast-check';
import { decode, type Answer } from 'dns-packet';
import { raisePublishedVersions } from '../../../../../src/application/publishing/raise-published-versions';
import { DnsRecord, type RecordDraft } from '../../../../../src/domain/dns/records/dns-record';
import { Domain, type DomainState } from '../../../../../src/domain/registration/domain';
import type { TsigKey } from '../../../../../src/domain/dns/secondaries/tsig-key';
import { ZoneTransfers } from '../../../../../src/infrastructure/nameserver/transfers/zone-transfers';
import { TsigSigner } from '../../../../../src/infrastructure/nameserver/wire/tsig';
import { readQuery, type WireQuery } from '../../../../../src/infrastructure/nameserver/wire/wire-query';
import { aRecord } from '../../../../support/data/a-record';
import { applyTransfer, type ZoneLines } from '../../../../support/nameservers/apply-transfer';
import { requestFor } from '../../../../support/nameservers/primary-client';
import { seeded } from '../../../../support/seeded';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const ZONE = 'example.com';
const CATALOG = 'catalog.example';
const KEY: TsigKey = { name: 'ns1', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 1) };
const TIMERS = { refresh: 3600, retry: 600, expire: 86_400, negative: 300 };
const SETTINGS = { catalogZone: CATALOG, primaryName: undefined, contact: undefined, timers: TIMERS };

type Step =
  | { readonly kind: 'records'; readonly added: readonly Partial<RecordDraft>[]; readonly removed: readonly number[] }
  | { readonly kind: 'delegation'; readonly nameservers: readonly string[] };

const DRAFT = record({
  name: constantFrom('@', 'www', 'a.b', '_zone-version'),
  type: constantFrom('A', 'TXT', 'NS'),
  content: integer({ min: 1, max: 5 }),
  ttl: constantFrom(60, 300, 3600, 7200),
});
const STEP: Arbitrary<Step> = oneof(
  {
    weight: 6,
    arbitrary: record({
      kind: constant('records' as const),
      added: array(
        DRAFT.map(({ content, ...draft }) => ({
          ...draft,
          content:
            { A: `192.0.2.${content}`, TXT: `text ${content}`, NS: `ns${content}.example.net` }[draft.type] ?? '',
        })),
        { maxLength: 4 },
      ),
      removed: array(nat({ max: 40 }), { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: record({
      kind: constant('delegation' as const),
      nameservers: uniqueArray(integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 3 }).map((numbers) =>
        numbers.map((number) => `ns${number}.example.net`),
      ),
    }),
  },
);

describe('a transfer', () => {
  let around: UseCaseContext;
  let transfers: ZoneTransfers;
  let domain: Domain;
  let ids = 0;

  beforeEach(async () => {
    around = new UseCaseContext();
    await setUp();
  });

  async function setUp(): Promise<void> {
    const { clock, storage } = around;
    transfers = new ZoneTransfers({
      zones: storage.publishedZones,
      directory: storage.secondaryDirectory,
      settings: SETTINGS,
      clock,
    });
    domain = await around.givenDomain();
  }

  async function pull(type: 'AXFR' | 'IXFR', name: string, serial?: number): Promise<readonly Answer[]> {
    const messages: Buffer[] = [];
    const request = requestFor(serial === undefined ? { type, name } : { type, name, serial });
    const channel = {
      transport: 'tcp' as const,
      address: '192.0.2.1',
      send: async (message: Buffer) => void messages.push(message),
      markAuthenticated: () => undefined,
    };
    await transfers.send(readQuery(request) as WireQuery, channel, new TsigSigner(KEY, Buffer.alloc(32)));
    return messages.flatMap((message) => decode(message).answers ?? []);
  }

  async function wholeZone(name = ZONE): Promise<ZoneLines> {
    return applyTransfer(new Set(), await pull('AXFR', name)).zone;
  }

  async function ixfrOverUdp(name: string, serial: number, size = 1_232): Promise<readonly Answer[]> {
    const query = readQuery(requestFor({ type: 'IXFR', name, serial })) as WireQuery;
    const response = await transfers.answerOverUdp(query, ({ length }) => length <= size);
    return decode(response ?? Buffer.alloc(0)).answers ?? [];
  }

  const serialNow = async () => (await around.storage.publishedZones.find(ZONE))?.serial ?? Number.NaN;

  async function write(added: readonly DnsRecord[], removed: readonly DnsRecord[] = []): Promise<void> {
    await around.storage.run(async ({ zones }) => {
      const zone = await zones.lock(domain.id);
      const by = { actor: OURS.actor, at: around.clock.now() };
      if (zone) await zones.apply([{ zone, change: { added, changed: [], removed }, by }]);
    });
  }

  const create = (draft: Partial<RecordDraft>): DnsRecord => aRecord(draft, `rec_${(ids += 1)}`);

  async function changeDomain(part: Partial<DomainState>, { id } = domain): Promise<void> {
    await around.storage.run(async ({ domains, zones }) => {
      const before = (await domains.lockAny(id))?.toState();
      if (!before) return;
      const after = { ...before, ...part };
      await domains.save(Domain.fromState(after));
      const by = { actor: OURS.actor, at: around.clock.now() };
      await raisePublishedVersions({ domains, zones }, before, after, by, () => `rec_${(ids += 1)}`);
    });
  }

  it('leads from any earlier version to the current zone, whatever changed in between', async () => {
    const kinds = { 'single SOA': 0, AXFR: 0, IXFR: 0 };
    await assert(
      asyncProperty(array(STEP, { minLength: 1, maxLength: 12 }), boolean(), async (steps, signs) => {
        around = new UseCaseContext();
        await setUp();
        await around.storage.secondaryDirectory.addKey(KEY, around.clock.now());
        const endpoint = { address: '127.0.0.1', port: 9 };
        await around.storage.secondaryDirectory.add({
          name: 'ns1',
          endpoint,
          keyName: KEY.name,
          signs,
          createdAt: around.clock.now(),
        });
        await write(Array.from({ length: 20 }, (_, index) => create({ name: `filler-${index}` })));
        const past = new Map([[await serialNow(), await wholeZone()]]);
        for (const step of steps) {
          if (step.kind === 'delegation') {
            await changeDomain({ nameservers: step.nameservers });
          } else {
            const stored = (around.storage.tables.zones.get(domain.id)?.records ?? [])
              .filter(({ name }) => !name.startsWith('filler'))
              .map((state) => DnsRecord.fromState(state));
            const removed = [...new Set(step.removed)].flatMap((at) => stored.slice(at, at + 1));
            const known = new Set(stored.filter((each) => !removed.includes(each)).map((each) => each.identity()));
            const added = step.added.map(create).filter((each) => known.size < known.add(each.identity()).size);
            if (added.length + removed.length > 0) await write(added, removed);
          }
          past.set(await serialNow(), await wholeZone());
        }
        const now = await wholeZone();
        for (const [serial, zone] of past) {
          const result = applyTransfer(zone, await pull('IXFR', ZONE, serial));
          expect([...result.zone].toSorted()).toEqual([...now].toSorted());
          kinds[result.kind] += 1;
        }
      }),
      seeded(10),
    );
    expect(kinds.IXFR).toBeGreaterThan(10 * kinds.AXFR);
  });

  it('sends the changes since the serial of the client as one difference, without what was undone', async () => {
    await write(Array.from({ length: 20 }, (_, index) => create({ name: `filler-${index}` })));
    const from = await serialNow();
    const [kept, undone] = [create({ name: 'kept' }), create({ name: 'undone' })];
    await write([kept, undone]);
    await write([], [undone]);

    const answers = await pull('IXFR', ZONE, from);

    expect(answers.map(({ name, type }) => `${name} ${type}`)).toEqual([
      `${ZONE} SOA`,
      `${ZONE} SOA`,
      `${ZONE} SOA`,
      `kept.${ZONE} A`,
      `${ZONE} SOA`,
    ]);
    expect(serials(answers)).toEqual([from + 2, from, from + 2, from + 2]);
  });

  it('replaces a whole RRset if one of its records changes the TTL of the others', async () => {
    await write([create({ ttl: 300 }), create({ content: '192.0.2.2', ttl: 900 })]);
    const from = await serialNow();
    await write([create({ content: '192.0.2.3', ttl: 60 })]);

    const answers = await pull('IXFR', ZONE, from);

    expect(answers.map((answer) => ('ttl' in answer ? `${answer.ttl} ${answer.type}` : ''))).toEqual([
      '3600 SOA',
      '3600 SOA',
      '300 A',
      '300 A',
      '3600 SOA',
      '60 A',
      '60 A',
      '60 A',
      '3600 SOA',
    ]);
  });

  it('replaces the nameservers and the SOA that names one of them', async () => {
    await write(Array.from({ length: 5 }, (_, index) => create({ name: `filler-${index}` })));
    const [from, before] = [await serialNow(), await wholeZone()];
    await changeDomain({ nameservers: ['a.example.org', 'b.example.org'] });

    const result = applyTransfer(before, await pull('IXFR', ZONE, from));

    expect(result).toEqual({ kind: 'IXFR', zone: await wholeZone() });
  });

  it('is of the whole zone if that is shorter than the difference', async () => {
    const records = [1, 2, 3, 4].map((number) => create({ content: `192.0.2.${number}` }));
    await write(records);
    const from = await serialNow();
    await write([], records);

    expect(applyTransfer(new Set(), await pull('IXFR', ZONE, from)).kind).toBe('AXFR');
  });

  it('is of the whole zone if a version is missing in the history', async () => {
    const from = await serialNow();
    await write([create({})]);
    await around.storage.secondaryDirectory.raiseVersions(1_000);
    const restored = await serialNow();
    await write([create({ content: '192.0.2.2' })]);

    expect(applyTransfer(new Set(), await pull('IXFR', ZONE, from)).kind).toBe('AXFR');
    expect(applyTransfer(new Set(), await pull('IXFR', ZONE, restored - 1)).kind).toBe('AXFR');
    expect((await pull('IXFR', ZONE, restored)).filter(({ type }) => type === 'SOA')).toHaveLength(4);
  });

  it('is the difference over UDP if one message holds it, otherwise the SOA alone', async () => {
    const from = await serialNow();
    await write([create({})]);

    const answers = await ixfrOverUdp(ZONE, from);

    expect(answers).toEqual(await pull('IXFR', ZONE, from));
    expect((await ixfrOverUdp(ZONE, from, 200)).map(({ type }) => type)).toEqual(['SOA']);
    expect((await ixfrOverUdp(ZONE, from + 1)).map(({ type }) => type)).toEqual(['SOA']);
  });

  it('sends, of the catalog, the members that joined and left since the serial of the client', async () => {
    const { storage } = around;
    const others = await Promise.all(
      [1, 2, 3].map((number) => around.givenDomain({ id: `dom_other${number}`, name: `other-${number}.com` })),
    );
    const [stays, leaves, flaps] = others as [Domain, Domain, Domain];
    await changeDomain({ status: 'redemption' }, stays);
    const [from, before] = [await storage.publishedZones.catalogVersion(), await wholeZone(CATALOG)];
    await changeDomain({ status: 'active' }, stays);
    await changeDomain({ status: 'redemption' }, leaves);
    await changeDomain({ status: 'redemption' }, flaps);
    await changeDomain({ status: 'active' }, flaps);

    const answers = await pull('IXFR', CATALOG, from);

    expect(applyTransfer(before, answers)).toEqual({ kind: 'IXFR', zone: await wholeZone(CATALOG) });
    expect(answers.filter(({ type }) => type === 'PTR').map((answer) => 'data' in answer && answer.data)).toEqual([
      'other-2.com',
      'other-1.com',
    ]);
    expect(await ixfrOverUdp(CATALOG, from)).toEqual(answers);
  });

  it('sends the whole catalog if a version is missing in the history', async () => {
    const from = await around.storage.publishedZones.catalogVersion();
    await around.storage.secondaryDirectory.raiseVersions(1_000);

    expect(applyTransfer(new Set(), await pull('IXFR', CATALOG, from)).kind).toBe('AXFR');
    expect((await ixfrOverUdp(CATALOG, from)).map(({ type }) => type)).toEqual(['SOA']);
  });
});

function serials(answers: readonly Answer[]): readonly (number | undefined)[] {
  return answers.flatMap((answer) => (answer.type === 'SOA' ? [answer.data.serial] : []));
}
