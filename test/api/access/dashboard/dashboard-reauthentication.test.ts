import { ChangeAccountSettings } from '../../../../src/application/access/change-account-settings';
import { ApiKeyReader } from '../../../../src/application/ports/access/accounts-and-api-keys';
import { AuditReader } from '../../../../src/application/ports/access/audit-and-events';
import { SessionReader, UserReader } from '../../../../src/application/ports/access/users';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { Clock } from '../../../../src/application/ports/system';
import { OPERATOR } from '../../../../src/domain/access/actor';
import type { Role } from '../../../../src/domain/access/people/role';
import { onBothDatabases } from '../../../support/databases/databases';
import { aUser, PASSWORD, signIn, DashboardClient } from '../../../support/dashboard/dashboard-client';
import { api, registered, startService, type Api, type TestService } from '../../../support/service/service';

const TEN_MINUTES_MS = 600_000;
const REGISTRANT_FIELDS = {
  auto_renew: 'on',
  nameservers: '',
  first_name: 'Grace',
  last_name: 'Hopper',
  email: 'grace@example.com',
  phone: '+1.2025550123',
  'address.street': '1 Navy Yard',
  'address.city': 'Washington',
  'address.country': 'US',
};
const PASSWORD_FORM = /Confirm your password/;

onBothDatabases('sensitive steps in the dashboard', (service) => {
  let accountId: string;
  let client: Api;
  let serial = 0;
  beforeEach(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
  });

  const aDomain = () => registered(client, `reauth-${accountId.slice(-8)}-${(serial += 1)}.com`);
  const nameOf = async (id: string): Promise<string> => (await client.get(`/api/domains/${id}`)).body.name;
  const userOf = async (email: string) =>
    (await service().container.get<UserReader>(UserReader).ofEmail(email))[0]?.id ?? '';
  const keysOf = async () => (await service().container.get<ApiKeyReader>(ApiKeyReader).ofAccount(accountId)).length;

  /** Signs a user in whose password was entered `agoMs` ago. */
  async function signedInAgo(agoMs: number, role: Role = 'owner') {
    const email = await aUser(service(), accountId, role);
    const dashboard = await new DashboardClient(service()).signIn(email);
    const [session] = await service()
      .container.get<SessionReader>(SessionReader)
      .ofUser(await userOf(email));
    const at = new Date(service().container.get<Clock>(Clock).now().getTime() - agoMs);
    await service()
      .container.get(UnitOfWork)
      .run(({ sessions }) => sessions.recordAuthentication(session?.digest ?? '', at));
    return { dashboard, email };
  }

  it('need no password within ten minutes after it was entered', async () => {
    const { dashboard } = await signedInAgo(TEN_MINUTES_MS - 60_000);

    const id = await aDomain();

    await dashboard
      .post(`/domains/${id}/auth-code`, { confirm_name: await nameOf(id) })
      .expect(200)
      .expect(/aria-label="the auth code"/);
  });

  it('name the step and its domain when they ask for the password', async () => {
    const { dashboard } = await signedInAgo(TEN_MINUTES_MS);
    const id = await aDomain();
    const name = await nameOf(id);

    const { text } = await dashboard.post(`/domains/${id}/auth-code`, { confirm_name: name }).expect(403);

    expect(text).toContain(`You are about to <strong>issue an auth code for ${name}</strong>`);
    expect(text).toContain(`<title>Error: Confirm: issue an auth code for ${name}`);
  });

  it('ask for the password after ten minutes, and continue with the submitted form', async () => {
    const { dashboard } = await signedInAgo(TEN_MINUTES_MS);
    const keys = await keysOf();
    await dashboard.get('/api-keys/new').expect(200);

    const { text } = await dashboard
      .post('/api-keys', { name: '"Deploy" <x>', scope: 'READ' })
      .expect(403)
      .expect(PASSWORD_FORM);
    expect(text).toContain('<form method="post" action="/api-keys"');
    expect(text).toContain('<input type="hidden" name="name" value="&quot;Deploy&quot; &lt;x>"');
    expect(text).toContain('<a class="button" href="/api-keys/new">Cancel');
    expect(text.match(/name="_return_path"/g)).toHaveLength(3);
    await dashboard
      .post('/api-keys', { name: 'Deploy', scope: 'READ', confirm_password: 'wrong' })
      .expect(400)
      .expect(/Is not right/);
    expect(await keysOf()).toBe(keys);
    await dashboard
      .post('/api-keys', { name: 'Deploy', scope: 'READ', confirm_password: PASSWORD })
      .expect(200)
      .expect(/Your new API key/);

    expect(await keysOf()).toBe(keys + 1);
    await dashboard.get('/team');
    await dashboard.post('/team', { email: `next-${accountId}@example.com`, role: 'manager' }).expect(200);
  });

  it('are auth codes, unlocking, deletion, API keys, webhooks, invitations, set-up links, roles, removals and permissions of members', async () => {
    const { dashboard, email } = await signedInAgo(TEN_MINUTES_MS);
    const [id, other] = [await aDomain(), await userOf(await aUser(service(), accountId))];
    const keyId = (await service().container.get<ApiKeyReader>(ApiKeyReader).ofAccount(accountId))[0]?.toState().keyId;
    const steps = [
      `/domains/${id}/auth-code`,
      `/domains/${id}/transfer-lock`,
      `/domains/${id}/delete`,
      `/domains/${id}/release`,
      '/api-keys',
      `/api-keys/${keyId}/rotate`,
      '/webhooks',
      '/webhooks/whk_1/settings',
      '/webhooks/whk_1/rotate',
      '/team',
      `/team/${await userOf(email)}/link`,
      `/team/${other}/role`,
      `/team/${other}/remove`,
      '/team/members-may-transfer',
    ];

    for (const step of steps)
      await dashboard.post(step, { on: 'no', name: 'x', role: 'manager' }).expect(403).expect(PASSWORD_FORM);

    await client
      .get(`/api/domains/${id}`)
      .expect(200)
      .expect(({ body }) => expect(body).toMatchObject({ transfer_locked: true }));
    await dashboard.post(`/domains/${id}/transfer-lock`, { on: 'yes' }).expect(303);
  });

  it('are refused to managers unless the account allows them', async () => {
    const { dashboard } = await signedInAgo(0, 'manager');
    const id = await aDomain();
    const steps = [`/domains/${id}/auth-code`, `/domains/${id}/transfer-lock`, `/domains/${id}/delete`];
    expect((await dashboard.get(`/domains/${id}`).expect(200)).text).not.toMatch(
      /auth-code|\/delete|action="[^"]*transfer-lock/,
    );

    await dashboard
      .get(`/domains/${id}/delete`)
      .expect(403)
      .expect(/An owner can allow it to managers/);
    for (const step of steps)
      await dashboard
        .post(step, { on: 'no' })
        .expect(403)
        .expect(/An owner can allow it to managers/);
    await dashboard.post(`/domains/${id}/transfer-lock`, { on: 'yes' }).expect(303);
    const owner = await signIn(service(), accountId);
    await owner.get('/team');
    await owner.post('/team/members-may-transfer', { on: 'yes' }).expect(303);

    await dashboard.get(`/domains/${id}`).expect(/Get an auth code/);
    await dashboard.post(`/domains/${id}/auth-code`, { confirm_name: await nameOf(id) }).expect(200);
    const [entry] = await service()
      .container.get<AuditReader>(AuditReader)
      .page(accountId, { action: 'account.changed' }, 2);
    expect(entry).toMatchObject({ before: { membersMayTransfer: false }, after: { membersMayTransfer: true } });
    await owner.get('/activity').expect(/allowed members to unlock, transfer and delete domains/);
  });

  it('cannot be allowed to members by members', async () => {
    const { dashboard } = await signedInAgo(0, 'manager');
    const user = { kind: 'user', id: await userOf(await aUser(service(), accountId, 'manager')) } as const;

    await dashboard.post('/team/members-may-transfer', { on: 'yes' }).expect(403);
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

describe('an order in the dashboard, if orders from 20 on need confirmation', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ CONFIRM_ORDERS_FROM: '20' });
  });
  afterAll(() => service.stop());

  it('asks for the password by the sum of its prices, and is carried out after it', async () => {
    const accountId = await service.account();
    const dashboard = await signIn(service, accountId);
    const owner = (await service.container.get<UserReader>(UserReader).ofAccount(accountId))[0]?.id ?? '';
    for (const { digest } of await service.container.get<SessionReader>(SessionReader).ofUser(owner))
      await service.container.get(UnitOfWork).run(({ sessions }) => sessions.recordAuthentication(digest, new Date(0)));
    const order = (agreed: readonly string[], fields: Record<string, string> = {}) =>
      dashboard.postMany('/register/order', {
        ...Object.fromEntries(
          Object.entries({ ...REGISTRANT_FIELDS, ...fields }).map(([key, value]) => [key, [value]]),
        ),
        agreed,
      });
    const both = ['confirm-one.com 1 1044 USD', 'confirm-two.net 1 1184 USD'];

    await order(['confirm-none.com 1 1044 USD']).expect(303);
    await dashboard.get('/domains').expect(200);
    await order(both, { price: '-9999', currency: 'USD' }).expect(403).expect(PASSWORD_FORM);
    await order(both, { confirm_password: PASSWORD }).expect(303);

    expect((await dashboard.get('/domains').expect(200)).text).toContain('2 of 2 domains ordered');
  });
});
