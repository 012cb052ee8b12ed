import request from 'supertest';
import { RequestPasswordReset } from '../../../../src/application/access/sign-in/request-password-reset';
import { InviteUser } from '../../../../src/application/access/users/invite-user';
import { MailRunner } from '../../../../src/application/notices/mail-runner';
import { UnsubscribeLinks } from '../../../../src/application/notices/unsubscribe-links';
import { MailReader, MailSettingsReader } from '../../../../src/application/ports/notices/mails-and-notices';
import { UserReader } from '../../../../src/application/ports/access/users';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { OPERATOR } from '../../../../src/domain/access/actor';
import { User } from '../../../../src/domain/access/people/user';
import type { MailKind } from '../../../../src/domain/access/notices/notice';
import { aUser, DashboardClient, signIn } from '../../../support/dashboard/dashboard-client';
import { startService, type TestService } from '../../../support/service/service';

describe('notices by mail in the dashboard', () => {
  let service: TestService;
  let accountId: string;
  let email: string;
  let personId: string;
  let owner: DashboardClient;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    accountId = await service.account();
    email = await aUser(service, accountId);
    const [user] = await service.container.get(UserReader).ofEmail(email);
    personId = user?.toState().personId ?? '';
    owner = await new DashboardClient(service).signIn(email);
  });

  const settings = () => service.container.get(MailSettingsReader).of(personId);
  const mails = () => service.container.get(MailReader).ofAccount(accountId, 50);
  const mailOf = async (kind: MailKind) => (await mails()).find((mail) => mail.kind === kind && mail.address === email);
  const sendAll = () => service.container.get(MailRunner).runDue();
  const unsubscribeUrl = (kind: MailKind = 'expiry') =>
    `/unsubscribe?token=${service.container.get(UnsubscribeLinks).tokenOf(personId, kind)}`;

  const oneClick = () => request(service.server).post(unsubscribeUrl()).type('form').send('List-Unsubscribe=One-Click');
  const resetMails = async () =>
    (await mails()).filter(({ kind, data }) => kind === 'set_up_link' && data['reset'] === true);
  /** Returns what the stranger sees. */
  const forget = async (address: string): Promise<string> => {
    const stranger = new DashboardClient(service);
    await stranger.get('/forgot-password').expect(200);
    const { text } = await stranger.post('/forgot-password', { email: address }).expect(200);
    await service.container.get(RequestPasswordReset).stop();
    return text.replaceAll(/value="[^"]*"/g, '');
  };
  const linkOf = async (id: string | undefined) => {
    await sendAll();
    const { text } = await owner.get(`/sandbox/outbox/${id}`).expect(200);
    return /href="(\/set-up\?token=[^"]+)"/.exec(text)?.[1] ?? '';
  };
  const signInMails = async () => (await mails()).filter(({ kind }) => kind === 'sign_in').length;

  it('are chosen by kind and with a time zone on the settings page', async () => {
    await owner
      .get('/settings/notices')
      .expect(200)
      .expect(/A renewal failed/);
    await owner.postMany('/settings/notices', { notices: ['expiry'], time_zone: ['Europe/Paris'] }).expect(303);

    expect(await settings()).toEqual({
      personId,
      timeZone: 'Europe/Paris',
      switchedOff: [
        'key_expiry',
        'move_offered',
        'proposal_ended',
        'proposal_waiting',
        'registration_refused',
        'renewal_failed',
        'transfer_in',
        'webhook_off',
      ],
    });
    await owner.get('/settings/notices').expect(/<option value="Europe\/Paris" selected/);
  });

  it('refuse a time zone that does not exist', async () => {
    await owner.get('/settings/notices');
    await owner
      .post('/settings/notices', { time_zone: 'Mars/Olympus' })
      .expect(400)
      .expect(/be a time zone such as/);
    expect(await settings()).toMatchObject({ timeZone: 'UTC', switchedOff: [] });
  });

  it('are only asked about by a link in a mail, and end by its button', async () => {
    const stranger = new DashboardClient(service);
    await stranger
      .get(unsubscribeUrl())
      .expect(200)
      .expect(/A domain expires/);
    expect(await settings()).toMatchObject({ switchedOff: [] });

    await stranger
      .post(unsubscribeUrl())
      .expect(200)
      .expect(/Switched off/);
    expect(await settings()).toMatchObject({ switchedOff: ['expiry'] });
  });

  it('end with one click of a mail program, which has no cookies (RFC 8058)', async () => {
    await oneClick().expect(200);
    await oneClick().expect(200);
    expect(await settings()).toMatchObject({ switchedOff: ['expiry'] });
  });

  it.each([
    ['has another signature', (url: string) => `${url.slice(0, -2)}${url.at(-2) === 'A' ? 'B' : 'A'}${url.slice(-1)}`],
    ['is for another kind', (url: string) => url.replace('.expiry.', '.key_expiry.')],
    ['is for a kind that cannot be switched off', () => unsubscribeUrl('sign_in')],
    ['has no token', () => '/unsubscribe'],
  ])('do not end by a link that %s', async (_what, change) => {
    await request(service.server).post(change(unsubscribeUrl())).expect(404);
    await request(service.server).get(change(unsubscribeUrl())).expect(404);
    expect(await settings()).toMatchObject({ switchedOff: [] });
  });

  it('tell a person of a sign-in with a new browser, and not of one with a known browser', async () => {
    expect(await mailOf('sign_in')).toMatchObject({ data: { address: expect.stringContaining('127.0.0.1') } });
    await owner.get('/settings');
    await owner.post('/sign-out');
    await owner.signIn(email);
    expect(await signInMails()).toBe(1);

    await new DashboardClient(service).signIn(email);
    expect(await signInMails()).toBe(2);
  });

  it('are in the outbox of the sandbox, with links that work', async () => {
    await owner.get('/team');
    await owner.post('/team', { email: 'grace@example.com', role: 'viewer' }).expect(200);
    await sendAll();
    const invitation = (await mails()).find(({ address }) => address === 'grace@example.com');

    await owner.get('/sandbox/outbox').expect(/Your invitation to the account[\s\S]*grace@example\.com/);
    const { text } = await owner.get(`/sandbox/outbox/${invitation?.id}`).expect(200);
    const link = /href="(\/set-up\?token=[^"]+)"/.exec(text)?.[1] ?? '';
    await new DashboardClient(service)
      .get(link)
      .expect(200)
      .expect(/Choose a password/);
    await owner
      .get(`/sandbox/outbox/${invitation?.id}/html`)
      .expect(200)
      .expect('Content-Security-Policy', /^default-src 'none'; style-src 'unsafe-inline';.* sandbox$/);
  });

  describe('for a forgotten password', () => {
    it('bring a link that sets a password once, in all accounts of the address, and ends all sessions', async () => {
      const other = await service.account();
      await aUser(service, other, 'viewer', email);
      await service.container.get(UnitOfWork).run(async ({ users }) => {
        for (const { id } of await service.container.get(UserReader).ofEmail(email)) {
          const user = await users.lock(id);
          if (user && user.toState().personId !== personId)
            await users.save(User.fromState({ ...user.toState(), personId }));
        }
      });
      await new DashboardClient(service).get('/sign-in').expect(/href="\/forgot-password"/);
      await forget(` ${email.toUpperCase()} `);
      const [mail, ...more] = [
        ...(await resetMails()),
        ...(await service.container.get(MailReader).ofAccount(other, 50)).filter(({ data }) => data['reset'] === true),
      ];
      expect(more).toEqual([]);
      const link = await linkOf(mail?.id);
      const browser = new DashboardClient(service);
      await browser.get(link).expect(200);
      const token = decodeURIComponent(link.split('token=')[1] ?? '');

      await browser.post('/set-up', { token, password: 'green pencils sing at noon' }).expect(303);

      await browser.get('/settings').expect(200);
      await owner.get('/settings').expect(303);
      await new DashboardClient(service).get(link).expect(404);
      const users = await service.container.get(UserReader).ofEmail(email);
      expect(users.map((user) => user.toState().personId)).toEqual([personId, personId]);
      expect(new Set(users.map((user) => user.toState().passwordHash)).size).toBe(1);
    });

    it('are asked for with the same response whether someone has the address or not', async () => {
      expect(await forget('unknown@example.com')).toBe(await forget(email));
      expect(await forget('no address')).toBe(await forget(email));
      expect(await resetMails()).toHaveLength(2);
    });

    it('are at most five an hour for an address, which keeps no owner from mailing a link there', async () => {
      for (let count = 0; count < 5; count += 1) await forget(email);
      expect(await resetMails()).toHaveLength(5);

      await forget(email);

      expect(await resetMails()).toHaveLength(5);
      const [user] = await service.container.get(UserReader).ofEmail(email);
      await owner.get('/team');
      for (let count = 0; count < 5; count += 1) await owner.post(`/team/${user?.id}/link`).expect(200);
      await owner.post(`/team/${user?.id}/link`).expect(429);
    });

    it('are not sent to people without a password, who sign in in another way', async () => {
      const { user } = await service.container
        .get(InviteUser)
        .execute({ accountId, actor: OPERATOR, email: `invited-${accountId}@example.com`, role: 'viewer' });

      await forget(user.email);

      expect(await resetMails()).toEqual([]);
    });
  });

  it('are shown to owners of the account only', async () => {
    const id = (await mailOf('sign_in'))?.id ?? '';
    const member = await signIn(service, accountId, 'manager');
    const stranger = await signIn(service, await service.account());
    await member.get('/sandbox/outbox').expect(403);
    await member.get(`/sandbox/outbox/${id}`).expect(403);
    await stranger.get(`/sandbox/outbox/${id}`).expect(404);
    await stranger.get(`/sandbox/outbox/${id}/html`).expect(404);
    await owner.get(`/sandbox/outbox/${id}`).expect(200);
  });

  it('that the mail server refused are shown to the person and to owners', async () => {
    const sent = await mailOf('sign_in');
    if (!sent) throw new Error('no mail was written');
    const until = new Date();
    await service.container.get(UnitOfWork).run(async (stores) => {
      await stores.mails.add({ ...sent, id: 'mail_refused', cause: 'refused' });
      await stores.mails.claim(until, 1_000, { owner: 'a test', until });
      const response = '550 <b>no such</b> mailbox';
      await stores.mails.finish('mail_refused', 'a test', { status: 'refused', at: until, response });
    });

    for (const page of ['/settings/notices', '/team'])
      await owner.get(page).expect(/not delivered[\s\S]*550 &lt;b>no such&lt;\/b> mailbox/);
    const other = await signIn(service, accountId, 'manager');
    expect((await other.get('/team')).text).not.toContain('not delivered');
  });
});
