import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import request from 'supertest';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { FactorReader } from '../../../src/application/ports/access/factor-repository';
import { SessionReader } from '../../../src/application/ports/access/session-repository';
import { UserReader } from '../../../src/application/ports/access/user-repository';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { OPERATOR } from '../../../src/domain/access/actor';
import { aUser, DashboardClient, signIn } from '../../support/dashboard/dashboard-client';
import { CLIENT, startFakeProvider, type FakeProvider } from '../../support/identity/fake-provider';
import { startService, type TestService } from '../../support/service/service';

type Claims = Readonly<Record<string, unknown>>;
const SECRET_VARIABLE = 'TEST_OIDC_SESSIONS_SECRET';
const SETTINGS = '/settings/providers';
const APP = '/settings/second-factor/app';
let serial = 0;
const fresh = (text: string) => `${text}-${(serial += 1)}`;

const linkIn = (html: string) =>
  (/class="button primary" href="(http[^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
const fieldIn = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? '';
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds;
/** Of the step that the test sends twice: the second code is of a later step. */
const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor((Date.now() + steps * 30_000) / 1_000) });

const isSignedIn = async (client: DashboardClient) => (await client.get(SETTINGS)).status === 200;
/** Sends a sensitive step. */
const takeStep = (client: DashboardClient) => client.post(`${SETTINGS}/acme/link`);
/** Adds an authenticator app and returns its secret. */
async function addApp(client: DashboardClient) {
  const { text } = await client.get(APP).expect(200);
  const secret = (/id="totp-key"[^>]*>([A-Z2-7 ]+)</.exec(text)?.[1] ?? '').replaceAll(' ', '');
  await client.post(APP, { sealed: fieldIn(text, 'sealed'), code: codeOf(secret, -1) }).expect(200);
  return secret;
}

describe('sessions of people who sign in with an OpenID Connect provider', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-oidc-sessions-'));
  const file = join(folder, 'providers.yaml');
  let provider: FakeProvider;
  let service: TestService;
  let accountId: string;
  beforeAll(async () => {
    provider = await startFakeProvider();
    process.env[SECRET_VARIABLE] = CLIENT.secret;
    const common = { client_id: CLIENT.id, client_secret: { env: SECRET_VARIABLE } };
    const providers = {
      // Issuers are compared as URLs: Auth0, among others, shows its own with a slash that tokens lack.
      acme: {
        name: 'ACME',
        issuer: `${provider.issuer}/`,
        ...common,
        invitations: true,
        second_factor: { amr: ['mfa'] },
      },
      plain: { name: 'Plain', issuer: provider.issuer, ...common },
    };
    writeFileSync(file, JSON.stringify({ providers }));
    service = await startService({
      SIGN_IN_ATTEMPTS: '0',
      FAILED_AUTH_PER_MINUTE: '40',
      REQUIRE_SECOND_FACTOR: 'none',
      PUBLIC_URL: 'http://localhost',
      OIDC_PROVIDERS_FILE: file,
    });
    accountId = await service.account();
  });
  afterAll(async () => {
    await service.stop();
    await provider.stop();
    delete process.env[SECRET_VARIABLE];
    rmSync(folder, { recursive: true });
  });

  const unitOfWork = () => service.container.get<UnitOfWork>(UnitOfWork);
  const userOf = async (email: string) =>
    (await service.container.get<UserReader>(UserReader).ofEmail(email))[0]!.toState();

  const signInWith = async (claims: Claims, client = new DashboardClient(service)) => {
    const { headers } = await client.get('/sign-in/with/acme').expect(303);
    return { client, response: await client.get(provider.authorize(headers['location'] ?? '', claims)) };
  };
  const signedInWith = async (claims: Claims) => {
    const { client } = await signInWith(claims);
    await client.get(SETTINGS).expect(200);
    return client;
  };
  /** A user who accepted the invitation with the provider and has no password. */
  async function aUserWithoutPassword() {
    const [email, sub] = [`${fresh('invited')}@example.com`, fresh('sub')];
    const invitation = { accountId, actor: OPERATOR, email, role: 'viewer' } as const;
    const { token } = await service.container.get(InviteUser).execute(invitation);
    const client = new DashboardClient(service);
    await client.get(`/set-up?token=${token}`).expect(200);
    const { text } = await client.post('/set-up/with/acme', { token }).expect(200);
    await client.get(provider.authorize(linkIn(text), { sub })).expect(303);
    await client.get(SETTINGS).expect(200);
    return { email, client, sub };
  }
  async function addPasskey(email: string, id = fresh('passkey')) {
    const { personId: userId } = await userOf(email);
    const passkey = { id, userId, name: 'laptop', publicKey: 'key', counter: 0, transports: [] };
    await unitOfWork().run(({ factors }) =>
      factors.addPasskey({ ...passkey, createdAt: new Date(), lastUsedAt: null }),
    );
    return id;
  }
  async function forgetConfirmation(email: string) {
    const sessions = await service.container.get<SessionReader>(SessionReader).ofUser((await userOf(email)).id);
    await unitOfWork().run(async (stores) => {
      for (const { digest } of sessions) await stores.sessions.authenticated(digest, new Date(0));
    });
  }
  async function confirm(client: DashboardClient, claims: Claims, fields: Record<string, string> = {}) {
    const { text } = await client.post(`${SETTINGS}/acme/confirm`, { next: '/settings', ...fields }).expect(200);
    await client.get(provider.authorize(linkIn(text), claims)).expect('Location', '/settings');
    return (await client.get('/settings').expect(200)).text;
  }

  const tokenOf = (claims: Claims, header: object = { typ: 'logout+jwt' }) =>
    provider.sign(
      {
        iss: provider.issuer,
        aud: CLIENT.id,
        iat: secondsAgo(0),
        exp: secondsAgo(-120),
        jti: fresh('jti'),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      },
      header,
    );
  const send = (token: string, id = 'acme') =>
    request(service.server).post(`/sign-in/with/${id}/logout`).type('form').send({ logout_token: token });

  describe('end when the provider says that the person has signed out there', () => {
    it('all that began with that provider, and no others', async () => {
      const [one, other] = [await aUserWithoutPassword(), await aUserWithoutPassword()];
      const again = await signedInWith({ sub: one.sub, sid: 'first' });
      const { personId } = await userOf(one.email);
      const [session] = await service.container.get<SessionReader>(SessionReader).ofUser(personId);
      await unitOfWork().run(({ sessions }) =>
        sessions.add({ ...session!, id: fresh('ses'), digest: '0'.repeat(64), data: '{}' }),
      );

      await send(tokenOf({ sub: one.sub }), 'plain').expect(200);
      expect(await isSignedIn(again)).toBe(true);
      const { headers } = await send(tokenOf({ sub: one.sub })).expect(200);

      expect(headers['cache-control']).toBe('no-store');
      expect([await isSignedIn(one.client), await isSignedIn(again), await isSignedIn(other.client)]).toEqual([
        false,
        false,
        true,
      ]);
      expect(await service.container.get<SessionReader>(SessionReader).ofUser(personId)).toHaveLength(1);
    });

    it('only one of them if it names one, also without the person', async () => {
      const { client: unnamed, sub } = await aUserWithoutPassword();
      const [first, second] = [await signedInWith({ sub, sid: 'desk' }), await signedInWith({ sub, sid: 'phone' })];

      await send(tokenOf({ sid: 'phone' })).expect(200);
      expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(unnamed)]).toEqual([
        true,
        false,
        true,
      ]);

      await send(tokenOf({ sub, sid: 'elsewhere' })).expect(200);
      // It does not know its session there, so that it may be that one.
      expect([await isSignedIn(first), await isSignedIn(unnamed)]).toEqual([true, false]);
    });

    it('not by a token that was used before, nor for people who are not known', async () => {
      const { sub } = await aUserWithoutPassword();
      const token = tokenOf({ sub });
      await send(token).expect(200);
      const client = await signedInWith({ sub });

      const { body } = await send(token).expect(400);

      expect(body).toEqual({ error: 'invalid_request', error_description: 'The logout token is not valid' });
      expect(await isSignedIn(client)).toBe(true);
      await send(tokenOf({ sub: 'unknown' })).expect(200);
    });

    it('also if it is still opened: before the response of the provider, and before the code of a second factor', async () => {
      const { client: first, sub } = await aUserWithoutPassword();
      const secret = await addApp(first);
      const client = new DashboardClient(service);
      const { headers } = await client.get('/sign-in/with/acme').expect(303);
      await send(tokenOf({ sub })).expect(200);
      const { text: form } = await client.get(provider.authorize(headers['location'] ?? '', { sub })).expect(200);
      const ticket = fieldIn(form, 'ticket');
      await client
        .post('/sign-in/second-factor', { ticket, code: codeOf(secret) })
        .expect(401, /You signed out at the provider/);
      expect(await isSignedIn(client)).toBe(false);

      const { client: next, response } = await signInWith({ sub, sid: 'desk', amr: ['mfa'] });
      expect([response.status, await isSignedIn(next)]).toEqual([303, true]);
    });

    it('not by an invalid token, of which a client can send a few only', async () => {
      const { client, sub } = await aUserWithoutPassword();
      const [content, signature = ''] = tokenOf({ sub }).split(/\.(?=[^.]*$)/);
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${content?.split('.')[1]}.`;
      const invalid = [
        '',
        'no token',
        'a.b.c',
        'x'.repeat(9_000),
        unsigned,
        `${content}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
        tokenOf({ sub }, { kid: 'unknown' }),
        tokenOf({ sub }, { typ: 'at+jwt' }),
        tokenOf({ sub, iss: 'https://elsewhere.example' }),
        tokenOf({ sub, aud: 'another client' }),
        tokenOf({ sub, iat: secondsAgo(600) }),
        tokenOf({ sub, iat: secondsAgo(-600) }),
        tokenOf({ sub, iat: undefined }),
        tokenOf({ sub, exp: secondsAgo(120) }),
        tokenOf({ sub, exp: undefined }),
        tokenOf({ sub, jti: undefined }),
        tokenOf({ sub, nonce: 'of an ID token' }),
        tokenOf({ sub, events: {} }),
        tokenOf({ sub, events: { 'http://schemas.openid.net/event/backchannel-logout': true } }),
        tokenOf({}),
      ];

      for (const token of invalid) expect([token, (await send(token)).status]).toEqual([token, 400]);

      await send('x'.repeat(20_000)).expect(413);
      await send(tokenOf({ sub }), 'unknown').expect(404);
      await request(service.server).get('/sign-in/with/acme/logout').expect(404);
      expect(await isSignedIn(client)).toBe(true);
      let status = 400;
      for (let sent = 0; status === 400 && sent < 200; sent += 1) ({ status } = await send('no token'));
      expect(status).toBe(429);
    });
  });

  it('are confirmed at the provider by people without a password, from a form with a CSRF token', async () => {
    const { email, client, sub } = await aUserWithoutPassword();
    await forgetConfirmation(email);

    const { text } = await takeStep(client).expect(403);
    expect(text).toContain('Confirm that it is you · ');
    expect(text).toContain('Confirm with ACME');
    await client.post(`${SETTINGS}/acme/confirm`, { _token: 'forged' }).expect(403);
    await client.get(`${SETTINGS}/acme/confirm?next=/settings`).expect(404);
    expect(await confirm(client, { sub: fresh('another') })).toContain('not the account at ACME that you linked');
    await takeStep(client).expect(403);

    expect(await confirm(client, { sub })).toContain('You are confirmed');
    await takeStep(client).expect(200);
  });

  it('keep the form that is confirmed at the provider, for the same user, and not one with a secret', async () => {
    const { email, client, sub } = await aUserWithoutPassword();
    const { client: other, sub: otherSub } = await aUserWithoutPassword();
    await forgetConfirmation(email);
    const asked = await client.post(`${SETTINGS}/unlink`, { id: 'typed', note: '<kept>' }).expect(403);
    const kept = fieldIn(asked.text, 'saved_form');
    expect(asked.text).toContain('you come back to your form');
    const confirmed = async (browser: DashboardClient, subject: string) => {
      const fields = { next: SETTINGS, saved_form: kept };
      const { text } = await browser.post(`${SETTINGS}/acme/confirm`, fields).expect(200);
      expect(text).not.toContain('typed');
      return browser.get(provider.authorize(linkIn(text), { sub: subject }));
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

    await forgetConfirmation(email);
    const secret = await client.post(`${SETTINGS}/unlink`, { id: 'typed', auth_code: 'secret' }).expect(403);
    expect(fieldIn(secret.text, 'saved_form')).toBe('');
  });

  it('are not confirmed by the provider alone if the person has an authenticator app', async () => {
    const { email, client, sub } = await aUserWithoutPassword();
    const secret = await addApp(client);
    await forgetConfirmation(email);
    await takeStep(client)
      .expect(403)
      .expect(/name="confirm_code"/);

    expect(await confirm(client, { sub })).toContain('ACME did not confirm a second factor');
    await takeStep(client).expect(403);
    await client
      .post(`${SETTINGS}/acme/confirm`, { next: '/settings', confirm_code: '000000' })
      .expect('Location', '/settings');
    expect((await client.get('/settings')).text).toContain('The code is not right');

    expect(await confirm(client, { sub }, { confirm_code: codeOf(secret) })).toContain('You are confirmed');
    await takeStep(client).expect(200);
  });

  it('are not confirmed by the provider alone if the person has a passkey', async () => {
    const { email, client, sub } = await aUserWithoutPassword();
    await addPasskey(email);
    await forgetConfirmation(email);

    expect(await confirm(client, { sub })).toContain('ACME did not confirm a second factor');

    await takeStep(client).expect(403);
  });

  it('need no code if the provider counts as the second factor', async () => {
    const { email, client, sub } = await aUserWithoutPassword();
    await addApp(client);
    await forgetConfirmation(email);

    expect(await confirm(client, { sub, amr: ['mfa'] })).toContain('You are confirmed');

    await takeStep(client).expect(200);
  });

  it.each([
    ['a minute ago', () => secondsAgo(60), 200],
    ['eleven minutes ago', () => secondsAgo(660), 403],
    ['at a time that the provider does not say', () => undefined, 403],
  ])('are confirmed by the sign-in only if it was recent at the provider: %s', async (_name, authTime, status) => {
    const { sub } = await aUserWithoutPassword();

    const client = await signedInWith({ sub, auth_time: authTime() });

    await takeStep(client).expect(status);
  });

  it('remember the provider if a second factor follows, whose page does not speak of a password', async () => {
    const { client: first, sub } = await aUserWithoutPassword();
    const secret = await addApp(first);

    const { client, response } = await signInWith({ sub, auth_time: secondsAgo(660) });
    expect(response.text).toContain('Second factor');
    expect(response.text).not.toContain('password');
    const ticket = fieldIn(response.text, 'ticket');
    await client.post('/sign-in/second-factor', { ticket, code: codeOf(secret) }).expect(303);
    await client.get(SETTINGS).expect(200);

    await takeStep(client).expect(403);
    await client
      .post('/sign-out')
      .expect(200)
      .expect(/Sign out of ACME/);
  });

  it('end if the provider is unlinked, but for that of the browser', async () => {
    const email = await aUser(service, accountId, 'viewer', `${fresh('linked')}@example.com`);
    const client = await new DashboardClient(service).signIn(email);
    const sub = fresh('sub');
    await client.get(SETTINGS).expect(200);
    const { text: leaving } = await takeStep(client).expect(200);
    await client.get(provider.authorize(linkIn(leaving), { sub })).expect(303);
    const stolen = await signedInWith({ sub });
    const { text } = await client.get(SETTINGS).expect(200);

    await client.post(`${SETTINGS}/unlink`, { id: fieldIn(text, 'id') }).expect(303);

    await stolen.get('/settings').expect('Location', /^\/sign-in/);
    await client.get('/settings').expect(200);
  });

  it('are not lost by removing the last way to sign in, be it a passkey or a provider', async () => {
    const { email, client } = await aUserWithoutPassword();
    const { personId } = await userOf(email);
    const gone = { issuer: 'https://not-configured.example', subject: '1', name: 'A', personId };
    await unitOfWork().run(({ identities }) => identities.add({ ...gone, createdAt: new Date(), lastUsedAt: null }));
    const { text } = await client.get(SETTINGS).expect(200);
    const id = [...text.matchAll(/name="id" value="([0-9a-f]{64})"/g)].map(([, found = '']) => found)[0] ?? '';
    await client.post(`${SETTINGS}/unlink`, { id }).expect(303);
    expect((await client.get(SETTINGS)).text).toContain('your only way to sign in');

    const passkey = await addPasskey(email);
    await client.post(`${SETTINGS}/unlink`, { id }).expect(303);
    expect((await client.get(SETTINGS)).text).toContain('was unlinked');
    await client.post('/settings/second-factor/passkey/remove', { id: passkey }).expect(303);

    expect((await client.get('/settings')).text).toContain('was not removed: it is your only way to sign in');
    const { passkeys } = await service.container.get<FactorReader>(FactorReader).ofUser(personId);
    expect(passkeys).toHaveLength(1);
  });

  it('begin with invitations only at providers that allow it, and the token of the link is in no URL of a provider', async () => {
    const invitation = { accountId, actor: OPERATOR, email: `${fresh('new')}@example.com`, role: 'viewer' } as const;
    const { token } = await service.container.get(InviteUser).execute(invitation);
    const client = new DashboardClient(service);
    await client.get(`/set-up?token=${token}`).expect(200);

    await client.post('/set-up/with/plain', { token }).expect(404);
    await client.get(`/set-up?token=${token}`).expect(200);
    const { text } = await client.post('/set-up/sign-in', { token }).expect(200);

    expect(text).not.toContain('/sign-in/with/');
  });

  it('lead back to an invitation without its token in a URL of a provider, also after a wrong password', async () => {
    const invitation = { accountId, actor: OPERATOR, email: `${fresh('new')}@example.com`, role: 'viewer' } as const;
    const { token } = await service.container.get(InviteUser).execute(invitation);
    const client = new DashboardClient(service);
    await client.get(`/set-up?token=${token}`).expect(200);
    const { text } = await client.post('/set-up/sign-in', { token }).expect(200);

    const fields = { email: 'unknown@example.com', password: 'wrong', next: fieldIn(text, 'next') };
    const { text: again } = await client.post('/sign-in', fields).expect(401);

    expect(fieldIn(again, 'next')).toBe(`/set-up?token=${token}`);
    expect(again).not.toContain('/sign-in/with/');
  });

  it('are not opened by a code that follows once the provider is unlinked', async () => {
    const { email, client, sub } = await aUserWithoutPassword();
    const secret = await addApp(client);
    await addPasskey(email);
    const other = (await signInWith({ sub })).client;
    const { text: asked } = (await signInWith({ sub }, other)).response;
    const { text } = await client.get(SETTINGS).expect(200);
    await client.post(`${SETTINGS}/unlink`, { id: fieldIn(text, 'id') }).expect(303);

    const fields = { ticket: fieldIn(asked, 'ticket'), code: codeOf(secret) };
    await other.post('/sign-in/second-factor', fields).expect(401);

    await other.get('/settings').expect('Location', /^\/sign-in/);
  });

  it('send the form that the end of a session interrupted, for the same person only', async () => {
    const { client, sub } = await aUserWithoutPassword();
    await client.get('/settings').expect(200);
    client.loseCookies();
    const { text } = await client.post('/settings/sessions/end-all', { note: 'expires=30' }).expect(401);
    const savedForm = fieldIn(text, 'saved_form');
    const { text: leaving } = await client.post('/sign-in/with/acme', { saved_form: savedForm }).expect(200);
    const { text: back } = await client.get(provider.authorize(linkIn(leaving), { sub })).expect(200);
    const stranger = await aUserWithoutPassword();
    const { text: leavingToo } = await stranger.client
      .post('/sign-in/with/acme', { saved_form: savedForm })
      .expect(200);
    await stranger.client.get(provider.authorize(linkIn(leavingToo), { sub: stranger.sub })).expect('Location', '/');

    expect(back).toContain('value="expires=30"');
    expect((await stranger.client.get('/')).text).toContain('belongs to another user');
  });

  it('make a person an active member of the team, also with nothing but a passkey', async () => {
    const { email, client } = await aUserWithoutPassword();
    await addPasskey(email);
    const { text } = await client.get(SETTINGS).expect(200);
    await client.post(`${SETTINGS}/unlink`, { id: fieldIn(text, 'id') }).expect(303);
    const owner = await signIn(service, accountId);

    const { text: team } = await owner.get('/team').expect(200);

    expect(team.slice(team.indexOf(email)).split('</tr>')[0]).toContain('>active<');
  });

  it('can be begun by a whole office: only a response of the provider counts as an attempt', async () => {
    const strict = await startService({ SIGN_IN_ATTEMPTS: '1', OIDC_PROVIDERS_FILE: file });
    const statuses: number[] = [];
    for (const _ of Array.from({ length: 12 }))
      statuses.push((await new DashboardClient(strict).get('/sign-in/with/plain')).status);
    await strict.stop();

    expect(new Set(statuses)).toEqual(new Set([303]));
  });
});
