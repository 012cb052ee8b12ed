import { InviteUser } from '../../../../src/application/access/users/invite-user';
import { SetPassword } from '../../../../src/application/access/users/set-password';
import { OPERATOR } from '../../../../src/domain/access/actor';
import { AuditReader } from '../../../../src/application/ports/access/audit-and-events';
import { UserReader } from '../../../../src/application/ports/access/users';
import { api, registered, startService, type TestService } from '../../../support/service/service';
import { aUser, PASSWORD, signIn, DashboardClient } from '../../../support/dashboard/dashboard-client';

const LINK = /\/set-up\?token=([\w-]{43})/;
const NEW_PASSWORD = 'eleven amber lighthouses';
const alike = (text: string, email: string) =>
  text
    .replaceAll(email, 'EMAIL')
    .replaceAll(/set-up\?token=[\w-]{43}/g, 'LINK')
    .replaceAll(/usr_\w+|value="[\w.]{100,}"/g, '')
    .replaceAll(/\d\d:\d\d(:[\d.]+)?/g, 'TIME');

describe('the team in the dashboard', () => {
  let service: TestService;
  let accountId: string;

  beforeAll(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    accountId = await service.account();
  });
  afterAll(() => service.stop());

  const idOf = async (email: string) =>
    (await service.container.get<UserReader>(UserReader).ofEmail(email))[0]?.id ?? '';

  it('invites a user by a set-up link that is shown once and works once', async () => {
    const owner = await signIn(service, accountId);

    const { text } = await owner.post('/team', { email: 'New.Person@example.com', role: 'manager' }).expect(200);
    const [, token = ''] = LINK.exec(text) ?? [];
    await owner.get('/team').expect(/new\.person@example\.com[\s\S]*invited/);
    const invited = new DashboardClient(service);
    await invited.get(`/set-up?token=${token}`).expect(200);
    await invited.post('/set-up', { token, password: PASSWORD }).expect(303);

    await invited.get('/team').expect(200).expect(/>you</);
    await invited.get('/api-keys/new').expect(403);
    expect((await owner.get('/team')).text).not.toContain(token);
  });

  it('shows for how many domains the tags of an invitation or a role are, and warns of tags that no domain has', async () => {
    const admin = api(service, await service.key(accountId));
    for (const name of ['tagged-one', 'tagged-two'])
      await admin.put(`/api/domains/${await registered(admin, `${name}.com`)}/tags`, { tags: ['shop'] }).expect(200);
    const owner = await signIn(service, accountId);
    const invite = async (email: string, tags: string) =>
      (await owner.post('/team', { email, role: 'dns-editor', tags }).expect(200)).text;
    const changeRole = async (email: string, tags: string) => {
      await owner.post(`/team/${await idOf(email)}/role`, { role: 'viewer', tags }).expect(303);
      return (await owner.get('/team')).text;
    };

    const [all, some] = [await invite('all@example.com', ''), await invite('some@example.com', 'shop, shpo')];
    expect(all).toMatch(/Role: DNS editor\s*\./);
    expect(some).toMatch(/Role: DNS editor for domains tagged shop, shpo, 2 domains now\./);
    expect(some).toContain('No domain has the tag shpo. Check the spelling.');
    expect(await invite('none@example.com', 'shpo')).toContain(
      'No domain has the tag shpo: the user will see no domain until one has. Check the spelling.',
    );
    expect(await changeRole('all@example.com', 'shop')).toContain(
      'is now viewer for domains tagged shop, 2 domains now.',
    );
    expect(await changeRole('all@example.com', 'shpo')).toContain('No domain has the tag shpo: the user will see');
  });

  it('rejects an invitation with an invalid e-mail or with one that the account has already', async () => {
    const owner = await signIn(service, accountId);
    const taken = await aUser(service, accountId);

    await owner
      .post('/team', { email: 'no address', role: 'manager' })
      .expect(400)
      .expect(/id="email-error">Must be an e-mail address/);
    await owner
      .post('/team', { email: taken, role: 'manager' })
      .expect(400)
      .expect(/id="email-error">Belongs to a person of the account already/);
    await owner.post('/team', { email: 'x@example.com', role: 'king' }).expect(400);
  });

  it('gives the same response whether or not the e-mail exists in another account', async () => {
    const [owner, elsewhere] = [await signIn(service, accountId), await aUser(service, await service.account())];
    const fresh = elsewhere.replace('person', 'newcomer');

    await owner.get('/team').expect(200);
    const answers = [
      await owner.post('/team', { email: elsewhere, role: 'manager' }).expect(200),
      await owner
        .get('/team')
        .expect(200)
        .then(() => owner.post('/team', { email: fresh, role: 'manager' }).expect(200)),
    ];

    expect(alike(answers[0]?.text ?? '', elsewhere)).toBe(alike(answers[1]?.text ?? '', fresh));
    const token = LINK.exec(answers[0]?.text ?? '')?.[1] ?? '';
    const invited = new DashboardClient(service);
    await invited.get(`/set-up?token=${token}`).expect(200);
    await invited.post('/set-up', { token, password: NEW_PASSWORD }).expect(303);
    await new DashboardClient(service).signIn(elsewhere);
    await new DashboardClient(service).signIn(elsewhere, NEW_PASSWORD);
  });

  it('asks for the account if e-mail and password match several', async () => {
    const email = await aUser(service, await service.account());
    const { token } = await service.container
      .get(InviteUser)
      .execute({ accountId, actor: OPERATOR, email, role: 'manager' });
    await service.container.get(SetPassword).execute({ token, password: PASSWORD });
    const dashboard = new DashboardClient(service);
    await dashboard.get('/sign-in');

    await dashboard
      .post('/sign-in', { email, password: PASSWORD })
      .expect(409)
      .expect(/match several accounts: Choose one/)
      .expect(new RegExp(`name="account" value="${accountId}"`));
    await dashboard.post('/sign-in', { email, password: PASSWORD, account: accountId }).expect(303);

    await dashboard.get('/settings').expect(200).expect(new RegExp(accountId));
  });

  it('lets only owners manage users', async () => {
    const member = await signIn(service, accountId, 'manager');
    const other = await idOf(await aUser(service, accountId));

    expect((await member.get('/team').expect(200)).text).not.toContain('Invite a user');
    await member.post('/team', { email: 'x@example.com', role: 'owner' }).expect(403);
    await member.post(`/team/${other}/link`).expect(403);
    await member.post(`/team/${other}/remove`).expect(403);
  });

  it('responds with 404 for users of another account', async () => {
    const owner = await signIn(service, accountId);
    const stranger = await idOf(await aUser(service, await service.account()));

    await owner.post(`/team/${stranger}/link`).expect(404);
    await owner.post(`/team/${stranger}/remove`).expect(404);
  });

  it('signs a removed user out, and does not let owners remove themselves', async () => {
    const email = await aUser(service, accountId);
    const owner = await new DashboardClient(service).signIn(email);
    const other = await aUser(service, accountId);
    const removed = await new DashboardClient(service).signIn(other);

    await owner.post(`/team/${await idOf(other)}/remove`).expect(303);
    await owner.post(`/team/${await idOf(email)}/remove`).expect(303);

    await owner
      .get('/team')
      .expect(200)
      .expect(/owners cannot remove themselves/);
    await removed.get('/').expect(303);
    const [entry] = await service.container
      .get<AuditReader>(AuditReader)
      .page(accountId, { action: 'user.removed' }, 1);
    expect(entry).toMatchObject({ actor: { kind: 'user', id: await idOf(email) }, subject: other });
  });

  it('changes the password, which ends the other sessions of the user', async () => {
    const email = await aUser(service, accountId);
    const [here, there] = [
      await new DashboardClient(service).signIn(email),
      await new DashboardClient(service).signIn(email),
    ];

    await here
      .post('/settings/password', { current_password: 'wrong', new_password: NEW_PASSWORD })
      .expect(400)
      .expect(/id="current_password-error">Is not right/);
    await here
      .post('/settings/password', { current_password: PASSWORD, new_password: 'short' })
      .expect(400)
      .expect(/id="new_password-error">Must have 12 to 72/);
    await there.get('/settings').expect(200);
    await here.post('/settings/password', { current_password: PASSWORD, new_password: NEW_PASSWORD }).expect(303);

    await here
      .get('/settings')
      .expect(200)
      .expect(/your other sessions have ended/);
    await there.get('/settings').expect(303);
    await new DashboardClient(service).signIn(email, NEW_PASSWORD);
  });

  it('lists the sessions of the user and ends one or all', async () => {
    const email = await aUser(service, accountId);
    const [here, there, elsewhere] = [
      await new DashboardClient(service).signIn(email),
      await new DashboardClient(service).signIn(email),
      await new DashboardClient(service).signIn(email),
    ];
    const { text } = await here.get('/settings').expect(200);
    const ids = [...text.matchAll(/\/settings\/sessions\/(ses_\w+)\/end/g)].map(([, id]) => id);
    expect(ids).toHaveLength(2);

    await here.post(`/settings/sessions/${ids[0]}/end`).expect(303);
    const left = await Promise.all([there.get('/settings'), elsewhere.get('/settings')]);
    expect(new Set(left.map(({ status }) => status))).toEqual(new Set([200, 303]));
    await here.get('/settings');
    await here.post('/settings/sessions/end-all').expect(303);

    for (const dashboard of [here, there, elsewhere]) await dashboard.get('/settings').expect(303);
  });

  it('responds with 404 for the session of another user', async () => {
    const email = await aUser(service, accountId);
    const [one, other] = [
      await new DashboardClient(service).signIn(email),
      await new DashboardClient(service).signIn(email),
    ];
    const [, id] = /\/settings\/sessions\/(ses_\w+)\/end/.exec((await one.get('/settings')).text) ?? [];
    const stranger = await signIn(service, accountId);

    await stranger.post(`/settings/sessions/${id}/end`).expect(404);
    await other.get('/settings').expect(200);
  });

  it('shows the limits of the service', async () => {
    const dashboard = await signIn(service, accountId);

    await dashboard
      .get('/settings')
      .expect(/no limit/)
      .expect(/10,000 per domain, 100 per name and type/)
      .expect(/End after 12 idle hours, at the latest after 7 days/);
  });
});
