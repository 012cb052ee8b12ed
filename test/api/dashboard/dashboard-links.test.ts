import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { RevokeApiKey } from '../../../src/application/access/api-keys/revoke-api-key';
import { IssueSetupLink } from '../../../src/application/access/users/issue-setup-link';
import { RemoveUser } from '../../../src/application/access/users/remove-user';
import { SetPassword } from '../../../src/application/access/users/set-password';
import { ApiKeyReader } from '../../../src/application/ports/access/accounts-and-api-keys';
import { AuditReader } from '../../../src/application/ports/access/audit-and-events';
import { SetupLinkReader, UserReader } from '../../../src/application/ports/access/users';
import { OPERATOR } from '../../../src/domain/access/actor';
import { onBothDatabases } from '../../support/databases/databases';
import { api } from '../../support/service/service';
import { aUser, PASSWORD, signIn, DashboardClient } from '../../support/dashboard/dashboard-client';

const LINK = /\/set-up\?token=([\w-]{43})/;
const NEW_PASSWORD = 'eleven amber lighthouses';
const ROUNDS = 8;
const tokenIn = ({ text }: { text: string }) => LINK.exec(text)?.[1] ?? '';

onBothDatabases('set-up links', (service) => {
  let accountId: string;
  beforeEach(async () => {
    accountId = await service().account();
  });

  const idOf = async (email: string) =>
    (await service().container.get<UserReader>(UserReader).ofEmail(email))[0]?.id ?? '';
  const openLinks = () => service().container.get<SetupLinkReader>(SetupLinkReader).ofAccount(accountId);
  const byUser = (id: string) => ({ accountId, actor: { kind: 'user', id } as const });

  it('rejects links that a removed owner has issued', async () => {
    const [leaving, staying] = [await aUser(service(), accountId), await aUser(service(), accountId)];
    const leavingOwner = await new DashboardClient(service()).signIn(leaving);
    const toOwner = tokenIn(await leavingOwner.post(`/team/${await idOf(staying)}/link`).expect(200));
    await leavingOwner.get('/team');
    const toInvited = tokenIn(
      await leavingOwner.post('/team', { email: `invited-${accountId}@example.com`, role: 'owner' }).expect(200),
    );
    const owner = await new DashboardClient(service()).signIn(staying);

    await owner.post(`/team/${await idOf(leaving)}/remove`).expect(303);

    const stranger = new DashboardClient(service());
    await stranger.get('/sign-in');
    for (const token of [toOwner, toInvited])
      await stranger.post('/set-up', { token, password: NEW_PASSWORD }).expect(404);
    expect(await openLinks()).toEqual([]);
    await new DashboardClient(service()).signIn(staying);
  });

  it('shows valid links with their issuer on the team page, and revokes them', async () => {
    const [email, invited] = [await aUser(service(), accountId), `shown-${accountId}@example.com`];
    const owner = await new DashboardClient(service()).signIn(email);
    await owner.get('/team');
    const token = tokenIn(await owner.post('/team', { email: invited, role: 'manager' }).expect(200));
    const { text } = await owner.get('/team').expect(200);
    expect(text).toContain(`set-up link from ${email}, valid until`);
    expect(text).not.toContain(token);

    await owner.post(`/team/${await idOf(invited)}/link/revoke`).expect(303);

    expect((await owner.get('/team').expect(/The set-up link was revoked/)).text).not.toContain('valid until');
    await owner
      .post(`/team/${await idOf(invited)}/link/revoke`)
      .expect(404)
      .expect(/Nothing was changed\. What this form is about was removed[^]*href="\/team">Back to the page/);
    await owner.get('/activity').expect(/revoked the set-up link for shown-/);
  });

  it('records issue and use of a link in the audit log', async () => {
    const owner = await signIn(service(), accountId);
    const email = await aUser(service(), accountId);
    const token = tokenIn(await owner.post(`/team/${await idOf(email)}/link`).expect(200));
    await service().container.get(SetPassword).execute({ token, password: NEW_PASSWORD });

    const entries = await service()
      .container.get<AuditReader>(AuditReader)
      .page(accountId, { since: new Date(0) }, 10);

    expect(entries.filter(({ subject }) => subject === email).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.link_issued', 'user.link_used', 'user.password_set']),
    );
  });

  it('accepts only one of two concurrent uses of a link', async () => {
    const email = await aUser(service(), accountId);
    const { token } = await service()
      .container.get(IssueSetupLink)
      .execute({ accountId, actor: OPERATOR, userId: await idOf(email) });

    const uses = await Promise.allSettled(
      [PASSWORD, NEW_PASSWORD].map((password) => service().container.get(SetPassword).execute({ token, password })),
    );

    expect(uses.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('leaves no valid link of an owner who is removed while issuing it', async () => {
    const victim = await idOf(await aUser(service(), accountId));
    for (let round = 0; round < ROUNDS; round += 1) {
      const leaving = await idOf(await aUser(service(), accountId));

      await Promise.allSettled([
        service()
          .container.get(IssueSetupLink)
          .execute({ ...byUser(leaving), userId: victim }),
        service()
          .container.get(RemoveUser)
          .execute({ ...byUser(victim), userId: leaving, revokeKeys: false }),
      ]);

      expect(await openLinks()).toEqual([]);
    }
  });

  it('applies a new role at once and revokes the links that the user has issued', async () => {
    const [email, other] = [await aUser(service(), accountId), await aUser(service(), accountId)];
    const [owner, demoted] = [
      await new DashboardClient(service()).signIn(email),
      await new DashboardClient(service()).signIn(other),
    ];
    await demoted.post(`/team/${await idOf(email)}/link`).expect(200);

    await owner.post(`/team/${await idOf(other)}/role`, { role: 'manager' }).expect(303);

    await owner.get('/team').expect(/is now manager/);
    expect(await openLinks()).toEqual([]);
    await demoted.get('/api-keys/new').expect(403);
    await owner.post(`/team/${await idOf(email)}/role`, { role: 'manager' }).expect(303);
    await owner.get('/team').expect(/an account needs at least one owner/);
  });

  it('says that the API keys of an owner keep working when the owner gets another role', async () => {
    const email = await aUser(service(), accountId);
    const owner = await signIn(service(), accountId);
    await service()
      .container.get(IssueApiKey)
      .execute({ ...byUser(await idOf(email)), name: 'Deploy' });

    await owner.post(`/team/${await idOf(email)}/role`, { role: 'manager' }).expect(303);

    await owner.get('/team').expect(/is now manager\. An API key of this user still works/);
  });

  it('asks on removal of a user whether to keep or revoke the API keys of that user', async () => {
    const leaving = await aUser(service(), accountId);
    const owner = await signIn(service(), accountId);
    const { key } = await service()
      .container.get(IssueApiKey)
      .execute({ ...byUser(await idOf(leaving)), name: 'Deploy', scope: 'READ' });
    const path = `/team/${await idOf(leaving)}/remove`;
    const { keyId } = key.toState();

    await owner
      .get(path)
      .expect(200)
      .expect(/an active API key/)
      .expect(new RegExp(keyId));
    await owner
      .post(path)
      .expect(400)
      .expect(/Must be revoke or keep/);
    await owner.post(path, { keys: 'revoke' }).expect(303);

    await owner.get('/team').expect(/Their API key was revoked/);
    expect((await service().container.get<ApiKeyReader>(ApiKeyReader).find(keyId))?.toState().revokedAt).not.toBeNull();
    await owner.get(path).expect(404);
  });

  it('lists and revokes on removal of a user also the API keys that were created with their keys', async () => {
    const leaving = await aUser(service(), accountId);
    const owner = await signIn(service(), accountId);
    const first = await service()
      .container.get(IssueApiKey)
      .execute({ ...byUser(await idOf(leaving)), name: 'First', scope: 'ADMIN' });
    const createKey = async (key: string, name: string) =>
      (await api(service(), key).post('/api/keys', { name, scope: 'ADMIN' }).expect(201)).body as {
        key_id: string;
        key: string;
      };
    const second = await createKey(first.text, 'Second');
    const third = await createKey(second.key, 'Third');
    const unrelated = await createKey(await service().key(accountId), 'Unrelated');
    await service().container.get(RevokeApiKey).execute({ accountId, actor: OPERATOR, keyId: second.key_id });
    const path = `/team/${await idOf(leaving)}/remove`;

    const { text } = await owner.get(path).expect(200);
    await owner.post(path, { keys: 'revoke' }).expect(303);

    expect(text).toContain(first.key.toState().keyId);
    expect(text).toContain(third.key_id);
    expect(text).not.toContain(second.key_id);
    expect(text).not.toContain(unrelated.key_id);
    await api(service(), first.text).get('/api/domains').expect(401);
    await api(service(), third.key).get('/api/domains').expect(401);
    await api(service(), unrelated.key).get('/api/domains').expect(200);
  });
});
