import { generateSync } from 'otplib';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { IssueSetupLink } from '../../../src/application/access/users/issue-setup-link';
import { AuditReader } from '../../../src/application/ports/access/audit-and-events';
import { Passwords } from '../../../src/application/ports/access/authentication';
import { UserReader } from '../../../src/application/ports/access/users';
import { OPERATOR } from '../../../src/domain/access/actor';
import { ROLES, type Role } from '../../../src/domain/access/people/role';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { aUser, DashboardClient, PASSWORD } from '../../support/dashboard/dashboard-client';
import { startService, type TestService } from '../../support/service/service';

const NEW_PASSWORD = 'forty purple umbrellas';
let emails = 0;
const anEmail = () => `several-${(emails += 1)}@example.com`;

const accept = async (client: DashboardClient, token: string, fields: Record<string, string> = {}) => {
  await client.get(`/set-up?token=${token}`).expect(200);
  return client.post('/set-up/join', { token, ...fields });
};
const switchTo = async (client: DashboardClient, account: string) => {
  await client.get('/settings').expect(200);
  return client.post('/switch-account', { account });
};
const accountOf = async (client: DashboardClient) =>
  /<dt>Account ID<\/dt><dd><code>([^<]+)/.exec((await client.get('/settings')).text)?.[1];

describe('a person in several accounts', () => {
  let service: TestService;
  let [first, second] = ['', ''];
  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0', REQUIRE_SECOND_FACTOR: 'none' });
    [first, second] = [await service.account(), await service.account()];
  });
  afterAll(() => service.stop());

  const users = () => service.container.get<UserReader>(UserReader);
  const userOf = async (email: string, accountId: string) =>
    (await users().ofEmail(email)).find((user) => user.toState().accountId === accountId)?.toState();
  const invite = async (accountId: string, role: Role = 'manager', email = anEmail()) => {
    const { token } = await service.container.get(InviteUser).execute({ accountId, actor: OPERATOR, email, role });
    return { email, token };
  };
  const linkFor = async (email: string, accountId: string) => {
    const userId = (await userOf(email, accountId))?.id ?? '';
    const { token } = await service.container.get(IssueSetupLink).execute({ accountId, actor: OPERATOR, userId });
    return token;
  };
  const signedIn = async (email: string, password = PASSWORD) => new DashboardClient(service).signIn(email, password);
  const setPassword = async (token: string, fields: Record<string, string> = {}) => {
    const client = new DashboardClient(service);
    await client.get(`/set-up?token=${token}`).expect(200);
    return { client, response: await client.post('/set-up', { token, password: NEW_PASSWORD, ...fields }) };
  };

  /** A person who is in both accounts, and a browser in which they are in the second. */
  async function aPerson(role: Role = 'manager') {
    const email = await aUser(service, first, 'manager', anEmail());
    const client = await signedIn(email);
    await accept(client, (await invite(second, role)).token).then(({ status }) => expect(status).toBe(303));
    return { email, client };
  }

  it('joins by accepting an invitation while signed in, under their own e-mail, and is in the new account then', async () => {
    const email = await aUser(service, first, 'viewer', anEmail());
    const client = await signedIn(email);
    const invitation = await invite(second, 'dns-editor');

    const { text } = await client.get(`/set-up?token=${invitation.token}`).expect(200);
    await client.post('/set-up/join', { token: invitation.token }).expect(303);

    expect(text).toContain(`You are signed in as ${email}.`);
    expect(await accountOf(client)).toBe(second);
    await client
      .get('/domains/dom_of_the_first')
      .expect(404)
      .expect(/another of your accounts, switch to that account first/);
    expect(await userOf(email, second)).toMatchObject({ role: 'dns-editor', linked: true });
    expect(await users().ofEmail(invitation.email)).toEqual([]);
    const [entry] = await service.container.get<AuditReader>(AuditReader).page(second, {}, 1);
    expect(entry).toMatchObject({ action: 'user.joined', subject: email });
    await client.get(`/set-up?token=${invitation.token}`).expect(404);
  });

  it('begins in the account that they used last, in any browser', async () => {
    const { email, client } = await aPerson();
    expect(await accountOf(await signedIn(email))).toBe(second);

    await switchTo(client, first);
    expect(await accountOf(await signedIn(email))).toBe(first);
    await switchTo(client, second);
    await client.post('/sign-out');
    expect(await accountOf(await signedIn(email))).toBe(second);
  });

  it('is led back to the invitation by sign-in, without the token in another URL', async () => {
    const email = await aUser(service, first, 'viewer', anEmail());
    const { token } = await invite(second);
    const client = new DashboardClient(service);
    await client.get(`/set-up?token=${token}`).expect(200);
    const { text } = await client.post('/set-up/sign-in', { token }).expect(200);
    const next = /name="next" value="([^"]+)"/.exec(text)?.[1] ?? '';

    await client.post('/sign-in', { email, password: PASSWORD, next }).expect(303).expect('Location', next);

    await accept(client, token).then(({ status }) => expect(status).toBe(303));
  });

  it.each(ROLES)('has in each account the role of that account, such as %s', async (role) => {
    const { email, client } = await aPerson(role);
    const sends = async () => (await client.get('/team')).text.includes('Invite a user');

    const [inSecond, posted] = [await sends(), await client.post('/tags-that-do-not-exist', {})];
    await switchTo(client, first).then(({ status }) => expect(status).toBe(303));

    expect(posted.status).toBe(404);
    expect([inSecond, await sends()]).toEqual([role === 'owner', false]);
    expect(await userOf(email, first)).toMatchObject({ role: 'manager' });
    expect(await userOf(email, second)).toMatchObject({ role });
  });

  it('switches in one browser only, and other accounts cannot be chosen', async () => {
    const { email, client } = await aPerson();
    const other = await signedIn(email);

    await switchTo(client, await service.account()).then(({ status }) => expect(status).toBe(404));
    await switchTo(client, first).then(({ status }) => expect(status).toBe(303));

    expect(await accountOf(client)).toBe(first);
    expect(await accountOf(other)).toBe(second);
    await switchTo(other, first);
    await switchTo(client, second);
    expect([await accountOf(client), await accountOf(other)]).toEqual([second, first]);
  });

  it('cannot send a form of one account after switching to another in a second tab', async () => {
    const { client } = await aPerson('owner');
    const { text } = await client.get('/team').expect(200);
    const [, owner = ''] = /name="_owner" value="([^"]+)"/.exec(text) ?? [];
    await switchTo(client, first);
    await client.get('/settings').expect(200);

    const { status, text: page } = await client.post('/bulk', { _owner: owner });

    expect([status, page.includes('belongs to another of your accounts')]).toEqual([403, true]);
    expect(await accountOf(client)).toBe(first);
  });

  it.each(['/settings/sessions/end-all', '/switch-account', '/sign-out'])(
    'can send %s from a page of the other account, because it is about the person',
    async (path) => {
      const { client } = await aPerson('owner');
      const { text } = await client.get('/team').expect(200);
      const [, owner = ''] = /name="_owner" value="([^"]+)"/.exec(text) ?? [];
      await switchTo(client, first);
      await client.get('/settings').expect(200);

      await client.post(path, { _owner: owner, account: second }).expect(303);
    },
  );

  it('gets a form back that they sent from the account of a session that had ended', async () => {
    const { email, client } = await aPerson('owner');
    await client.get('/team').expect(200);
    client.loseCookies();
    const { text } = await client.post('/team', { email: 'new@example.com', role: 'viewer' }).expect(401);
    const [, savedForm = ''] = /name="saved_form" value="([^"]+)"/.exec(text) ?? [];
    await client.get('/sign-in').expect(200);

    const { text: page } = await client
      .post('/sign-in', { email, password: PASSWORD, saved_form: savedForm, next: '/' })
      .expect(200);

    expect(page).toContain('value="new@example.com"');
    expect(await accountOf(client)).toBe(second);
  });

  it('is not linked by an equal e-mail', async () => {
    const email = await aUser(service, first, 'owner', anEmail());
    await aUser(service, second, 'owner', email);
    const client = new DashboardClient(service);
    await client.get('/sign-in').expect(200);
    await client.post('/sign-in', { email, password: PASSWORD, account: first }).expect(303);

    expect((await client.get('/')).text).not.toContain('Switch account');
    await switchTo(client, second).then(({ status }) => expect(status).toBe(404));
  });

  it('cannot join an account in which they are already', async () => {
    const { client } = await aPerson();

    const { status, text } = await accept(client, (await invite(second)).token);

    expect([status, text.includes('belongs to a user of the account already')]).toEqual([400, true]);
  });

  it('loses the link, and nothing else, if someone uses a set-up link for one of their accounts', async () => {
    const { email, client } = await aPerson();
    await switchTo(client, first);
    const taken = await setPassword(await linkFor(email, second));
    expect(taken.response.status).toBe(303);

    expect(await accountOf(taken.client)).toBe(second);
    await switchTo(taken.client, first).then(({ status }) => expect(status).toBe(404));
    expect(await accountOf(client)).toBe(first);
    expect((await client.get('/')).text).not.toContain('Switch account');
    await switchTo(client, second).then(({ status }) => expect(status).toBe(404));
    expect(await accountOf(await signedIn(email))).toBe(first);
    expect(await accountOf(await signedIn(email, NEW_PASSWORD))).toBe(second);
  });

  it('changes the password in all accounts at once', async () => {
    const { email, client } = await aPerson();
    await client.get('/settings').expect(200);
    await client.post('/settings/password', { current_password: PASSWORD, new_password: NEW_PASSWORD }).expect(303);
    await switchTo(client, first);

    expect(await accountOf(client)).toBe(first);
    const [one, other] = [await userOf(email, first), await userOf(email, second)];
    expect(one?.passwordHash).toBe(other?.passwordHash);
    await signedIn(email, NEW_PASSWORD);
  });

  it.each([
    ['the first', 0],
    ['the second', 1],
  ])('stays in the other account after removal from %s', async (_name, which) => {
    const { email, client } = await aPerson();
    const [from, stays] = which === 0 ? [first, second] : [second, first];
    await switchTo(client, stays);
    const owner = await signedIn(await aUser(service, from, 'owner', anEmail()));
    const id = (await userOf(email, from))?.id ?? '';
    await owner.get(`/team/${id}/remove`).expect(200);

    await owner.post(`/team/${id}/remove`).expect(303);

    expect(await accountOf(client)).toBe(stays);
    expect(await accountOf(await signedIn(email))).toBe(stays);
    expect(await userOf(email, from)).toBeUndefined();
  });

  it('has the second factor in all accounts, which a set-up link for one of them needs, and removal from the first does not end', async () => {
    const { email, client } = await aPerson();
    const third = await service.account();
    await accept(client, (await invite(third)).token);
    const { text } = await client.get('/settings/second-factor/app').expect(200);
    const secret = (/id="totp-key"[^>]*>([A-Z2-7 ]+)</.exec(text)?.[1] ?? '').replaceAll(' ', '');
    const sealed = /name="sealed" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const codeOf = (steps: number) =>
      generateSync({ secret, epoch: Math.floor((Date.now() + steps * 30_000) / 1_000) });
    const { text: shown } = await client.post('/settings/second-factor/app', { sealed, code: codeOf(0) }).expect(200);
    const [, recoveryCode = ''] = /id="recovery-codes"[^>]*>(\S+)/.exec(shown) ?? [];

    const token = await linkFor(email, third);
    expect((await setPassword(token)).response.status).toBe(400);
    const stranger = await signedIn(await aUser(service, first, 'viewer', anEmail()));
    expect((await accept(stranger, token)).status).toBe(400);
    expect((await setPassword(token, { code: codeOf(1) })).response.status).toBe(303);

    const { id } = (await userOf(email, first))!;
    const owner = await signedIn(await aUser(service, first, 'owner', anEmail()));
    await owner.get(`/team/${id}/remove`).expect(200);
    await owner.post(`/team/${id}/remove`).expect(303);

    const browser = new DashboardClient(service);
    await browser.get('/sign-in').expect(200);
    const { text: form } = await browser.post('/sign-in', { email, password: PASSWORD }).expect(200);
    const ticket = /name="ticket" value="([^"]+)"/.exec(form)?.[1] ?? '';
    await browser.post('/sign-in/second-factor', { ticket, code: recoveryCode }).expect(303);
    expect(await accountOf(browser)).toBe(second);
  });

  it('is a separate person after an older release, which knows no links, has set a password', async () => {
    const { email, client } = await aPerson();
    const { id, passwordHash } = (await userOf(email, second))!;
    const changed = await service.container.get<Passwords>(Passwords).hash(NEW_PASSWORD, passwordHash ?? undefined);
    await switchTo(client, first);
    const database = new Database(service.config.database, SERVICE_CONTENT);
    await database.open();
    await database.transaction((manager) =>
      manager.query('UPDATE users SET password_hash = ? WHERE id = ?', [changed, id]),
    );
    await database.close();

    await switchTo(client, second).then(({ status }) => expect(status).toBe(404));
    const apart = await signedIn(email, NEW_PASSWORD);

    expect(await accountOf(apart)).toBe(second);
    await switchTo(apart, first).then(({ status }) => expect(status).toBe(404));
  });

  it('cannot try more codes of an authenticator app to be set up by switching accounts', async () => {
    const strict = await startService({ SIGN_IN_ATTEMPTS: '3' });
    try {
      const [one, other] = [await strict.account(), await strict.account()];
      const email = await aUser(strict, one, 'manager', anEmail());
      const client = await new DashboardClient(strict).signIn(email, PASSWORD);
      const invitation = { accountId: other, actor: OPERATOR, email: anEmail(), role: 'manager' } as const;
      const { token } = await strict.container.get(InviteUser).execute(invitation);
      await accept(client, token);
      const tryCode = async () => {
        const { text } = await client.get('/settings/second-factor/app').expect(200);
        const sealed = /name="sealed" value="([^"]+)"/.exec(text)?.[1] ?? '';
        return (await client.post('/settings/second-factor/app', { sealed, code: '000000' })).status;
      };

      const statuses = [await tryCode(), await tryCode()];
      await switchTo(client, one);
      expect([...statuses, await tryCode(), await tryCode()]).toEqual([400, 400, 400, 429]);
    } finally {
      await strict.stop();
    }
  });
});
