import { FIRST_PAGE_SIZE } from '../../../../../src/application/shared/pages-of';
import type { RecordFilter } from '../../../../../src/application/ports/dns/zone-queries';
import type { RecordDraft } from '../../../../../src/domain/dns/records/dns-record';
import { aRecord } from '../../../../support/data/a-record';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const MORE_THAN_A_PAGE = 501;

describe('listing records', () => {
  let around: UseCaseContext;
  const add = (draft: Partial<RecordDraft>) =>
    dnsUseCases(around).addRecord.execute({
      ...OURS,
      domainId: 'dom_1',
      draft: { type: 'A', name: 'www', content: '192.0.2.1', ...draft },
    });
  const list = () => dnsUseCases(around).listRecords;
  const sets = async (filter: RecordFilter) =>
    (await list().page(OURS, 'dom_1', filter, 10)).records.map(({ name, type }) => `${name} ${type}`);

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain();
  });

  it('returns them oldest first, with a version of the zone that contains them', async () => {
    for (const content of ['192.0.2.9', '192.0.2.1', '192.0.2.5']) {
      around.clock.advance({ ms: 1 });
      await add({ content });
    }

    const { zoneVersion, records } = await list().page(OURS, 'dom_1', {}, 10);

    expect(records.map(({ content }) => content)).toEqual(['192.0.2.9', '192.0.2.1', '192.0.2.5']);
    expect(zoneVersion).toBe(4);
  });

  it('continues where a page ended', async () => {
    for (const name of ['a', 'b', 'c']) await add({ name });
    const first = await list().page(OURS, 'dom_1', {}, 2);

    const second = await list().page(OURS, 'dom_1', {}, 2, first.records.at(-1));

    expect([first, second].map(({ records }) => records.map(({ name }) => name))).toEqual([['a', 'b'], ['c']]);
  });

  it('finds no comment of a record that the key may not see', async () => {
    await add({ name: 'www', comment: 'secret plan', managedBy: 'ci' });
    await add({ name: 'lan', comment: 'secret, too' });
    const actor = { kind: 'key', id: 'AbC-dEf_0123', limits: { names: ['lan'] } } as const;

    for (const [filter, found] of [
      [{ comment: 'SECRET' }, ['lan']],
      [{ managedBy: 'ci' }, []],
    ] as const) {
      const { records } = await list().page({ ...OURS, actor }, 'dom_1', filter, 10);
      expect(records.map(({ name }) => name)).toEqual(found);
    }
  });

  it('filters by type and by name', async () => {
    await add({ name: 'www' });
    await add({ name: 'mail' });
    await add({ name: 'www', type: 'TXT', content: 'text' });

    expect(await sets({ type: 'A' })).toEqual(['www A', 'mail A']);
    expect(await sets({ name: 'www' })).toEqual(['www A', 'www TXT']);
    expect(await sets({ name: 'www', type: 'TXT' })).toEqual(['www TXT']);
  });

  it('returns all of a long list, page by page, without duplicates or gaps', async () => {
    await around.givenRecords(
      'dom_1',
      Array.from({ length: MORE_THAN_A_PAGE }, (_, index) =>
        aRecord({ name: `host-${index}` }, around.ids.next('rec')),
      ),
    );

    const { pages } = await list().all(OURS, 'dom_1', {});
    const sizes: number[] = [];
    const names = new Set<string>();
    for await (const page of pages) {
      sizes.push(page.length);
      for (const { name } of page) names.add(name);
    }

    expect(sizes).toEqual([FIRST_PAGE_SIZE, MORE_THAN_A_PAGE - FIRST_PAGE_SIZE]);
    expect(names.size).toBe(MORE_THAN_A_PAGE);
  });

  it.each([
    ['that is not there', OURS.accountId, 'dom_unknown'],
    ['of another account', STRANGER.accountId, 'dom_1'],
  ])('finds no domain %s, and says so before the first page', async (_which, accountId, domainId) => {
    await expect(list().page({ ...OURS, accountId }, domainId, {}, 10)).rejects.toMatchObject({
      code: 'DOMAIN_NOT_FOUND',
    });
    await expect(list().all({ ...OURS, accountId }, domainId, {})).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
  });

  it('still answers those of a domain that was transferred out', async () => {
    await around.givenDomain({ id: 'dom_left', name: 'left.com', status: 'transferred_out' });

    expect(await list().page(OURS, 'dom_left', {}, 10)).toEqual({ zoneVersion: 1, records: [] });
  });
});
