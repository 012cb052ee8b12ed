import { DnsRecord, type DnsRecordState, type RecordDraft } from '../../../src/domain/dns/records/dns-record';
import { RecordConflict } from '../../../src/domain/dns/dns-errors';
import type { ZoneRepository } from '../../../src/application/ports/dns/zone-repository';
import type { ZoneChange } from '../../../src/domain/dns/zone-change';
import { after, allOf, anAccount, BY, fresh, type StorageUnderTest, storedDomain, T0 } from '../storage-under-test';

const ZONE = 'example.com';
const NOTHING: ZoneChange = { added: [], changed: [], removed: [] };

function aRecord(draft: Partial<RecordDraft> = {}, at = T0): DnsRecord {
  return DnsRecord.create({ type: 'A', name: 'www', content: '192.0.2.1', ...draft }, ZONE, fresh('rec_'), at);
}

async function recordsAt(
  zones: ZoneRepository,
  domainId: string,
  names: readonly string[],
): Promise<readonly DnsRecord[]> {
  return (await zones.recordsAt([{ domainId, names }])).get(domainId) ?? [];
}

/** What every store of zones must do. */
export function zoneRepositoryContract(storage: () => StorageUnderTest): void {
  async function aZone(...records: readonly DnsRecord[]): Promise<string> {
    const { id } = await storedDomain(storage(), await anAccount(storage()));
    await storage().unitOfWork.run(({ zones }) => zones.create(id, BY));
    if (records.length > 0) await apply(id, { ...NOTHING, added: records });
    return id;
  }

  const lock = (domainId: string) => storage().unitOfWork.run(({ zones }) => zones.lock(domainId));
  const apply = (domainId: string, change: ZoneChange) =>
    storage().unitOfWork.run(async ({ zones }) => {
      const zone = await zones.lock(domainId);
      if (!zone) throw new Error(`there is no zone of ${domainId}`);
      return (await zones.apply([{ zone, change, by: BY }]))[0];
    });
  const contents = async (domainId: string) =>
    (await storage().records.page(domainId, {}, 100)).map(({ content }) => content);

  describe('zones', () => {
    it('starts empty, at version 1', async () => {
      const domainId = await aZone();

      expect(await lock(domainId)).toEqual({ domainId, version: 1, serial: 1, recordCount: 0 });
      expect(await storage().records.page(domainId, {}, 10)).toEqual([]);
    });

    it('has no zone for a domain without one', async () => {
      expect(await lock('dom_unknown')).toBeUndefined();
      expect(await storage().records.find('dom_unknown')).toBeUndefined();
    });

    it('find the addresses of a zone that ask for a PTR record', async () => {
      const [one, two] = [aRecord({ ptr: true }), aRecord({ type: 'AAAA', content: '2001:db8::1', ptr: true })];
      const zones = [await aZone(one, aRecord({ content: '192.0.2.9' })), await aZone(two), await aZone(aRecord())];

      const found = await Promise.all(zones.map((id) => storage().records.withPtr(id)));

      expect(found.map((records) => records.map(({ id }) => id))).toEqual([[one.id], [two.id], []]);
      expect(await storage().records.countWithPtr(zones)).toBe(2);
    });

    it('tell of several zones their counters and whether DNSSEC is on', async () => {
      const [one, two] = [await aZone(aRecord()), await aZone()];

      expect(await storage().records.facts([one, two, 'dom_unknown'])).toEqual(
        new Map([
          [one, { version: 2, serial: 2, recordCount: 1, signing: 'off' }],
          [two, { version: 1, serial: 1, recordCount: 0, signing: 'off' }],
        ]),
      );
      expect(await storage().records.facts([])).toEqual(new Map());
    });

    it('shows its version only to the account that currently has the domain', async () => {
      const [owner, stranger] = [await anAccount(storage()), await anAccount(storage())];
      const [{ id }, gone] = [
        await storedDomain(storage(), owner),
        await storedDomain(storage(), owner, { status: 'gone' }),
      ];
      for (const domainId of [id, gone.id]) await storage().unitOfWork.run(({ zones }) => zones.create(domainId, BY));

      const versions = [
        storage().records.findFor(owner, id),
        storage().records.findFor(stranger, id),
        storage().records.findFor(owner, gone.id),
      ];

      expect(await Promise.all(versions)).toEqual([
        { version: 1, serial: 1, name: expect.any(String), tags: [] },
        undefined,
        undefined,
      ]);
    });

    it('returns every type of record as it was written', async () => {
      const records = [
        aRecord(),
        aRecord({ type: 'AAAA', name: '@', content: '2001:db8::1', ttl: 60 }, after(1)),
        aRecord({ type: 'MX', name: '@', content: 'mail.example.net', priority: 0 }, after(2)),
        aRecord(
          {
            type: 'SRV',
            name: '_sip._tcp',
            content: 'sip.example.net',
            priority: 10,
            weight: 0,
            port: 5060,
            ttl: 604_800,
          },
          after(3),
        ),
        aRecord({ type: 'TXT', name: '*.Under', content: `One ß 🦆 ${'x'.repeat(3000)}` }, after(4)),
      ];

      const domainId = await aZone(...records);

      expect(await storage().records.page(domainId, {}, 10)).toEqual(records.map((record) => record.toState()));
      expect(
        (await storage().unitOfWork.run(({ zones }) => zones.findRecords(domainId, [records[4]!.id])))[0]?.toState(),
      ).toEqual(records[4]?.toState());
    });

    it('keeps the form in which a record was written, in the zone and in its history', async () => {
      const record = aRecord({ type: 'TXT', content: 'a' }).writtenAs(String.raw`"\097"`);
      const [canonical, unwritten] = [record.writtenAs('"a"'), aRecord({ type: 'TXT', content: 'b' })];
      const domainId = await aZone(record, unwritten);
      const formsOf = async () =>
        (await storage().records.page(domainId, {}, 10)).map((state) => DnsRecord.fromState(state).writtenRdata());
      const first = await formsOf();

      await apply(domainId, { ...NOTHING, changed: [{ before: record, after: canonical }] });

      expect(first.toSorted()).toEqual([String.raw`"\097"`, '"b"']);
      expect((await formsOf()).toSorted()).toEqual(['"a"', '"b"']);
      const change = (await storage().zoneHistory.smallChanges(domainId, [3])).get(3);
      expect(change?.[0]?.before).toEqual(record.toState());
    });

    it('keeps comments and ptr with records and in the history, and leaves the serial as it is if only they change', async () => {
      const comment = `Büro; "x" 🦆 <b>${'🦆'.repeat(480)}`;
      const [record, other] = [aRecord({ comment, managedBy: 'octodns', ptr: true }), aRecord({ name: 'other' })];
      const domainId = await aZone(record, other);
      const plain = record.copy();
      plain.change({ comment: null, managedBy: '', ptr: false }, ZONE, after(1));
      expect(await storage().records.record(domainId, record.id)).toMatchObject({ ptr: true });
      const changedSince = async () => {
        const names: string[] = [];
        for await (const zones of storage().publishedZones.changedSince(new Date(0)))
          names.push(...zones.filter((zone) => zone.domainId === domainId).map(({ changedAt }) => String(changedAt)));
        return names;
      };
      const since = await changedSince();

      const answered = await apply(domainId, { ...NOTHING, changed: [{ before: record, after: plain }] });

      expect(answered).toEqual({ domainId, version: 3, serial: 2, recordCount: 2 });
      expect(await lock(domainId)).toEqual(answered);
      expect(await changedSince()).toEqual(since);
      const [stored] = (await storage().records.page(domainId, {}, 10)).filter(({ id }) => id === record.id);
      expect([stored?.comment ?? null, stored?.managedBy ?? null, stored?.ptr]).toEqual([null, null, undefined]);
      const change = (await storage().zoneHistory.smallChanges(domainId, [3])).get(3);
      expect(change?.[0]?.before).toMatchObject({ comment, managedBy: 'octodns', ptr: true });
      expect(await apply(domainId, { ...NOTHING, removed: [plain] })).toMatchObject({ version: 4, serial: 3 });
    });

    it('raises the serial by the changes that are served if one transaction has others, too', async () => {
      const record = aRecord();
      const domainId = await aZone(record);
      const commented = record.copy();
      commented.change({ comment: 'web server' }, ZONE, after(1));
      const served = commented.copy();
      served.change({ ttl: 300 }, ZONE, after(2));
      const changes = [
        { before: record, after: commented },
        { before: commented, after: served },
      ];

      await storage().unitOfWork.run(async ({ zones }) => {
        const zone = (await zones.lock(domainId))!;
        await zones.apply([
          { zone, change: { ...NOTHING, changed: [changes[0]!] }, by: BY },
          { zone: { ...zone, version: 3 }, change: { ...NOTHING, changed: [changes[1]!] }, by: BY },
        ]);
      });

      expect(await lock(domainId)).toEqual({ domainId, version: 4, serial: 3, recordCount: 1 });
    });

    it('raises the version by one and counts the records with every change', async () => {
      const [first, second, third] = [aRecord(), aRecord({ content: '192.0.2.2' }), aRecord({ content: '192.0.2.3' })];
      const domainId = await aZone(first, second);
      const before = DnsRecord.fromState(first.toState());
      first.change({ ttl: 300 }, ZONE, after(1));

      const answered = await apply(domainId, {
        added: [third],
        changed: [{ before, after: first }],
        removed: [second],
      });

      expect(answered).toEqual({ domainId, version: 3, serial: 3, recordCount: 2 });
      expect(await lock(domainId)).toEqual(answered);
      expect(await storage().records.find(domainId)).toEqual(answered);
      expect((await storage().records.page(domainId, {}, 10)).map(({ id, ttl }) => [id, ttl])).toEqual([
        [first.id, 300],
        [third.id, 3600],
      ]);
    });

    it('confirms records without a new version or history entry', async () => {
      const [first, second, third] = [aRecord(), aRecord({ content: '192.0.2.2' }), aRecord({ content: '192.0.2.3' })];
      const domainId = await aZone(first, second, third);
      const elsewhere = await aZone(aRecord());
      const before = await storage().zoneHistory.page(domainId, 10);

      await storage().unitOfWork.run(({ zones }) => zones.confirm(domainId, [first.id, third.id], after(5)));
      await storage().unitOfWork.run(({ zones }) => zones.confirm(elsewhere, [second.id], after(6)));

      const records = await storage().records.page(domainId, {}, 10);
      expect(new Map(records.map((record) => [record.id, record]))).toEqual(
        new Map([
          [first.id, { ...first.toState(), updatedAt: after(5) }],
          [second.id, second.toState()],
          [third.id, { ...third.toState(), updatedAt: after(5) }],
        ]),
      );
      expect(await lock(domainId)).toEqual({ domainId, version: 2, serial: 2, recordCount: 3 });
      expect(await storage().zoneHistory.page(domainId, 10)).toEqual(before);
    });

    it('raises the serial alone, and both from then on', async () => {
      const domainId = await aZone();
      const history = await storage().zoneHistory.page(domainId, 10);

      await storage().unitOfWork.run(({ zones }) => zones.raiseSerial(domainId));
      const raised = await lock(domainId);
      await apply(domainId, { ...NOTHING, added: [aRecord()] });

      expect(raised).toEqual({ domainId, version: 1, serial: 2, recordCount: 0 });
      expect(await lock(domainId)).toEqual({ domainId, version: 2, serial: 3, recordCount: 1 });
      expect((await storage().zoneHistory.page(domainId, 10)).slice(1)).toEqual(history);
    });

    it('locks those of several zones that exist', async () => {
      const [first, second] = [await aZone(aRecord()), await aZone()];

      const locked = await storage().unitOfWork.run(({ zones }) => zones.lockFree([second, 'dom_unknown', first]));

      expect(new Map(locked)).toEqual(
        new Map([
          [first, { domainId: first, version: 2, serial: 2, recordCount: 1 }],
          [second, { domainId: second, version: 1, serial: 1, recordCount: 0 }],
        ]),
      );
      expect(await storage().unitOfWork.run(({ zones }) => zones.lockFree([]))).toEqual(new Map());
    });

    it('writes changes of several zones at once without mixing them', async () => {
      const [doomed, kept] = [aRecord(), aRecord({ name: 'kept' })];
      const [growing, shrinking, steady] = [await aZone(), await aZone(doomed, kept), await aZone(aRecord())];
      const [one, two] = [aRecord(), aRecord({ name: 'two' })];

      const [answered, there] = await storage().unitOfWork.run(async ({ zones }) => {
        const free = await zones.lockFree([growing, shrinking, steady]);
        const change = (domainId: string, part: Partial<ZoneChange>) => ({
          zone: free.get(domainId)!,
          change: { ...NOTHING, ...part },
          by: BY,
        });
        const raised = await zones.apply([
          change(growing, { added: [one, two] }),
          change(shrinking, { removed: [doomed] }),
          change(steady, {}),
        ]);
        return [
          raised,
          await zones.recordsAt([
            { domainId: shrinking, names: ['www', 'kept'] },
            { domainId: growing, names: ['two', 'kept'] },
            { domainId: steady, names: [] },
          ]),
        ] as const;
      });

      expect(answered).toEqual([
        { domainId: growing, version: 2, serial: 2, recordCount: 2 },
        { domainId: shrinking, version: 3, serial: 3, recordCount: 1 },
        { domainId: steady, version: 3, serial: 3, recordCount: 1 },
      ]);
      for (const zone of answered) expect(await lock(zone.domainId)).toEqual(zone);
      expect([growing, shrinking, steady].map((id) => there.get(id)?.map(({ name }) => name))).toEqual([
        ['two'],
        ['kept'],
        [],
      ]);
      const history = await storage().zoneHistory.withPast({ accountId: 'acc_1', domainId: growing }, (past) =>
        past.changesOf(2),
      );
      expect(history).toMatchObject([
        { before: null, after: one.toState() },
        { before: null, after: two.toState() },
      ]);
    });

    it('writes several changes of one zone in their order, each with its version', async () => {
      const [first, second] = [aRecord(), aRecord({ name: 'second' })];
      const domainId = await aZone(first, second);
      const [passing, lasting] = [aRecord({ name: 'passing' }), aRecord({ name: 'lasting' })];
      const changed = DnsRecord.fromState(first.toState());
      changed.change({ content: '192.0.2.7' }, ZONE, after(1));
      const again = DnsRecord.fromState(changed.toState());
      again.change({ content: '192.0.2.8' }, ZONE, after(2));
      const changes: Partial<ZoneChange>[] = [
        { added: [passing, lasting] },
        { changed: [{ before: first, after: changed }] },
        { changed: [{ before: changed, after: again }], removed: [passing] },
        { removed: [second] },
      ];
      const growth = [0, 2, 2, 1];

      const raised = await storage().unitOfWork.run(async ({ zones }) => {
        const zone = (await zones.lock(domainId))!;
        return zones.apply(
          changes.map((change, index) => ({
            zone: {
              domainId,
              version: zone.version + index,
              serial: zone.serial + index,
              recordCount: zone.recordCount + growth[index]!,
            },
            change: { ...NOTHING, ...change },
            by: BY,
          })),
        );
      });

      expect(raised.map(({ version, recordCount }) => [version, recordCount])).toEqual([
        [3, 4],
        [4, 4],
        [5, 3],
        [6, 2],
      ]);
      expect(await lock(domainId)).toEqual({ domainId, version: 6, serial: 6, recordCount: 2 });
      const records = await storage().records.page(domainId, {}, 10);
      expect(new Map(records.map((record) => [record.id, record]))).toEqual(
        new Map([
          [first.id, again.toState()],
          [lasting.id, lasting.toState()],
        ]),
      );
      const kept = await storage().zoneHistory.withPast({ accountId: 'acc_1', domainId }, (past) =>
        Promise.all([3, 4, 5, 6].map(async (version) => (await past.changesOf(version)).length)),
      );
      expect(kept).toEqual([2, 1, 2, 1]);
    });

    it('refuses an identical record and leaves the zone unchanged', async () => {
      const domainId = await aZone(aRecord());

      await expect(
        apply(domainId, { ...NOTHING, added: [aRecord({ content: '192.0.2.9' }), aRecord({ ttl: 60 })] }),
      ).rejects.toThrow(RecordConflict);

      expect(await lock(domainId)).toEqual({ domainId, version: 2, serial: 2, recordCount: 1 });
      expect(await contents(domainId)).toEqual(['192.0.2.1']);
    });

    it('refuses a change that makes two records identical', async () => {
      const twin = aRecord({ content: '192.0.2.2' });
      const domainId = await aZone(aRecord(), twin);
      const before = DnsRecord.fromState(twin.toState());
      twin.change({ content: '192.0.2.1' }, ZONE, after(1));

      await expect(apply(domainId, { ...NOTHING, changed: [{ before, after: twin }] })).rejects.toThrow(RecordConflict);

      expect((await contents(domainId)).toSorted()).toEqual(['192.0.2.1', '192.0.2.2']);
    });

    it('lets a record take the place of one that is removed in the same change', async () => {
      const former = aRecord();
      const domainId = await aZone(former);
      const successor = aRecord();

      await apply(domainId, { ...NOTHING, added: [successor], removed: [former] });

      expect((await storage().records.page(domainId, {}, 10)).map(({ id }) => id)).toEqual([successor.id]);
    });

    it('distinguishes texts that differ in case or in trailing spaces', async () => {
      const texts = ['one', 'One', 'one ', ' one'];

      const domainId = await aZone(...texts.map((content, index) => aRecord({ type: 'TXT', content }, after(index))));

      expect(await contents(domainId)).toEqual(texts);
    });

    it('separates the records of two zones', async () => {
      const [record, other] = [aRecord(), aRecord()];
      const [domainId, otherId] = [await aZone(record), await aZone(other)];

      const found = await storage().unitOfWork.run(
        async ({ zones }) =>
          [await zones.findRecords(otherId, [record.id, other.id]), await recordsAt(zones, otherId, ['www'])] as const,
      );

      expect(found[0].map(({ id }) => id)).toEqual([other.id]);
      expect(found[1].map(({ id }) => id)).toEqual([other.id]);
      expect((await storage().records.page(domainId, {}, 10)).map(({ id }) => id)).toEqual([record.id]);
    });

    it('returns the records at given names, and none without a name', async () => {
      const domainId = await aZone(
        aRecord({ name: 'a' }),
        aRecord({ name: 'b' }, after(1)),
        aRecord({ name: 'c' }, after(2)),
      );

      const at = (names: readonly string[]) =>
        storage().unitOfWork.run(async ({ zones }) =>
          (await recordsAt(zones, domainId, names)).map(({ name }) => name),
        );

      expect(await at(['c', 'a', 'missing'])).toEqual(['a', 'c']);
      expect(await at([])).toEqual([]);
    });

    it('knows the names below a name, each once', async () => {
      const names = ['@', 'x_y', 'a.x_y', '*.b.x_y', 'xzy', 'a.xzy', 'ax_y'];
      const domainId = await aZone(...names.map((name) => aRecord({ name })), aRecord({ name: 'a.x_y', type: 'TXT' }));
      const below = (name: string) =>
        storage().unitOfWork.run(async ({ zones }) => (await zones.namesBelow(domainId, name)).toSorted());

      expect(await below('x_y')).toEqual(['*.b.x_y', 'a.x_y']);
      expect(await below('@')).toEqual(names.filter((name) => name !== '@').toSorted());
      for (const name of ['a.x_y', '%', '_', '!', '\\', 'x\\_y', 'X_Y%']) expect(await below(name)).toEqual([]);
    });

    it('filters by type and by name, and pages without duplicates', async () => {
      const records = [3, 1, 2, 2, 2].map((at, index) => aRecord({ content: `192.0.2.${index}` }, after(at)));
      const domainId = await aZone(
        ...records,
        aRecord({ type: 'AAAA', content: '2001:db8::1' }),
        aRecord({ name: 'mail' }),
      );
      const inOrder = [records[1], records[2], records[3], records[4], records[0]].map((record) => record!.id);

      const read = await allOf<DnsRecordState>((last) =>
        storage().records.page(domainId, { type: 'A', name: 'www' }, 2, last),
      );

      expect(read.map(({ id }) => id)).toEqual(inOrder);
    });
  });
}
