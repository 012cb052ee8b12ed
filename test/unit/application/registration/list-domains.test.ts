import { ListDomains } from '../../../../src/application/registration/list-domains';
import type {
  DomainFilter,
  DomainReader,
  ListedDomain,
  DomainQueries,
} from '../../../../src/application/ports/registration/domain-repository';
import { VisibleDomains } from '../../../../src/application/registration/visible-domains';
import type { Reader } from '../../../../src/domain/access/actor';
import { OURS, STRANGER, UseCaseContext } from '../../../support/use-cases/use-case-context';

const MORE_THAN_A_PAGE = 501;

describe('listing domains', () => {
  let around: UseCaseContext;
  const visible = () => new VisibleDomains(around.storage.domainQueries);
  const list = () => new ListDomains(around.storage.domains, visible());
  const names = async (filter: DomainFilter) => (await list().page(OURS, filter, 10)).items.map(({ name }) => name);
  const readAll = async (onPage: (page: readonly ListedDomain[]) => void) => {
    for await (const page of list().all(OURS, {})) onPage(page);
  };
  const given = (name: string, rest: Parameters<UseCaseContext['givenDomain']>[0] = {}) =>
    around.givenDomain({ id: around.ids.next('dom'), name, ...rest });

  beforeEach(() => {
    around = new UseCaseContext();
  });

  it("answers the account's own, oldest first, a page at a time", async () => {
    await given('late.com', { createdAt: new Date('2026-01-03') });
    await given('early.com', { createdAt: new Date('2026-01-01') });
    await given('middle.com', { createdAt: new Date('2026-01-02') });
    await given('theirs.com', { accountId: STRANGER.accountId });

    const first = await list().page(OURS, {}, 2);
    const second = await list().page(OURS, {}, 2, first.next);

    expect([first, second].map((page) => page.items.map(({ name }) => name))).toEqual([
      ['early.com', 'middle.com'],
      ['late.com'],
    ]);
  });

  it('filters by status and by text in the name', async () => {
    await given('shop.com');
    await given('shop.net', { status: 'expired' });
    await given('blog.net', { status: 'expired' });

    expect(await names({ status: 'expired' })).toEqual(['shop.net', 'blog.net']);
    expect(await names({ nameContains: 'shop' })).toEqual(['shop.com', 'shop.net']);
    expect(await names({ status: 'expired', nameContains: 'shop' })).toEqual(['shop.net']);
  });

  it('returns all of a long list, page by page, without duplicates or gaps', async () => {
    for (let index = 0; index < MORE_THAN_A_PAGE; index += 1)
      await given(`name-${index}.com`, { status: 'redemption' });

    const pages: (readonly ListedDomain[])[] = [];
    await readAll((page) => pages.push(page));

    expect(pages.map(({ length }) => length)).toEqual([100, 401]);
    expect(new Set(pages.flat().map(({ name }) => name)).size).toBe(MORE_THAN_A_PAGE);
  });

  it('reads few searches of one account at once, so that a search of another account does not wait for them', async () => {
    const begun: string[] = [];
    const gates: (() => void)[] = [];
    const page = async (accountId: string) => {
      begun.push(accountId);
      await new Promise<void>((open) => gates.push(open));
      return { items: [], next: undefined };
    };
    const slow = new ListDomains({ page } as Partial<DomainReader> as DomainReader, visible());
    const search = (reader: Reader) => slow.page(reader, { nameContains: 'shop' }, 10);

    const reading = [...Array.from({ length: 10 }, () => search(OURS)), search(STRANGER)];
    while (!begun.includes(STRANGER.accountId)) await new Promise(setImmediate);
    const ours = begun.filter((accountId) => accountId === OURS.accountId);

    expect(ours.length).toBeLessThanOrEqual(2);
    while (begun.length < reading.length || gates.length > 0) {
      for (const open of gates.splice(0)) open();
      await new Promise(setImmediate);
    }
    await Promise.all(reading);
  });

  it('reads the first page of all domains of the API and the dashboard, and their number, while searches wait', async () => {
    const gates: (() => void)[] = [];
    const result = { items: [], next: undefined };
    const read = async (filter: DomainFilter) => {
      if (filter.nameContains !== undefined) await new Promise<void>((open) => gates.push(open));
      return result;
    };
    const reader: Partial<DomainReader> = { page: (_accountId, filter) => read(filter) };
    const api = new ListDomains(reader as DomainReader, visible());
    const dashboard = new VisibleDomains({
      page: (_accountId, { nameContains }) => read({ nameContains }),
      count: async () => 7,
    } as Partial<DomainQueries> as DomainQueries);
    const search = () => api.page(OURS, { nameContains: 'shop' }, 10);
    const searches = [search(), search()];
    while (gates.length < searches.length) await new Promise(setImmediate);

    const byName = { order: 'name', descending: false } as const;
    const first = Promise.all([
      api.page(OURS, {}, 10),
      dashboard.page(OURS, { ...byName, terms: undefined }, 10),
      dashboard.count(OURS, {}, 500),
    ]);
    await new Promise(setImmediate);
    const outcome = await Promise.race([first, Promise.resolve('waits')]);
    for (const open of gates) open();
    await Promise.all(searches);

    expect(outcome).toEqual([result, result, 7]);
  });

  it('is cut off, and does not end, if the database fails in the middle', async () => {
    for (let index = 0; index < MORE_THAN_A_PAGE; index += 1)
      await given(`name-${index}.com`, { status: 'redemption' });

    const reading = readAll(() => around.storage.goDown());

    await expect(reading).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
