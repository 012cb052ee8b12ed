import { FindDomain } from '../../../../src/application/registration/find-domain';
import { OURS, STRANGER, UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('finding a domain', () => {
  let around: UseCaseContext;
  const byId = (domainId: string, { accountId } = OURS) =>
    new FindDomain(around.storage.domains).byId({ ...OURS, accountId, domainId });
  const byName = (name: string, { accountId } = OURS) =>
    new FindDomain(around.storage.domains).byName({ ...OURS, accountId, name });

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1', name: 'xn--mnchen-3ya.com' });
  });

  it('works by id and by name, in any case and in Unicode', async () => {
    const found = await Promise.all([byId('dom_1'), byName('xn--mnchen-3ya.com'), byName('MÜNCHEN.com')]);

    expect(found.map(({ id }) => id)).toEqual(['dom_1', 'dom_1', 'dom_1']);
  });

  it("does not find another account's domain", async () => {
    await expect(byId('dom_1', STRANGER)).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
    await expect(byName('münchen.com', STRANGER)).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
  });

  it.each([
    ['an unregistered name', 'unknown.com'],
    ['a text that is no name', 'no name'],
    ['an empty text', ''],
    ['an id', 'dom_1'],
    ['a text of any length', 'x'.repeat(100_000)],
  ])('finds none by %s', async (_what, name) => {
    await expect(byName(name)).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
  });

  it('prefers a live domain to one that has left', async () => {
    await around.givenDomain({ id: 'dom_left', name: 'again.com', status: 'transferred_out' });
    expect((await byName('again.com')).id).toBe('dom_left');

    await around.givenDomain({ id: 'dom_back', name: 'again.com' });

    expect((await byName('again.com')).id).toBe('dom_back');
    expect((await byId('dom_left')).status).toBe('transferred_out');
  });

  it('does not find a removed one', async () => {
    await around.givenDomain({ id: 'dom_gone', name: 'gone.com', status: 'gone' });

    await expect(byId('dom_gone')).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
    await expect(byName('gone.com')).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
  });
});
