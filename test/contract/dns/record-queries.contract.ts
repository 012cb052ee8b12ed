import type { RecordSearch } from '../../../src/application/ports/dns/zone-queries';
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
      expect(await found(domainId, { contains: '|' })).toEqual([]);
      expect(await found(domainId, { contains: '192.0.2.3' })).toEqual(['blog 192.0.2.3']);
      expect(await found(domainId, { contains: 'missing' })).toEqual([]);
    });

    it('finds a part of a comment and of what manages the record', async () => {
      const domainId = await aZone({ name: 'a', comment: 'Büro SERVER 100%' }, { name: 'b', managedBy: 'octoDNS' }, {});

      expect(await found(domainId, { contains: 'server' })).toEqual(['a 192.0.2.0']);
      expect(await found(domainId, { contains: '00%' })).toEqual(['a 192.0.2.0']);
      expect(await found(domainId, { contains: 'octodns' })).toEqual(['b 192.0.2.1']);
    });

    it.each([
      ['Straße', 'STRASSE'],
      ['STRASSE', 'straße'],
      ['ΟΔΟΣ', 'οδοσ'],
      ['οδος', 'ΟΔΟΣ'],
      ['GRÜN', 'gru\u0308n'],
      ['gru\u0308n', 'GRÜN'],
      ['ＡＢＣ', 'abc'],
      ['abc', 'ＡＢＣ'],
      ['ﬁle', 'file'],
      ['\u212A 5', 'k 5'],
      ['GROẞ', 'groß'],
      ['\u{10400}', '\u{10428}'],
      ['Ა', 'ა'],
    ])('finds %j by %j in a comment, in what manages a record, and in a text', async (text, contains) => {
      const domainId = await aZone(
        { name: 'a', comment: `x ${text} y` },
        { name: 'b', managedBy: text },
        { name: 'c', type: 'TXT', content: `x ${text} y` },
        { name: 'd', comment: 'ö', managedBy: 'ö', type: 'TXT', content: 'ö' },
      );

      const names = (await storage().recordQueries.page(domainId, { contains }, 100)).map(({ name }) => name);

      expect(names).toEqual(['a', 'b', 'c']);
    });

    it('does not take another letter for the one that is searched', async () => {
      const domainId = await aZone({ name: 'a', comment: 'Büro' }, { name: 'b', comment: 'gru\u0308n' });

      expect(await found(domainId, { contains: 'buro' })).toEqual([]);
      expect(await found(domainId, { contains: 'grun' })).toEqual([]);
    });

    it('pages through records with a comment in another script, whether they match or not', async () => {
      const drafts = Array.from({ length: 12 }, (_, index) => ({
        name: `n${String(index).padStart(2, '0')}`,
        comment: index % 3 === 0 ? 'ЗЕЛЁНЫЙ' : 'красный',
      }));
      const domainId = await aZone(...drafts);

      const records = await allOf<DnsRecordState>((last) =>
        storage().recordQueries.page(domainId, { contains: 'зелёный' }, 2, last),
      );

      expect(records.map(({ name }) => name)).toEqual(['n00', 'n03', 'n06', 'n09']);
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

    it('finds the records of several zones, each with its zone, and of no other', async () => {
      const [one, other, third] = [
        await aZone({ name: 'shop' }, { name: 'blog' }, { name: 'x', type: 'TXT', content: 'SHOP of Bücher' }),
        await aZone({ name: 'shop', type: 'AAAA', content: '2001:db8::1' }),
        await aZone({ name: 'shop' }),
      ];
      const among = async (ids: readonly string[], search: RecordSearch) =>
        (await storage().recordQueries.among(ids, search))
          .map(({ domainId, record }) => `${[one, other, third].indexOf(domainId)} ${record.type} ${record.name}`)
          .toSorted();

      expect(await among([one, other], { contains: 'shop' })).toEqual(['0 A shop', '0 TXT x', '1 AAAA shop']);
      expect(await among([one, other], { contains: 'shop', type: 'A' })).toEqual(['0 A shop']);
      expect(await among([one, other], { type: 'A' })).toEqual(['0 A blog', '0 A shop']);
      expect(await among([one, third], { contains: 'BÜCHER' })).toEqual(['0 TXT x']);
      expect(await among([one, third], { contains: 'bucher' })).toEqual([]);
      expect(await among([], {})).toEqual([]);
    });

    it('counts the records of each name by type, page by page', async () => {
      const domainId = await aZone(
        { name: 'www' },
        { name: 'www' },
        { name: 'www', type: 'AAAA', content: '2001:db8::1' },
        { name: '@' },
        { name: 'b.a', type: 'TXT', content: 'x' },
      );
      await aZone({ name: 'other' });
      const { recordQueries } = storage();
      const read = async (limit: number) => {
        const all: string[] = [];
        let page = await recordQueries.sets(domainId, limit);
        for (; page.length > 0; page = await recordQueries.sets(domainId, limit, page.at(-1)))
          all.push(...page.map(({ name, type, records }) => `${name} ${type} ${records}`));
        return all;
      };

      expect(await read(10)).toEqual(['@ A 1', 'b.a TXT 1', 'www A 2', 'www AAAA 1']);
      expect(await read(1)).toEqual(await read(10));
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
