import { SearchRecords } from '../../../../../src/application/portfolio/search/search-records';
import type { Reader } from '../../../../../src/domain/access/actor';
import type { KeyLimits } from '../../../../../src/domain/access/key-limits';
import type { RecordDraft } from '../../../../../src/domain/dns/records/dns-record';
import { aRecord } from '../../../../support/data/a-record';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const limitedTo = (limits: KeyLimits): Reader => ({ ...OURS, actor: { kind: 'user', id: 'usr_1', limits } });

describe('a search for records of all domains', () => {
  const around = new UseCaseContext();
  const { storage } = around;
  const search = new SearchRecords(storage.domains, storage.records, storage.recordQueries);
  let serial = 0;

  async function given(name: string, drafts: readonly Partial<RecordDraft>[], overrides = {}): Promise<void> {
    const domain = await around.givenDomain({ id: `dom_${(serial += 1)}`, name, ...overrides });
    await around.givenRecords(
      domain.toState().id,
      drafts.map((draft) => aRecord(draft, `rec_${(serial += 1)}`)),
    );
  }
  const found = async (text: string, requester: Reader = OURS, limit = 20) =>
    (await search.execute(requester, text, limit)).records.map(
      ({ domain, record: { type, name, content } }) => `${domain.name}: ${type} ${name} ${content}`,
    );

  beforeAll(async () => {
    await given('shop.com', [
      { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 },
      { name: 'www', content: '192.0.2.7', comment: 'Büro server' },
      { type: 'TXT', name: '@', content: 'v=spf1 include:_spf.example.net ~all' },
    ]);
    await given('xn--bcher-kva.com', [{ name: 'www', content: '192.0.2.8' }], { tags: ['books'] });
    await given('theirs.com', [{ name: 'www', content: '192.0.2.7' }], { accountId: STRANGER.accountId });
    await given('left.com', [{ name: 'www', content: '192.0.2.7' }], { status: 'transferred_out' });
  });

  it.each([
    ['192.0.2', ['shop.com: A www 192.0.2.7', 'xn--bcher-kva.com: A www 192.0.2.8']],
    ['www.shop.com', ['shop.com: A www 192.0.2.7']],
    ['www.bücher.com.', ['xn--bcher-kva.com: A www 192.0.2.8']],
    ['mx shop', ['shop.com: MX @ mail.example.net']],
    ['Shop.com MX', ['shop.com: MX @ mail.example.net']],
    ['mx', ['shop.com: MX @ mail.example.net']],
    ['v=spf1 include:', ['shop.com: TXT @ v=spf1 include:_spf.example.net ~all']],
    ['BÜRO', ['shop.com: A www 192.0.2.7']],
    ['mx shop absent', []],
    ['shop.com', []],
    ['www.absent.com', []],
  ])(
    'finds by %j the records that have all its words, in themselves or in the name of their zone',
    async (text, expected) => {
      expect(await found(text)).toEqual(expected);
    },
  );

  it.each(['', 'a', 'ww', 'ns 1'])('finds nothing by %j, which is in too many records', async (text) => {
    expect(await found(text)).toEqual([]);
  });

  it('finds only records of domains that the requester may see', async () => {
    expect(await found('192.0.2', limitedTo({ tags: ['books'] }))).toEqual(['xn--bcher-kva.com: A www 192.0.2.8']);
    expect(await found('192.0.2', limitedTo({ domains: ['shop.com'] }))).toEqual(['shop.com: A www 192.0.2.7']);
    expect(await found('shop.com mx', limitedTo({ types: ['A'] }))).toEqual([]);
    expect(await found('192.0.2', STRANGER)).toEqual(['theirs.com: A www 192.0.2.7']);
  });

  it('ends when it has found enough, and when it is given up', async () => {
    expect(await found('192.0.2', OURS, 1)).toEqual(['shop.com: A www 192.0.2.7']);

    expect(await search.execute(OURS, '192.0.2', 9, AbortSignal.abort())).toEqual({ records: [], isComplete: false });
  });

  it('compares at most 2,000 records of small zones in a statement, and 200,000 in all', async () => {
    const sizes = new Map<string, number>();
    const domains = Array.from({ length: 400 }, (_, index) => ({ id: `dom_${index}`, name: `n${index}.com` }));
    for (const { id } of domains) sizes.set(id, 600);
    const statements: number[] = [];
    const many = new SearchRecords(
      { page: async () => ({ items: domains as never, next: undefined }) },
      { facts: async (ids) => new Map(ids.map((id) => [id, { recordCount: sizes.get(id) } as never])) },
      {
        among: async (ids) => {
          statements.push(ids.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0));
          return [];
        },
        page: async () => [],
      },
    );

    expect((await many.execute(OURS, 'absent', 5)).isComplete).toBe(false);
    expect(Math.max(...statements)).toBeLessThanOrEqual(2_000);
    expect(statements.reduce((sum, each) => sum + each, 0)).toBeLessThan(202_000);
  });

  it('reads a large zone page by page', async () => {
    await given(
      'large.com',
      Array.from({ length: 4_500 }, (_, index) => ({
        name: `n${String(index).padStart(4, '0')}`,
        comment: 'Large one',
      })),
    );

    expect(await found('large one n4499')).toEqual(['large.com: A n4499 192.0.2.1']);
  });
});
