import { InviteUser } from '../../../src/application/access/users/invite-user';
import { FactorReader } from '../../../src/application/ports/access/authentication';
import { MailReader } from '../../../src/application/ports/notices/mails-and-notices';
import { OPERATOR } from '../../../src/domain/access/actor';
import { aUser, DashboardClient, signIn } from '../../support/dashboard/dashboard-client';
import { startService } from '../../support/service/service';
import {
  addApp,
  codeOf,
  fieldIn,
  fresh,
  linkIn,
  ProviderService,
  secondsAgo,
  SETTINGS,
  takeStep,
} from '../../support/identity/provider-service';
import { backChannelLogoutContract } from '../../contract/access/back-channel-logout.contract';

describe('sessions of people who sign in with an OpenID Connect provider', () => {
  let at: ProviderService;
  beforeAll(async () => {
    at = await ProviderService.start();
  });
  afterAll(() => at.stop());

  backChannelLogoutContract(() => at);

  it('are confirmed at the provider by people without a password, from a form with a CSRF token', async () => {
    const { email, client, sub } = await at.aUserWithoutPassword();
    await at.forgetConfirmation(email);

    const { text } = await takeStep(client).expect(403);
    expect(text).toContain('Confirm that it is you · ');
    expect(text).toContain('Confirm with ACME');
    await client.post(`${SETTINGS}/acme/confirm`, { _token: 'forged' }).expect(403);
    await client.get(`${SETTINGS}/acme/confirm?next=/settings`).expect(404);
    expect(await at.confirm(client, { sub: fresh('another') })).toContain('not the account at ACME that you linked');
    await takeStep(client).expect(403);

    expect(await at.confirm(client, { sub })).toContain('You are confirmed');
    await takeStep(client).expect(200);
  });

  it('are told by mail to people without a password for a new browser only, not at each sign-in', async () => {
    const { email, client, sub } = await at.aUserWithoutPassword();
    const { id, accountId } = await at.userOf(email);
    const told = async () => {
      const mails = await at.service.container.get<MailReader>(MailReader).ofAccount(accountId, 200);
      return mails.filter(({ kind, userId }) => kind === 'sign_in' && userId === id).length;
    };
    await at.signInWith({ sub }, client);
    const before = await told();

    await client.get('/settings').expect(200);
    await client.post('/sign-out').expect(200);
    await at.signInWith({ sub }, client);
    expect(await told()).toBe(before);

    await at.signedInWith({ sub });
    expect(await told()).toBe(before + 1);
  });

  it('keep the form that is confirmed at the provider, for the same user, and not one with a secret', async () => {
    const { email, client, sub } = await at.aUserWithoutPassword();
    const { client: other, sub: otherSub } = await at.aUserWithoutPassword();
    await at.forgetConfirmation(email);
    const asked = await client.post(`${SETTINGS}/unlink`, { id: 'typed', note: '<kept>' }).expect(403);
    const kept = fieldIn(asked.text, 'saved_form');
    expect(asked.text).toContain('you come back to your form');
    const confirmed = async (browser: DashboardClient, subject: string) => {
      const fields = { next: SETTINGS, saved_form: kept };
      const { text } = await browser.post(`${SETTINGS}/acme/confirm`, fields).expect(200);
      expect(text).not.toContain('typed');
      return browser.get(at.provider.authorize(linkIn(text), { sub: subject }));
    };

    const form = await confirmed(client, sub);
    expect(form.status).toBe(200);
    expect(form.text).toContain('You are confirmed for ten minutes');
    expect(form.text).toContain(`action="${SETTINGS}/unlink"`);
    for (const field of ['name="id" value="typed"', 'name="note" value="&lt;kept>"'])
      expect(form.text).toContain(field);
    expect((await confirmed(client, fresh('another'))).text).toContain('not the account at ACME that you linked');
    await client.post(`${SETTINGS}/acme/confirm`, { next: SETTINGS, saved_form: 'x'.repeat(2_001) }).expect(413);

    expect((await confirmed(other, otherSub)).headers['location']).toBe(SETTINGS);

    await at.forgetConfirmation(email);
    const secret = await client.post(`${SETTINGS}/unlink`, { id: 'typed', auth_code: 'secret' }).expect(403);
    expect(fieldIn(secret.text, 'saved_form')).toBe('');
  });

  it('are not confirmed by the provider alone if the person has an authenticator app', async () => {
    const { email, client, sub } = await at.aUserWithoutPassword();
    const secret = await addApp(client);
    await at.forgetConfirmation(email);
    await takeStep(client)
      .expect(403)
      .expect(/name="confirm_code"/);

    expect(await at.confirm(client, { sub })).toContain('ACME did not confirm a second factor');
    await takeStep(client).expect(403);
    await client
      .post(`${SETTINGS}/acme/confirm`, { next: '/settings', confirm_code: '000000' })
      .expect('Location', '/settings');
    expect((await client.get('/settings')).text).toContain('The code is not right');

    expect(await at.confirm(client, { sub }, { confirm_code: codeOf(secret, 1) })).toContain('You are confirmed');
    await takeStep(client).expect(200);
  });

  it('are not confirmed by the provider alone if the person has a passkey', async () => {
    const { email, client, sub } = await at.aUserWithoutPassword();
    await at.addPasskey(email);
    await at.forgetConfirmation(email);

    expect(await at.confirm(client, { sub })).toContain('ACME did not confirm a second factor');

    await takeStep(client).expect(403);
  });

  it('need no code if the provider counts as the second factor', async () => {
    const { email, client, sub } = await at.aUserWithoutPassword();
    await addApp(client);
    await at.forgetConfirmation(email);

    expect(await at.confirm(client, { sub, amr: ['mfa'] })).toContain('You are confirmed');

    await takeStep(client).expect(200);
  });

  it.each([
    ['a minute ago', () => secondsAgo(60), 200],
    ['eleven minutes ago', () => secondsAgo(660), 403],
    ['at a time that the provider does not say', () => undefined, 403],
  ])('are confirmed by the sign-in only if it was recent at the provider: %s', async (_name, authTime, status) => {
    const { sub } = await at.aUserWithoutPassword();

    const client = await at.signedInWith({ sub, auth_time: authTime() });

    await takeStep(client).expect(status);
  });

  it.each([
    ['too old', 1],
    ['missing', undefined],
  ])(
    'are not confirmed by a provider whose auth_time is %s, and the page names other ways',
    async (_what, authTime) => {
      const { client, sub } = await at.aUserWithoutPassword();

      const text = await at.confirm(client, { sub, auth_time: authTime });

      expect(text).toContain('ACME did not ask you to sign in again');
      expect(text).toContain('Confirm with your password or a passkey. Without either, sign out here and at ACME');
    },
  );

  it('remember the provider if a second factor follows, whose page does not speak of a password', async () => {
    const { client: first, sub } = await at.aUserWithoutPassword();
    const secret = await addApp(first);

    const { client, response } = await at.signInWith({ sub, auth_time: secondsAgo(660) });
    expect(response.text).toContain('Second factor');
    expect(response.text).not.toContain('password');
    const ticket = fieldIn(response.text, 'ticket');
    await client.post('/sign-in/second-factor', { ticket, code: codeOf(secret, 1) }).expect(303);
    await client.get(SETTINGS).expect(200);

    await takeStep(client).expect(403);
    await client
      .post('/sign-out')
      .expect(200)
      .expect(/Sign out of ACME/);
  });

  it('end if the provider is unlinked, but for that of the browser', async () => {
    const email = await aUser(at.service, at.accountId, 'viewer', `${fresh('linked')}@example.com`);
    const client = await new DashboardClient(at.service).signIn(email);
    const sub = fresh('sub');
    await client.get(SETTINGS).expect(200);
    const { text: leaving } = await takeStep(client).expect(200);
    await client.get(at.provider.authorize(linkIn(leaving), { sub })).expect(303);
    const stolen = await at.signedInWith({ sub });
    const { text } = await client.get(SETTINGS).expect(200);

    await client.post(`${SETTINGS}/unlink`, { id: fieldIn(text, 'id') }).expect(303);

    await stolen.get('/settings').expect('Location', /^\/sign-in/);
    await client.get('/settings').expect(200);
  });

  it('are not lost by removing the last way to sign in, be it a passkey or a provider', async () => {
    const { email, client } = await at.aUserWithoutPassword();
    const { personId } = await at.userOf(email);
    const gone = { issuer: 'https://not-configured.example', subject: '1', name: 'A', personId };
    await at.unitOfWork().run(({ identities }) => identities.add({ ...gone, createdAt: new Date(), lastUsedAt: null }));
    const { text } = await client.get(SETTINGS).expect(200);
    const id = [...text.matchAll(/name="id" value="([0-9a-f]{64})"/g)].map(([, found = '']) => found)[0] ?? '';
    await client.post(`${SETTINGS}/unlink`, { id }).expect(303);
    expect((await client.get(SETTINGS)).text).toContain('your only way to sign in');

    const passkey = await at.addPasskey(email);
    await client.post(`${SETTINGS}/unlink`, { id }).expect(303);
    expect((await client.get(SETTINGS)).text).toContain('was unlinked');
    await client.post('/settings/second-factor/passkey/remove', { id: passkey }).expect(303);

    expect((await client.get('/settings')).text).toContain('was not removed: it is your only way to sign in');
    const { passkeys } = await at.service.container.get<FactorReader>(FactorReader).ofUser(personId);
    expect(passkeys).toHaveLength(1);
  });

  async function openInvitation() {
    const email = `${fresh('new')}@example.com`;
    const invitation = { accountId: at.accountId, actor: OPERATOR, email, role: 'viewer' } as const;
    const { token } = await at.service.container.get(InviteUser).execute(invitation);
    const client = new DashboardClient(at.service);
    await client.get(`/set-up?token=${token}`).expect(200);
    return { client, token };
  }

  it('begin with invitations only at providers that allow it, and the token of the link is in no URL of a provider', async () => {
    const { client, token } = await openInvitation();

    await client.post('/set-up/with/plain', { token }).expect(404);
    await client.get(`/set-up?token=${token}`).expect(200);
    const { text } = await client.post('/set-up/sign-in', { token }).expect(200);

    expect(text).not.toContain('/sign-in/with/');
  });

  it('lead back to an invitation without its token in a URL of a provider, also after a wrong password', async () => {
    const { client, token } = await openInvitation();
    const { text } = await client.post('/set-up/sign-in', { token }).expect(200);

    const fields = { email: 'unknown@example.com', password: 'wrong', next: fieldIn(text, 'next') };
    const { text: again } = await client.post('/sign-in', fields).expect(401);

    expect(fieldIn(again, 'next')).toBe(`/set-up?token=${token}`);
    expect(again).not.toContain('/sign-in/with/');
  });

  it('are not opened by a code that follows once the provider is unlinked', async () => {
    const { email, client, sub } = await at.aUserWithoutPassword();
    const secret = await addApp(client);
    await at.addPasskey(email);
    const other = (await at.signInWith({ sub })).client;
    const { text: asked } = (await at.signInWith({ sub }, other)).response;
    const { text } = await client.get(SETTINGS).expect(200);
    await client.post(`${SETTINGS}/unlink`, { id: fieldIn(text, 'id') }).expect(303);

    const fields = { ticket: fieldIn(asked, 'ticket'), code: codeOf(secret, 1) };
    await other.post('/sign-in/second-factor', fields).expect(401);

    await other.get('/settings').expect('Location', /^\/sign-in/);
  });

  it('send the form that the end of a session interrupted, for the same person only', async () => {
    const { client, sub } = await at.aUserWithoutPassword();
    await client.get('/settings').expect(200);
    client.loseCookies();
    const { text } = await client.post('/settings/sessions/end-all', { note: 'expires=30' }).expect(401);
    const savedForm = fieldIn(text, 'saved_form');
    const { text: leaving } = await client.post('/sign-in/with/acme', { saved_form: savedForm }).expect(200);
    const { text: back } = await client.get(at.provider.authorize(linkIn(leaving), { sub })).expect(200);
    const stranger = await at.aUserWithoutPassword();
    const { text: leavingToo } = await stranger.client
      .post('/sign-in/with/acme', { saved_form: savedForm })
      .expect(200);
    await stranger.client.get(at.provider.authorize(linkIn(leavingToo), { sub: stranger.sub })).expect('Location', '/');

    expect(back).toContain('value="expires=30"');
    expect((await stranger.client.get('/')).text).toContain('belongs to another user');
  });

  it('make a person an active member of the team, also with nothing but a passkey', async () => {
    const { email, client } = await at.aUserWithoutPassword();
    await at.addPasskey(email);
    const { text } = await client.get(SETTINGS).expect(200);
    await client.post(`${SETTINGS}/unlink`, { id: fieldIn(text, 'id') }).expect(303);
    const owner = await signIn(at.service, at.accountId);

    const { text: team } = await owner.get('/team').expect(200);

    expect(team.slice(team.indexOf(email)).split('</tr>')[0]).toContain('>active<');
  });

  it('can be begun by a whole office: only a response of the provider counts as an attempt', async () => {
    const strict = await startService({ SIGN_IN_ATTEMPTS: '1', OIDC_PROVIDERS_FILE: at.file });
    const statuses: number[] = [];
    for (const _ of Array.from({ length: 12 }))
      statuses.push((await new DashboardClient(strict).get('/sign-in/with/plain')).status);
    await strict.stop();

    expect(new Set(statuses)).toEqual(new Set([303]));
  });
});
