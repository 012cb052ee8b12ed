import { recordsAtVersion } from '../../../src/application/dns/zones/history/records-at-version';
import type { ZoneChange } from '../../../src/domain/dns/zone-change';
import { DnsRecord, type RecordDraft } from '../../../src/domain/dns/records/dns-record';
import { after, anAccount, BY, fresh, storedDomain, T0, type StorageUnderTest } from '../storage-under-test';

const ZONE = 'example.com';
const NOTHING: ZoneChange = { added: [], changed: [], removed: [] };
const COUNTED = { added: 0, changed: 0, removed: 0 };

function aRecord(draft: Partial<RecordDraft> = {}, at = T0): DnsRecord {
  return DnsRecord.create({ type: 'A', name: 'www', content: '192.0.2.1', ...draft }, ZONE, fresh('rec_'), at);
}

function changed(record: DnsRecord, content: string): DnsRecord {
  const copy = record.copy();
  copy.change({ content }, ZONE, after(5));
  return copy;
}

/** Contract of every zone history. */
export function zoneHistoryContract(storage: () => StorageUnderTest): void {
  async function aZone(...changes: readonly Partial<ZoneChange>[]): Promise<string> {
    const { id } = await storedDomain(storage(), await anAccount(storage()));
    await storage().unitOfWork.run(({ zones }) => zones.create(id, BY));
    for (const [index, change] of changes.entries()) await apply(id, change, after(index + 1));
    return id;
  }

  const apply = (domainId: string, change: Partial<ZoneChange>, at: Date) =>
    storage().unitOfWork.run(async ({ zones }) => {
      const zone = await zones.lock(domainId);
      if (!zone) throw new Error(`there is no zone of ${domainId}`);
      return (
        await zones.apply([
          { zone, change: { ...NOTHING, ...change }, by: { actor: { kind: 'user', id: 'usr_1' }, at } },
        ])
      )[0];
    });
  const contentsAt = (domainId: string, version: number) =>
    storage().zoneHistory.withPast({ accountId: 'acc_1', domainId }, async (past) =>
      (await recordsAtVersion(past, version)).map(({ content }) => content),
    );

  describe('zone history', () => {
    it('lists every version, newest first, with time, actor and record counts', async () => {
      const [first, second] = [aRecord(), aRecord({ content: '192.0.2.2' })];
      const domainId = await aZone(
        { added: [first, second] },
        { removed: [second], changed: [{ before: first, after: changed(first, '192.0.2.9') }] },
      );

      expect(await storage().zoneHistory.page(domainId, 10)).toEqual([
        { version: 3, at: after(2), actor: { kind: 'user', id: 'usr_1' }, ...COUNTED, changed: 1, removed: 1 },
        { version: 2, at: after(1), actor: { kind: 'user', id: 'usr_1' }, ...COUNTED, added: 2 },
        { version: 1, ...BY, ...COUNTED },
      ]);
    });

    it('lists a version that changed no records, with the nameservers until then', async () => {
      const domainId = await aZone();
      const nameserversBefore = ['ns1.example.net', 'ns2.example.net'];

      await storage().unitOfWork.run(async ({ zones }) => {
        const zone = await zones.lock(domainId);
        const by = { actor: { kind: 'key', id: 'k2' }, at: after(7) } as const;
        const change = { added: [], changed: [], removed: [] };
        if (zone) await zones.apply([{ zone, change, by, nameserversBefore }]);
      });

      expect((await storage().zoneHistory.page(domainId, 1))[0]).toEqual({
        version: 2,
        at: after(7),
        actor: { kind: 'key', id: 'k2' },
        ...COUNTED,
        nameserversBefore,
      });
    });

    it('pages below a version', async () => {
      const domainId = await aZone(
        { added: [aRecord()] },
        { added: [aRecord({ name: 'a' })] },
        { added: [aRecord({ name: 'b' })] },
      );

      expect((await storage().zoneHistory.page(domainId, 2)).map(({ version }) => version)).toEqual([4, 3]);
      expect((await storage().zoneHistory.page(domainId, 2, 3)).map(({ version }) => version)).toEqual([2, 1]);
    });

    it('returns to every version, also within a unit of work', async () => {
      const [first, second] = [aRecord(), aRecord({ content: '192.0.2.2' }, after(1))];
      const domainId = await aZone(
        { added: [first, second] },
        { changed: [{ before: first, after: changed(first, '192.0.2.9') }] },
        { removed: [second] },
      );

      const within = await storage().unitOfWork.run(async ({ zones }) => {
        const zone = await zones.lock(domainId);
        return zone && recordsAtVersion(await zones.past(zone), 2);
      });

      expect([
        await contentsAt(domainId, 4),
        await contentsAt(domainId, 3),
        await contentsAt(domainId, 2),
        await contentsAt(domainId, 1),
      ]).toEqual([['192.0.2.9'], ['192.0.2.9', '192.0.2.2'], ['192.0.2.1', '192.0.2.2'], []]);
      expect(within).toEqual([first.toState(), second.toState()]);
    });

    it('returns across a change of very many records and across very many changes', async () => {
      const many = Array.from({ length: 1200 }, (_, index) => aRecord({ name: `n${index}` }));
      const domainId = await aZone({ added: many });
      for (const record of many.slice(0, 60)) await apply(domainId, { removed: [record] }, T0);
      await apply(domainId, { removed: many.slice(60) }, T0);

      expect((await contentsAt(domainId, 2))?.length).toBe(1200);
      expect((await contentsAt(domainId, 62))?.length).toBe(1140);
      expect((await contentsAt(domainId, 63))?.length).toBe(0);
    });

    it('returns the changes that led to a version', async () => {
      const [stays, goes, comes] = [aRecord(), aRecord({ name: 'goes' }), aRecord({ name: 'comes' })];
      const becomes = changed(stays, '192.0.2.9');
      const domainId = await aZone(
        { added: [stays, goes] },
        { added: [comes], removed: [goes], changed: [{ before: stays, after: becomes }] },
      );

      const made = await storage().zoneHistory.withPast({ accountId: 'acc_1', domainId }, async (past) => [
        await past.find(3),
        await past.changesOf(3),
        await past.find(4),
      ]);

      expect(made?.[0]).toMatchObject({ version: 3, added: 1, changed: 1, removed: 1 });
      expect(made?.[1]).toEqual([
        { before: goes.toState(), after: null },
        { before: stays.toState(), after: becomes.toState() },
        { before: null, after: comes.toState() },
      ]);
      expect(made?.[2]).toBeUndefined();
    });

    it('returns the changes of several versions that touched few records', async () => {
      const [first, second] = [aRecord(), aRecord({ name: 'second' })];
      const domainId = await aZone(
        { added: [first] },
        { added: Array.from({ length: 51 }, (_, index) => aRecord({ name: `many${index}` })) },
        { added: [second], removed: [first] },
      );

      const changes = await storage().zoneHistory.smallChanges(domainId, [2, 3, 4, 9]);

      expect(new Set(changes.keys())).toEqual(new Set([2, 4]));
      expect(changes.get(4)).toEqual([
        { before: first.toState(), after: null },
        { before: null, after: second.toState() },
      ]);
      expect(await storage().zoneHistory.smallChanges(domainId, [])).toEqual(new Map());
    });

    it('returns in which version each stored record was last changed', async () => {
      const [first, second, third] = [aRecord(), aRecord({ name: 'second' }), aRecord({ name: 'third' })];
      const becomes = changed(first, '192.0.2.9');
      const domainId = await aZone(
        { added: [first, second, third] },
        { changed: [{ before: first, after: becomes }] },
        { removed: [third] },
      );
      const other = await aZone({ added: [aRecord()] });

      const ids = [first, second, third].map(({ id }) => id);
      const found = await storage().zoneHistory.lastChanges(domainId, [...ids, 'rec_none']);

      const by = { actor: { kind: 'user', id: 'usr_1' } };
      expect(found).toEqual(
        new Map([
          [first.id, { version: 3, at: after(2), ...by }],
          [second.id, { version: 2, at: after(1), ...by }],
        ]),
      );
      expect(await storage().zoneHistory.lastChanges(other, ids)).toEqual(new Map());
      expect(await storage().zoneHistory.lastChanges(domainId, [])).toEqual(new Map());
    });

    it('returns the last of several versions that one commit makes as that of a record', async () => {
      const record = aRecord();
      const becomes = changed(record, '192.0.2.9');
      const domainId = await aZone();
      const by = { actor: { kind: 'user', id: 'usr_1' }, at: after(1) } as const;
      await storage().unitOfWork.run(async ({ zones }) => {
        const zone = await zones.lock(domainId);
        if (!zone) throw new Error('no zone');
        const changes = [{ added: [record] }, { changed: [{ before: record, after: becomes }] }];
        return zones.apply(
          changes.map((change, index) => ({
            zone: { ...zone, version: zone.version + index, serial: zone.serial + index },
            change: { ...NOTHING, ...change },
            by,
          })),
        );
      });

      expect(await storage().zoneHistory.lastChanges(domainId, [record.id])).toEqual(
        new Map([[record.id, { version: 3, ...by }]]),
      );
    });

    it('returns all changes of a version whose records are long', async () => {
      const content = Array.from({ length: 8 }, () => `"${'\\\\'.repeat(250)}"`).join(' ');
      const long = Array.from({ length: 40 }, (_, index) => aRecord({ name: `long${index}`, type: 'TXT', content }));
      const domainId = await aZone({ added: long }, { removed: long });

      const changes = await storage().zoneHistory.smallChanges(domainId, [2, 3]);

      expect([2, 3].map((version) => changes.get(version)?.length)).toEqual([40, 40]);
    });

    it('returns across a change of more records than one read returns', async () => {
      const domainId = await aZone(
        { added: Array.from({ length: 10_300 }, (_, index) => aRecord({ name: `h${index}` })) },
        { added: [aRecord()] },
      );

      expect(await contentsAt(domainId, 1)).toEqual([]);
    });

    it('returns nothing for a zone that does not exist', async () => {
      expect(await storage().zoneHistory.page('dom_unknown', 10)).toEqual([]);
      expect(
        await storage().zoneHistory.withPast({ accountId: 'acc_1', domainId: 'dom_unknown' }, async () => true),
      ).toBeUndefined();
    });

    it('serves other accounts and publication while one account uses all of its snapshots', async () => {
      const { publishedZones, zoneHistory } = storage();
      const domainId = await aZone();
      let finish: (() => void) | undefined;
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const held = Array.from({ length: 10 }, () =>
        zoneHistory.withPast({ accountId: 'acc_greedy', domainId }, () => finished),
      );

      const seen = [
        await zoneHistory.withPast({ accountId: 'acc_other', domainId }, async ({ version }) => version),
        await publishedZones.withCatalog(async ({ version }) => version > 0),
      ];

      expect(seen).toEqual([1, true]);
      finish?.();
      await Promise.all(held);
    });
  });
}
