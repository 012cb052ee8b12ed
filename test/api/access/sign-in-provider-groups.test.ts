import { RemoveUser } from '../../../src/application/access/users/remove-user';
import { AuditReader } from '../../../src/application/ports/access/audit-and-events';
import { UserReader } from '../../../src/application/ports/access/users';
import { OPERATOR } from '../../../src/domain/access/actor';
import { aUser } from '../../support/dashboard/dashboard-client';
import type { FakeProvider } from '../../support/identity/fake-provider';
import { GroupsService } from '../../support/identity/groups-service';
import { fresh, isSignedIn, linkIn } from '../../support/identity/provider-service';
import { api, type TestService } from '../../support/service/service';

type Claims = Readonly<Record<string, unknown>>;

const refusal = ({ response: { status, text } }: { response: { status: number; text: string } }) => [
  status,
  text.includes('give you no role here'),
];

describe('groups of an OpenID Connect provider', () => {
  let at: GroupsService;
  let provider: FakeProvider;
  let service: TestService;
  let accountId: string;
  let mapped: string;
  beforeAll(async () => {
    at = await GroupsService.start();
    ({ provider, service, accountId, mapped } = at);
  });
  afterAll(() => at.stop());

  const userOf = (email: string, account = mapped) => at.userOf(email, account);
  const signInWith = (claims: Claims) => at.signInWith(claims);
  const accept = (claims: Claims, account = mapped) => at.accept(claims, account);

  it('sets the role by groups at each sign-in, in the account of the provider only, and shows it', async () => {
    const sub = fresh('sub');
    await aUser(service, mapped, 'owner', `${fresh('owner')}@example.com`);
    const { email, client } = await accept({ sub, groups: ['dns', 'others'] });
    expect((await client.get('/')).text).toContain('Your role is now DNS editor, by your groups at ACME.');
    expect((await userOf(email))?.role).toBe('dns-editor');
    expect((await client.get('/team')).text).toContain('from their groups there');

    const { client: tagged } = await signInWith({ sub, groups: ['dns', 'shop'] });
    expect((await tagged.get('/')).text).toContain('Your role is now manager for domains tagged shop, by your groups');
    expect(await userOf(email)).toMatchObject({ role: 'manager', tags: ['shop'] });
    await signInWith({ sub, groups: ['dns'] });
    expect(await userOf(email)).toMatchObject({ role: 'dns-editor', tags: null });
    await signInWith({ sub, groups: ['dns', 'admins'], amr: ['mfa'] });
    expect((await userOf(email))?.role).toBe('owner');

    const other = fresh('sub');
    const { email: elsewhere } = await accept({ sub: other }, accountId);
    await signInWith({ sub: other, groups: ['admins'] });
    expect((await at.userOf(elsewhere, accountId))?.role).toBe('viewer');
  });

  it.each([[['others']], [[]], [undefined]])(
    'removes a person whose groups are %j from the account, with sessions, keys, password and identity',
    async (groups) => {
      await aUser(service, mapped, 'owner', `${fresh('owner')}@example.com`);
      const sub = fresh('sub');
      const { email, client } = await accept({ sub, groups: ['admins'], amr: ['mfa'] });
      await client.get('/api-keys').expect(200);
      const created = await client.post('/api-keys', { name: 'of a person', scope: 'READ' }).expect(200);
      const [, key = ''] = /(nw_[\w.-]+)/.exec(created.text) ?? [];
      await api(service, key).get('/api/domains').expect(200);

      expect(refusal(await signInWith({ sub, groups }))).toEqual([401, true]);

      expect(await isSignedIn(client)).toBe(false);
      expect(await userOf(email)).toBeUndefined();
      await api(service, key).get('/api/domains').expect(401);
      const again = await signInWith({ sub, groups: ['admins'], amr: ['mfa'] });
      expect([again.response.status, again.response.text.includes('is not linked with a user')]).toEqual([401, true]);
      expect((await service.container.get<AuditReader>(AuditReader).page(mapped, {}, 10)).slice(0, 2)).toMatchObject(
        ['key.revoked', 'user.removed'].map((action) => ({ action, actor: { kind: 'service' } })),
      );
    },
  );

  it('takes nothing from a person whose groups do not fit into the token', async () => {
    const sub = fresh('sub');
    const { email, client } = await accept({ sub, groups: ['dns'] });

    expect(refusal(await signInWith({ sub, _claim_names: { groups: 'src1' } }))).toEqual([401, true]);

    expect((await userOf(email))?.role).toBe('dns-editor');
    expect(await isSignedIn(client)).toBe(true);
  });

  it('does not use up an invitation if the groups give no role', async () => {
    const sub = fresh('sub');
    const { email, token, client, response } = await accept({ sub, groups: ['others'] });
    expect(refusal({ response })).toEqual([401, true]);
    expect((await userOf(email))?.role).toBe('viewer');

    await client.get(`/set-up?token=${token}`).expect(200);
    const { text } = await client.post('/set-up/with/acme', { token }).expect(200);
    await client.get(provider.authorize(linkIn(text), { sub, groups: ['dns'] })).expect(303);

    expect((await userOf(email))?.role).toBe('dns-editor');
  });

  it('ends the sessions of the last owner who is in no group, and keeps the owner', async () => {
    const people = await service.container.get<UserReader>(UserReader).ofAccount(mapped);
    const sub = fresh('sub');
    const { email, client } = await accept({ sub, groups: ['admins'], amr: ['mfa'] });
    for (const { id } of people.filter(({ isOwner }) => isOwner))
      await service.container
        .get(RemoveUser)
        .execute({ accountId: mapped, actor: OPERATOR, userId: id, revokeKeys: false });

    expect(refusal(await signInWith({ sub, groups: [] }))).toEqual([401, true]);

    expect(await isSignedIn(client)).toBe(false);
    expect((await userOf(email))?.role).toBe('owner');
  });

  it('keeps the last owner of an account an owner, even if the groups set another role', async () => {
    const account = mapped;
    const people = await service.container.get<UserReader>(UserReader).ofAccount(account);
    const owners = people.filter(({ isOwner }) => isOwner);
    const sub = fresh('sub');
    const { email } = await accept({ sub, groups: ['admins'], amr: ['mfa'] }, account);
    for (const { id } of owners)
      await service.container
        .get(RemoveUser)
        .execute({ accountId: account, actor: OPERATOR, userId: id, revokeKeys: false });

    const { client } = await signInWith({ sub, groups: ['dns'], amr: ['mfa'] });

    expect((await userOf(email, account))?.role).toBe('owner');
    expect((await client.get('/')).text).toContain('You stay owner');
  });
});
