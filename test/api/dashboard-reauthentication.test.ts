import { ChangeAccountSettings } from '../../src/application/access/change-account-settings';
import { ApiKeyReader } from '../../src/application/ports/access/access-repositories';
import { AuditReader } from '../../src/application/ports/access/audit-log';
import { SessionReader } from '../../src/application/ports/access/session-repository';
import { UserReader } from '../../src/application/ports/access/user-repository';
import { UnitOfWork } from '../../src/application/ports/storage/unit-of-work';
import { Clock } from '../../src/application/ports/system/clock';
import { OPERATOR } from '../../src/domain/access/actor';
import type { Role } from '../../src/domain/access/role';
import { onBothDatabases } from '../support/databases/databases';
import { aPerson, PASSWORD, signedIn, Visitor } from '../support/dashboard/visitor';
import { api, registered, type Api } from '../support/service/service';

const TEN_MINUTES_MS = 600_000;
const ASKED = /Confirm your password/;

onBothDatabases('sensitive steps in the dashboard', (service) => {
  let accountId: string;
  let client: Api;
  let serial = 0;
  beforeEach(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
  });

  const aDomain = () => registered(client, `reauth-${accountId.slice(-8)}-${(serial += 1)}.com`);
  const userOf = async (email: string) =>
    (await service().container.get<UserReader>(UserReader).ofEmail(email))[0]?.id ?? '';
  const keysOf = async () => (await service().container.get<ApiKeyReader>(ApiKeyReader).ofAccount(accountId)).length;

  /** A person whose password was entered `agoMs` ago in the only session. */
  async function signedInAgo(agoMs: number, role: Role = 'owner') {
    const email = await aPerson(service(), accountId, role);
    const visitor = await new Visitor(service()).signIn(email);
    const [session] = await service()
      .container.get<SessionReader>(SessionReader)
      .ofUser(await userOf(email));
    const at = new Date(service().container.get<Clock>(Clock).now().getTime() - agoMs);
    await service()
      .container.get<UnitOfWork>(UnitOfWork)
      .run(({ sessions }) => sessions.authenticated(session?.digest ?? '', at));
    return { visitor, email };
  }

  it('need no password again for ten minutes', async () => {
    const { visitor } = await signedInAgo(TEN_MINUTES_MS - 60_000);

    await visitor
      .post(`/domains/${await aDomain()}/auth-code`)
      .expect(200)
      .expect(/aria-label="the auth code"/);
  });

  it('ask for the password after that, keep what was entered, and go on with the right one', async () => {
    const { visitor } = await signedInAgo(TEN_MINUTES_MS);
    const keys = await keysOf();

    const { text } = await visitor.post('/api-keys', { name: '"Deploy" <x>', scope: 'READ' }).expect(403).expect(ASKED);
    expect(text).toContain('<form method="post" action="/api-keys"');
    expect(text).toContain('<input type="hidden" name="name" value="&quot;Deploy&quot; &lt;x>"');
    await visitor
      .post('/api-keys', { name: 'Deploy', scope: 'READ', confirm_password: 'wrong' })
      .expect(400)
      .expect(/Is not right/);
    expect(await keysOf()).toBe(keys);
    await visitor
      .post('/api-keys', { name: 'Deploy', scope: 'READ', confirm_password: PASSWORD })
      .expect(200)
      .expect(/Your new API key/);

    expect(await keysOf()).toBe(keys + 1);
    await visitor.get('/team');
    await visitor.post('/team', { email: `next-${accountId}@example.com`, role: 'member' }).expect(200);
  });

  it('are auth codes, unlocking, deletion, keys, invitations, set-up links, roles, removals and what members may do', async () => {
    const { visitor, email } = await signedInAgo(TEN_MINUTES_MS);
    const [id, other] = [await aDomain(), await userOf(await aPerson(service(), accountId))];
    const keyId = (await service().container.get<ApiKeyReader>(ApiKeyReader).ofAccount(accountId))[0]?.toState().keyId;
    const steps = [
      `/domains/${id}/auth-code`,
      `/domains/${id}/transfer-lock`,
      `/domains/${id}/delete`,
      '/api-keys',
      `/api-keys/${keyId}/rotate`,
      '/team',
      `/team/${await userOf(email)}/link`,
      `/team/${other}/role`,
      `/team/${other}/remove`,
      '/team/members-may-transfer',
    ];

    for (const step of steps)
      await visitor.post(step, { on: 'no', name: 'x', role: 'member' }).expect(403).expect(ASKED);

    await client
      .get(`/api/domains/${id}`)
      .expect(200)
      .expect(({ body }) => expect(body).toMatchObject({ transfer_locked: true }));
    await visitor.post(`/domains/${id}/transfer-lock`, { on: 'yes' }).expect(303);
  });

  it('are refused to members, in pages and in requests, unless the account allows them', async () => {
    const { visitor } = await signedInAgo(0, 'member');
    const id = await aDomain();
    const steps = [`/domains/${id}/auth-code`, `/domains/${id}/transfer-lock`, `/domains/${id}/delete`];
    expect((await visitor.get(`/domains/${id}`).expect(200)).text).not.toMatch(
      /auth-code|\/delete|action="[^"]*transfer-lock/,
    );

    await visitor
      .get(`/domains/${id}/delete`)
      .expect(403)
      .expect(/An owner can allow it/);
    for (const step of steps)
      await visitor
        .post(step, { on: 'no' })
        .expect(403)
        .expect(/An owner can allow it/);
    await visitor.post(`/domains/${id}/transfer-lock`, { on: 'yes' }).expect(303);
    const owner = await signedIn(service(), accountId);
    await owner.get('/team');
    await owner.post('/team/members-may-transfer', { on: 'yes' }).expect(303);

    await visitor.get(`/domains/${id}`).expect(/Get an auth code/);
    await visitor.post(`/domains/${id}/auth-code`).expect(200);
    const [entry] = await service()
      .container.get<AuditReader>(AuditReader)
      .page(accountId, { action: 'account.changed' }, 2);
    expect(entry).toMatchObject({ before: { membersMayTransfer: false }, after: { membersMayTransfer: true } });
    await owner.get('/activity').expect(/allowed members to unlock, transfer and delete domains/);
  });

  it('are not opened to members by members', async () => {
    const { visitor } = await signedInAgo(0, 'member');
    const user = { kind: 'user', id: await userOf(await aPerson(service(), accountId, 'member')) } as const;

    await visitor.post('/team/members-may-transfer', { on: 'yes' }).expect(403);
    await expect(
      service()
        .container.get(ChangeAccountSettings)
        .execute({ accountId, actor: user, settings: { membersMayTransfer: true } }),
    ).rejects.toMatchObject({ code: 'ROLE_FORBIDS' });
    await expect(
      service()
        .container.get(ChangeAccountSettings)
        .execute({ accountId: 'acc_unknown', actor: OPERATOR, settings: { membersMayTransfer: true } }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
