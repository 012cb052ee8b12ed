import { generateSync } from 'otplib';
import { RemoveFactors } from '../../../src/application/access/second-factor/remove-factors';
import { AuditReader } from '../../../src/application/ports/access/audit-and-events';
import { FactorReader } from '../../../src/application/ports/access/authentication';
import { SessionReader, UserReader } from '../../../src/application/ports/access/users';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { Role } from '../../../src/domain/access/people/role';
import { IssueSetupLink } from '../../../src/application/access/users/issue-setup-link';
import { aUser, DashboardClient, PASSWORD, signIn } from '../../support/dashboard/dashboard-client';
import { startService, type TestService } from '../../support/service/service';

const STEP_MS = 30_000;
const NEW_PASSWORD = 'forty purple umbrellas';

/** The code that an app shows `steps` of 30 seconds from now. */
function codeOf(secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor((Date.now() + steps * STEP_MS) / 1_000) });
}

const fieldOf = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? '';
const secretOf = (html: string) => (/id="totp-key"[^>]*>([A-Z2-7 ]+)</.exec(html)?.[1] ?? '').replaceAll(' ', '');
const codesOf = (html: string) => /id="recovery-codes"[^>]*>([^<]+)</.exec(html)?.[1]?.split('\n') ?? [];
const isSignedIn = async (client: DashboardClient) => (await client.get('/settings')).status === 200;

/** Signs in and adds an app. */
async function enroll(client: DashboardClient) {
  const { text } = await client.get('/settings/second-factor/app').expect(200);
  const secret = secretOf(text);
  const { text: shown } = await client
    .post('/settings/second-factor/app', { sealed: fieldOf(text, 'sealed'), code: codeOf(secret) })
    .expect(200);
  return { secret, codes: codesOf(shown) };
}

const enterCode = (client: DashboardClient, ticket: string, code: string) =>
  client.post('/sign-in/second-factor', { ticket, code });

describe('sign-in with an authenticator app', () => {
  let service: TestService;
  let accountId: string;
  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    accountId = await service.account();
  });
  afterAll(() => service.stop());

  const userIdOf = async (email: string, at = service) =>
    (await at.container.get<UserReader>(UserReader).ofEmail(email))[0]?.id ?? '';
  const auditOf = async () =>
    (await service.container.get<AuditReader>(AuditReader).page(accountId, {}, 5)).map(({ action }) => action);

  async function enrolled(role: Role = 'owner', at = service, account = accountId) {
    const email = await aUser(at, account, role);
    const client = await new DashboardClient(at).signIn(email);
    const { secret, codes } = await enroll(client);
    return { email, client, secret, codes, userId: await userIdOf(email, at) };
  }

  /** Sends the password and returns the client with the ticket of the form for the second factor. */
  async function enterPassword(email: string, password = PASSWORD) {
    const client = new DashboardClient(service);
    await client.get('/sign-in').expect(200);
    const { text } = await client.post('/sign-in', { email, password, next: '/domains' }).expect(200);
    return { client, ticket: fieldOf(text, 'ticket') };
  }

  it('shows the key as a QR code and as text, and adds the app once its code is right', async () => {
    const client = await signIn(service, accountId);
    const { text } = await client.get('/settings/second-factor/app').expect(200);

    await client
      .post('/settings/second-factor/app', { sealed: fieldOf(text, 'sealed'), code: '000000' })
      .expect(400)
      .expect(new RegExp(fieldOf(text, 'code')))
      .expect(({ text: again }) => expect(secretOf(again)).toBe(secretOf(text)));
    await client
      .post('/settings/second-factor/app', { sealed: 'v1.forged', code: codeOf(secretOf(text)) })
      .expect(400)
      .expect(/no longer valid/);
    const { codes } = await enroll(client);

    expect(text).toMatch(/<svg class="qr-code" role="img" aria-label="QR code for the authenticator app"/);
    expect(secretOf(text)).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(codes).size).toBe(10);
    expect(await auditOf()).toEqual(expect.arrayContaining(['user.totp_added', 'user.recovery_codes_created']));
    await client
      .get('/settings/second-factor')
      .expect(200)
      .expect(/10 left/);
  });

  it('asks for a code after the password, and opens no session before', async () => {
    const { email, secret } = await enrolled();
    const { client, ticket } = await enterPassword(email);

    expect(await isSignedIn(client)).toBe(false);
    await enterCode(client, ticket, '123456')
      .expect(400)
      .expect(/is not right/i);
    expect(await isSignedIn(client)).toBe(false);
    await enterCode(client, ticket, codeOf(secret, 1)).expect(303).expect('Location', '/domains');

    expect(await isSignedIn(client)).toBe(true);
  });

  it('refuses a code that was used, also of an earlier step and by another browser', async () => {
    const { email, secret, userId } = await enrolled();
    const step = Math.floor(Date.now() / STEP_MS) + 1;
    const code = generateSync({ secret, epoch: (step * STEP_MS) / 1_000 });
    const [one, other] = [await enterPassword(email), await enterPassword(email)];
    await enterCode(one.client, one.ticket, code).expect(303);

    await enterCode(other.client, other.ticket, code).expect(400);
    await enterCode(other.client, other.ticket, codeOf(secret)).expect(400);

    const { totp } = await service.container.get<FactorReader>(FactorReader).ofUser(userId);
    expect(totp?.lastStep).toBe(step);
  });

  it('takes each recovery code once, in any case and with spaces', async () => {
    const { email, codes, userId } = await enrolled();
    const [code = ''] = codes;
    const first = await enterPassword(email);
    await enterCode(first.client, first.ticket, ` ${code.toUpperCase().replaceAll('-', ' ')} `).expect(303);

    const second = await enterPassword(email);
    await enterCode(second.client, second.ticket, code).expect(400);

    expect((await service.container.get<FactorReader>(FactorReader).ofUser(userId)).recoveryCodes).toBe(9);
    expect(await auditOf()).toContain('user.recovery_code_used');
  });

  it('refuses a forged ticket, and one of a password that was changed meanwhile', async () => {
    const { email, client: owner, codes } = await enrolled();
    const { client, ticket } = await enterPassword(email);
    await owner.post('/settings/password', { current_password: PASSWORD, new_password: NEW_PASSWORD }).expect(303);

    for (const forged of [ticket, `${ticket}x`, ''])
      await enterCode(client, forged, codes[0] ?? '').expect(/Start again/);

    expect(await isSignedIn(client)).toBe(false);
  });

  it('asks for a code after a set-up link, too', async () => {
    const { email, userId, codes } = await enrolled();
    const { token } = await service.container.get(IssueSetupLink).execute({ accountId, actor: OPERATOR, userId });
    const client = new DashboardClient(service);
    await client.get(`/set-up?token=${token}`).expect(200);

    const { text } = await client
      .post('/set-up', { token, password: NEW_PASSWORD })
      .expect(200)
      .expect(/authenticator app/);

    expect(await isSignedIn(client)).toBe(false);
    const { client: other, ticket } = await enterPassword(email, NEW_PASSWORD);
    expect(ticket).not.toBe('');
    expect(await isSignedIn(other)).toBe(false);
    await enterCode(client, fieldOf(text, 'ticket'), codes[0] ?? '').expect(303);
    expect((await client.get('/')).text).toContain('Your password was set.');
  });

  it('counts attempts, so that codes cannot be guessed', async () => {
    const strict = await startService({ SIGN_IN_ATTEMPTS: '3' });
    const { email, codes } = await enrolled('owner', strict, await strict.account());
    const client = new DashboardClient(strict);
    await client.get('/sign-in').expect(200);
    const { text } = await client.post('/sign-in', { email, password: PASSWORD }).expect(200);
    const ticket = fieldOf(text, 'ticket');

    for (const guess of ['111111', '222222']) await enterCode(client, ticket, guess).expect(400);

    await enterCode(client, ticket, codes[0] ?? '').expect(429);
    await strict.stop();
  });

  it('has counts that nothing a stranger enters as an e-mail can use up', async () => {
    const strict = await startService({ SIGN_IN_ATTEMPTS: '3' });
    const { email, client, codes, userId } = await enrolled('owner', strict, await strict.account());
    const stranger = new DashboardClient(strict);
    await stranger.get('/sign-in').expect(200);
    for (const text of [userId, `second factor ${userId}`])
      for (let index = 0; index < 4; index += 1)
        await stranger.post('/sign-in', { email: text, password: 'a guess' }).expect(401);

    const other = new DashboardClient(strict);
    await other.get('/sign-in').expect(200);
    const { text } = await other.post('/sign-in', { email, password: PASSWORD }).expect(200);
    await enterCode(other, fieldOf(text, 'ticket'), codes[0] ?? '').expect(303);
    await client.post('/settings/password', { current_password: 'wrong', new_password: NEW_PASSWORD }).expect(400);
    await strict.stop();
  });

  it('is part of the confirmation of sensitive steps', async () => {
    const { client, codes, userId } = await enrolled();
    const [session] = await service.container.get<SessionReader>(SessionReader).ofUser(userId);
    await service.container
      .get(UnitOfWork)
      .run(({ sessions }) => sessions.recordAuthentication(session?.digest ?? '', new Date(0)));
    const invite = { email: 'new@example.com', role: 'viewer' };

    await client
      .post('/team', invite)
      .expect(403)
      .expect(/name="confirm_code"/);
    await client.post('/team', { ...invite, confirm_password: PASSWORD }).expect(400);
    await client
      .post('/team', { ...invite, confirm_password: PASSWORD, confirm_code: 'wrong' })
      .expect(400)
      .expect(/id="confirm_password-error">Enter it again.*id="confirm_code-error">Is not right/s);
    await client
      .post('/team', { ...invite, confirm_password: '', confirm_code: codes[1] ?? '' })
      .expect(400)
      .expect(/Enter your password/);
    await client.post('/team', { ...invite, confirm_password: 'wrong', confirm_code: codes[0] ?? '' }).expect(400);
    await client
      .post('/team', { ...invite, confirm_password: PASSWORD, confirm_code: codes[1] ?? '' })
      .expect(200)
      .expect(/Set-up link/);
  });

  it('can be replaced and removed, and ends other sessions when it is added', async () => {
    const { email, client, codes } = await enrolled();
    const other = await enterPassword(email);
    await enterCode(other.client, other.ticket, codes[0] ?? '').expect(303);

    const { text } = await client.get('/settings/second-factor/app').expect(200);
    await client
      .post('/settings/second-factor/app', { sealed: fieldOf(text, 'sealed'), code: codeOf(secretOf(text)) })
      .expect(303);

    expect(await isSignedIn(other.client)).toBe(false);
    await client.post('/settings/second-factor/app/remove').expect(303);
    expect(await isSignedIn(await new DashboardClient(service).signIn(email))).toBe(true);
    expect(await auditOf()).toContain('user.totp_removed');
  });

  it('is removed by the operator for a user who lost it', async () => {
    const { email, client, userId } = await enrolled();

    await service.container.get(RemoveFactors).removeAll({ accountId, actor: OPERATOR, userId });

    expect(await isSignedIn(client)).toBe(false);
    expect(await isSignedIn(await new DashboardClient(service).signIn(email))).toBe(true);
  });

  describe('if owners need it', () => {
    let strict: TestService;
    let account: string;
    beforeAll(async () => {
      strict = await startService({ SIGN_IN_ATTEMPTS: '0', REQUIRE_SECOND_FACTOR: 'owners' });
      account = await strict.account();
    });
    afterAll(() => strict.stop());

    async function signedIn(role: Role) {
      const client = new DashboardClient(strict);
      await client.get('/sign-in');
      await client.post('/sign-in', { email: await aUser(strict, account, role), password: PASSWORD }).expect(303);
      await client.get('/settings/second-factor').expect(200);
      return client;
    }

    it('shows an owner nothing else before an app is added, and does not let the owner remove it', async () => {
      const owner = await signedIn('owner');
      for (const path of ['/', '/domains', '/team'])
        await owner.get(path).expect(303).expect('Location', '/settings/second-factor');
      await owner.post('/team', { email: 'x@example.com', role: 'owner' }).expect(303);
      await owner.get('/settings/second-factor').expect(/Your role needs a second factor/);

      await enroll(owner);

      await owner.get('/domains').expect(200);
      await owner
        .post('/settings/second-factor/app/remove')
        .expect(400)
        .expect(/last second factor, and your role needs one/);
    });

    it('does not ask other roles', async () => {
      await (await signedIn('manager')).get('/domains').expect(200);
    });
  });
});
