import { InviteUser } from '../../../../src/application/access/users/invite-user';
import { SetupLinkMails } from '../../../../src/application/access/users/setup-link-mails';
import { ChangeTags } from '../../../../src/application/portfolio/change-tags';
import { InviteForDomains } from '../../../../src/application/portfolio/invite-for-domains';
import { CountingRateLimiter } from '../../../support/fakes/counting-rate-limiter';
import { SECRET_BOX } from '../../../support/use-cases/credentials';
import { givenPerson } from '../../../support/use-cases/people';
import { OURS, STRANGER, UseCaseContext } from '../../../support/use-cases/use-case-context';

const BOB = { email: 'Bob@example.com', role: 'dns-editor' } as const;
const NAMES = ['shop.com', 'Bücher.com.'];

describe('an invitation for some domains', () => {
  let around: UseCaseContext;
  let inviteForDomains: InviteForDomains;

  beforeEach(async () => {
    around = new UseCaseContext();
    const { storage, clock, ids, tokens } = around;
    const changeTags = new ChangeTags(storage, clock, around.lifecycleClock);
    const mails = new SetupLinkMails(ids, SECRET_BOX);
    const inviteUser = new InviteUser(storage, ids, tokens, clock, mails, new CountingRateLimiter(5, clock));
    const { domains, domainQueries, users, apiKeys } = storage;
    inviteForDomains = new InviteForDomains(domains, domainQueries, users, apiKeys, changeTags, inviteUser);
    await storage.run(({ accounts }) =>
      accounts.add({
        id: OURS.accountId,
        name: 'Ours',
        createdAt: clock.now(),
        membersMayTransfer: false,
        controlsSandbox: false,
        isTrusted: false,
        approvalRules: null,
      }),
    );
    await around.givenDomain({ id: 'dom_1', name: 'shop.com', tags: ['shop'] });
    await around.givenDomain({ id: 'dom_2', name: 'xn--bcher-kva.com' });
    await around.givenDomain({ id: 'dom_3', name: 'other.com' });
    await around.givenDomain({ id: 'dom_4', name: 'theirs.com', accountId: STRANGER.accountId });
  });

  const tagsOf = (id: string) => around.storage.tables.domains.get(id)?.tags;

  it('gives the domains a tag of their own, and limits the role to it', async () => {
    const { domains, tag } = await inviteForDomains.plan({ ...OURS, ...BOB, names: NAMES });
    expect([domains.map(({ id }) => id), tag]).toEqual([['dom_1', 'dom_2'], 'for-bob']);
    expect(tagsOf('dom_1')).toEqual(['shop']);

    const { user } = await inviteForDomains.execute({ ...OURS, ...BOB, names: NAMES, tag });

    expect(user.toState()).toMatchObject({ role: 'dns-editor', tags: ['for-bob'] });
    expect(['dom_1', 'dom_2', 'dom_3'].map(tagsOf)).toEqual([['for-bob', 'shop'], ['for-bob'], []]);
    expect(around.auditEntries.map(({ action }) => action).toSorted()).toEqual([
      'domain.tags_changed',
      'domain.tags_changed',
      'user.invited',
    ]);
  });

  it('does not take a tag that a domain or a person has, and is reviewed again if it was taken meanwhile', async () => {
    await givenPerson(around, { role: 'viewer', tags: ['for-bob'] });
    await around.givenDomain({ id: 'dom_5', name: 'tagged.com', tags: ['for-bob-2'] });

    expect((await inviteForDomains.plan({ ...OURS, ...BOB, names: NAMES })).tag).toBe('for-bob-3');

    const stale = inviteForDomains.execute({ ...OURS, ...BOB, names: NAMES, tag: 'for-bob' });
    await expect(stale).rejects.toMatchObject({ issues: [{ path: 'domains' }] });
    expect(tagsOf('dom_1')).toEqual(['shop']);
  });

  it.each([
    ['no names', [], '1 to 20'],
    ['a name of another account', ['shop.com', 'theirs.com'], 'which does not have theirs.com'],
    ['an unknown name', ['absent.com'], 'which does not have absent.com'],
  ])('is refused with %s', async (_what, names, message) => {
    await expect(inviteForDomains.plan({ ...OURS, ...BOB, names })).rejects.toMatchObject({
      issues: [{ path: 'domains', message: expect.stringContaining(message) as string }],
    });
  });

  it('tags nothing if the person cannot be invited', async () => {
    await givenPerson(around, { email: 'bob@example.com' });

    await expect(inviteForDomains.execute({ ...OURS, ...BOB, names: NAMES, tag: 'for-bob' })).rejects.toMatchObject({
      issues: [{ path: 'email' }],
    });

    expect(tagsOf('dom_1')).toEqual(['shop']);
  });
});
