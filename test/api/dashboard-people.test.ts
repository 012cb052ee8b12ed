import { InviteUser } from '../../src/application/access/users/invite-user';
import { SetPassword } from '../../src/application/access/users/set-password';
import { OPERATOR } from '../../src/domain/access/actor';
import { AuditReader } from '../../src/application/ports/access/audit-log';
import { UserReader } from '../../src/application/ports/access/user-repository';
import { startService, type TestService } from '../support/service/service';
import { aPerson, PASSWORD, signedIn, Visitor } from '../support/dashboard/visitor';

const LINK = /\/set-up\?token=([\w-]{43})/;
const NEW_PASSWORD = 'eleven amber lighthouses';
const alike = (text: string, email: string) =>
  text
    .replaceAll(email, 'EMAIL')
    .replaceAll(/set-up\?token=[\w-]{43}/g, 'LINK')
    .replaceAll(/usr_\w+|value="[\w.]{100,}"/g, '')
    .replaceAll(/\d\d:\d\d(:[\d.]+)?/g, 'TIME');

describe('people in the dashboard', () => {
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

  it('are invited by a link that is shown once and opens once', async () => {
    const owner = await signedIn(service, accountId);

    const { text } = await owner.post('/team', { email: 'New.Person@example.com', role: 'member' }).expect(200);
    const [, token = ''] = LINK.exec(text) ?? [];
    await owner.get('/team').expect(/new\.person@example\.com[\s\S]*invited/);
    const invited = new Visitor(service);
    await invited.get(`/set-up?token=${token}`).expect(200);
    await invited.post('/set-up', { token, password: PASSWORD }).expect(303);

    await invited
      .get('/team')
      .expect(200)
      .expect(/this is you/);
    await invited.get('/api-keys/new').expect(403);
    expect((await owner.get('/team')).text).not.toContain(token);
  });

  it('are invited with an address, and one that no other person of the account has', async () => {
    const owner = await signedIn(service, accountId);
    const taken = await aPerson(service, accountId);

    await owner
      .post('/team', { email: 'nobody', role: 'member' })
      .expect(400)
      .expect(/id="email-fault">Must be an e-mail address/);
    await owner
      .post('/team', { email: taken, role: 'member' })
      .expect(400)
      .expect(/id="email-fault">Belongs to a person of the account already/);
    await owner.post('/team', { email: 'x@example.com', role: 'king' }).expect(400);
  });

  it('are invited alike, whether or not their e-mail exists in another account', async () => {
    const [owner, elsewhere] = [await signedIn(service, accountId), await aPerson(service, await service.account())];
    const fresh = elsewhere.replace('person', 'nobody');

    await owner.get('/team').expect(200);
    const answers = [
      await owner.post('/team', { email: elsewhere, role: 'member' }).expect(200),
      await owner
        .get('/team')
        .expect(200)
        .then(() => owner.post('/team', { email: fresh, role: 'member' }).expect(200)),
    ];

    expect(alike(answers[0]?.text ?? '', elsewhere)).toBe(alike(answers[1]?.text ?? '', fresh));
    const token = LINK.exec(answers[0]?.text ?? '')?.[1] ?? '';
    const invited = new Visitor(service);
    await invited.get(`/set-up?token=${token}`).expect(200);
    await invited.post('/set-up', { token, password: NEW_PASSWORD }).expect(303);
    await new Visitor(service).signIn(elsewhere);
    await new Visitor(service).signIn(elsewhere, NEW_PASSWORD);
  });

  it('choose their account where e-mail and password open several', async () => {
    const email = await aPerson(service, await service.account());
    const { token } = await service.container
      .get(InviteUser)
      .execute({ accountId, actor: OPERATOR, email, role: 'member' });
    await service.container.get(SetPassword).execute({ token, password: PASSWORD });
    const visitor = new Visitor(service);
    await visitor.get('/sign-in');

    await visitor
      .post('/sign-in', { email, password: PASSWORD })
      .expect(409)
      .expect(/open several accounts: Choose one/)
      .expect(new RegExp(`name="account" value="${accountId}"`));
    await visitor.post('/sign-in', { email, password: PASSWORD, account: accountId }).expect(303);

    await visitor.get('/settings').expect(200).expect(new RegExp(accountId));
  });

  it('are managed by owners only', async () => {
    const member = await signedIn(service, accountId, 'member');
    const other = await idOf(await aPerson(service, accountId));

    expect((await member.get('/team').expect(200)).text).not.toContain('Invite somebody');
    await member.post('/team', { email: 'x@example.com', role: 'owner' }).expect(403);
    await member.post(`/team/${other}/link`).expect(403);
    await member.post(`/team/${other}/remove`).expect(403);
  });

  it('are not found in another account', async () => {
    const owner = await signedIn(service, accountId);
    const stranger = await idOf(await aPerson(service, await service.account()));

    await owner.post(`/team/${stranger}/link`).expect(404);
    await owner.post(`/team/${stranger}/remove`).expect(404);
  });

  it('are signed out when they are removed, and never oneself', async () => {
    const email = await aPerson(service, accountId);
    const owner = await new Visitor(service).signIn(email);
    const other = await aPerson(service, accountId);
    const removed = await new Visitor(service).signIn(other);

    await owner.post(`/team/${await idOf(other)}/remove`).expect(303);
    await owner.post(`/team/${await idOf(email)}/remove`).expect(303);

    await owner
      .get('/team')
      .expect(200)
      .expect(/You cannot remove yourself/);
    await removed.get('/').expect(303);
    const [entry] = await service.container
      .get<AuditReader>(AuditReader)
      .page(accountId, { action: 'user.removed' }, 1);
    expect(entry).toMatchObject({ actor: { kind: 'user', id: await idOf(email) }, subject: other });
  });

  it('change their password, which ends their other sessions', async () => {
    const email = await aPerson(service, accountId);
    const [here, there] = [await new Visitor(service).signIn(email), await new Visitor(service).signIn(email)];

    await here
      .post('/settings/password', { current_password: 'wrong', new_password: NEW_PASSWORD })
      .expect(400)
      .expect(/id="current_password-fault">Is not right/);
    await here
      .post('/settings/password', { current_password: PASSWORD, new_password: 'short' })
      .expect(400)
      .expect(/id="new_password-fault">Must have 12 to 72/);
    await there.get('/settings').expect(200);
    await here.post('/settings/password', { current_password: PASSWORD, new_password: NEW_PASSWORD }).expect(303);

    await here
      .get('/settings')
      .expect(200)
      .expect(/signed out everywhere else/);
    await there.get('/settings').expect(303);
    await new Visitor(service).signIn(email, NEW_PASSWORD);
  });

  it('see where they are signed in and end one session, or all', async () => {
    const email = await aPerson(service, accountId);
    const [here, there, elsewhere] = [
      await new Visitor(service).signIn(email),
      await new Visitor(service).signIn(email),
      await new Visitor(service).signIn(email),
    ];
    const { text } = await here.get('/settings').expect(200);
    const ids = [...text.matchAll(/\/settings\/sessions\/(ses_\w+)\/end/g)].map(([, id]) => id);
    expect(ids).toHaveLength(2);

    await here.post(`/settings/sessions/${ids[0]}/end`).expect(303);
    const left = await Promise.all([there.get('/settings'), elsewhere.get('/settings')]);
    expect(new Set(left.map(({ status }) => status))).toEqual(new Set([200, 303]));
    await here.get('/settings');
    await here.post('/settings/sessions/end-all').expect(303);

    for (const visitor of [here, there, elsewhere]) await visitor.get('/settings').expect(303);
  });

  it('cannot end somebody else’s session', async () => {
    const email = await aPerson(service, accountId);
    const [one, other] = [await new Visitor(service).signIn(email), await new Visitor(service).signIn(email)];
    const [, id] = /\/settings\/sessions\/(ses_\w+)\/end/.exec((await one.get('/settings')).text) ?? [];
    const stranger = await signedIn(service, accountId);

    await stranger.post(`/settings/sessions/${id}/end`).expect(404);
    await other.get('/settings').expect(200);
  });

  it('see the limits in force', async () => {
    const visitor = await signedIn(service, accountId);

    await visitor
      .get('/settings')
      .expect(/no limit/)
      .expect(/10,000 a domain, 100 of one name and type/)
      .expect(/12 hours without a request, 7 days at most/);
  });
});
