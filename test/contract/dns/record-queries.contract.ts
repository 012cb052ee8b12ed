import type { RecordSearch } from '../../../src/application/ports/dns/zone-repository';
import { DnsRecord, type DnsRecordState, type RecordDraft } from '../../../src/domain/dns/records/dns-record';
import { after, allOf, anAccount, BY, fresh, storedDomain, type StorageUnderTest } from '../storage-under-test';

/** What every survey of records must do. */
export function recordQueriesContract(storage: () => StorageUnderTest): void {
  /** A zone with these records, each a little younger than the one before. */
  async function aZone(...drafts: readonly Partial<RecordDraft>[]): Promise<string> {
    const domain = await storedDomain(storage(), await anAccount(storage()));
    const added = drafts.map((draft, index) =>
      DnsRecord.create(
        { type: 'A', name: 'www', content: `192.0.2.${index}`, ...draft },
        domain.toState().name,
        fresh('rec_'),
        after(index),
      ),
    );
    await storage().unitOfWork.run(async ({ zones }) => {
      await zones.create(domain.id, BY);
      const zone = await zones.lock(domain.id);
      if (zone && added.length > 0) await zones.apply([{ zone, change: { added, changed: [], removed: [] }, by: BY }]);
    });
    return domain.id;
  }
  const found = async (domainId: string, search: RecordSearch) =>
    (await storage().recordQueries.page(domainId, search, 100)).map(({ name, content }) => `${name} ${content}`);

  describe('record queries', () => {
    it('pages by name, then oldest first, without duplicates or gaps', async () => {
      const domainId = await aZone({ name: 'www' }, { name: 'a' }, { name: 'www' }, { name: '@' }, { name: 'www' });

      const records = await allOf<DnsRecordState>((last) => storage().recordQueries.page(domainId, {}, 2, last));

      expect(records.map(({ name, content }) => `${name} ${content}`)).toEqual([
        '@ 192.0.2.3',
        'a 192.0.2.1',
        'www 192.0.2.0',
        'www 192.0.2.2',
        'www 192.0.2.4',
      ]);
    });

    it('finds a part of a name or of content literally and ignoring case', async () => {
      const domainId = await aZone(
        { name: 'shop' },
        { type: 'TXT', name: 'text', content: 'The SHOP is 100% open' },
        { name: '_under' },
        { name: 'blog' },
      );

      expect(await found(domainId, { contains: 'shop' })).toEqual(['shop 192.0.2.0', 'text The SHOP is 100% open']);
      expect(await found(domainId, { contains: '%' })).toEqual(['text The SHOP is 100% open']);
      expect(await found(domainId, { contains: '_' })).toEqual(['_under 192.0.2.2']);
      expect(await found(domainId, { contains: '192.0.2.3' })).toEqual(['blog 192.0.2.3']);
      expect(await found(domainId, { contains: 'missing' })).toEqual([]);
    });

    it('finds a part of a comment and of what manages the record', async () => {
      const domainId = await aZone({ name: 'a', comment: 'Büro SERVER 100%' }, { name: 'b', managedBy: 'octoDNS' }, {});

      expect(await found(domainId, { contains: 'server' })).toEqual(['a 192.0.2.0']);
      expect(await found(domainId, { contains: '00%' })).toEqual(['a 192.0.2.0']);
      expect(await found(domainId, { contains: 'octodns' })).toEqual(['b 192.0.2.1']);
    });

    it('ignores the case of non-ASCII letters', async () => {
      const domainId = await aZone({ type: 'TXT', name: 'text', content: 'GRÜN, ЗЕЛЁНЫЙ' });

      for (const contains of ['grün', 'зелёный'])
        expect(await found(domainId, { contains })).toEqual(['text GRÜN, ЗЕЛЁНЫЙ']);
    });

    it('finds part of the Unicode form of a name or a target, page by page', async () => {
      const domainId = await aZone(
        { name: 'bücher' },
        { name: 'plain' },
        { type: 'CNAME', name: 'alias', content: 'www.bücher.example.' },
        { name: 'größe' },
      );

      const records = await allOf<DnsRecordState>((last) =>
        storage().recordQueries.page(domainId, { contains: 'büch' }, 1, last),
      );

      expect(records.map(({ name }) => name)).toEqual(['alias', 'xn--bcher-kva']);
    });

    it('filters by type, also together with a part', async () => {
      const domainId = await aZone(
        { name: 'one' },
        { name: 'two', type: 'AAAA', content: '2001:db8::1' },
        { name: 'twofold' },
      );

      expect(await found(domainId, { type: 'A' })).toEqual(['one 192.0.2.0', 'twofold 192.0.2.2']);
      expect(await found(domainId, { type: 'A', contains: 'two' })).toEqual(['twofold 192.0.2.2']);
    });

    it('separates the records of two zones', async () => {
      const [domainId, other] = [await aZone({ name: 'ours' }), await aZone({ name: 'theirs' })];
      const [record] = await storage().recordQueries.page(domainId, {}, 10);

      expect(await found(other, {})).toEqual(['theirs 192.0.2.0']);
      expect(await storage().recordQueries.find(domainId, record!.id)).toEqual(record);
      expect(await storage().recordQueries.find(other, record!.id)).toBeUndefined();
      expect(await storage().recordQueries.find(domainId, record!.id.toUpperCase())).toBeUndefined();
    });
  });
}
