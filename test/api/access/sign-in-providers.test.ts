import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { IssueSetupLink } from '../../../src/application/access/users/issue-setup-link';
import { AuditReader } from '../../../src/application/ports/access/audit-and-events';
import { OPERATOR } from '../../../src/domain/access/actor';
import { readProviders } from '../../../src/infrastructure/identity/read-providers';
import { aUser, DashboardClient, PASSWORD } from '../../support/dashboard/dashboard-client';
import { CLIENT, type FakeProvider } from '../../support/identity/fake-provider';
import { GroupsService, SECRET_VARIABLE } from '../../support/identity/groups-service';
import { fresh, linkIn } from '../../support/identity/provider-service';
import type { TestService } from '../../support/service/service';

type Claims = Readonly<Record<string, unknown>>;
const isSignedIn = async (client: DashboardClient) => (await client.get('/settings')).status === 200;

const start = async (client: DashboardClient, next = '') => {
  const { status, headers } = await client.get(`/sign-in/with/acme${next === '' ? '' : `?next=${next}`}`);
  expect(status).toBe(303);
  return headers['location'] ?? '';
};
const refused = async (browser: DashboardClient, path: string) => {
  const { status, text } = await browser.get(path);
  expect([status, text.includes('too old, or it began in another browser')]).toEqual([401, true]);
};

const groupsOf = (x: unknown) => ({ groups: { claim: 'g', account: 'a', roles: { x } } });

describe('sign-in with an OpenID Connect provider', () => {
  let at: GroupsService;
  let provider: FakeProvider;
  let service: TestService;
  let accountId: string;
  let mapped: string;
  beforeAll(async () => {
    at = await GroupsService.start();
    ({ provider, service, accountId, mapped } = at);
  });
  afterAll(() => at.stop());
  afterEach(() => provider.setAway(false));

  const userOf = (email: string, account = accountId) => at.userOf(email, account);
  const signInWith = (claims: Claims, client?: DashboardClient) => at.signInWith(claims, client);
  const accept = (claims: Claims, account = accountId) => at.accept(claims, account);
  const link = async (client: DashboardClient, claims: Claims) => {
    await client.get('/settings/providers').expect(200);
    const { text } = await client.post('/settings/providers/acme/link').expect(200);
    return client.get(provider.authorize(linkIn(text), claims));
  };
  async function aLinkedUser() {
    const email = await aUser(service, accountId, 'viewer', `${fresh('linked')}@example.com`);
    const client = await new DashboardClient(service).signIn(email);
    const sub = fresh('sub');
    await link(client, { sub, email: 'at-acme@example.org' }).then(({ status }) => expect(status).toBe(303));
    return { email, client, sub };
  }

  it('is offered on the sign-in page, and asks the provider with PKCE, state and nonce', async () => {
    const client = new DashboardClient(service);

    expect((await client.get('/sign-in')).text).toContain('Sign in with ACME');
    const { searchParams: asked } = new URL(await start(client));

    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      scope: 'openid email',
      code_challenge_method: 'S256',
      client_id: CLIENT.id,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect((asked.get(name) ?? '').length).toBeGreaterThan(20);
  });

  it('opens a session for the linked issuer and subject, and goes to the page that was asked for', async () => {
    const { sub } = await aLinkedUser();
    const client = new DashboardClient(service);

    const { headers } = await client.get(provider.authorize(await start(client, '/domains'), { sub }));

    expect(headers['location']).toBe('/domains');
    expect(await isSignedIn(client)).toBe(true);
  });

  it('opens nothing by an e-mail address, not even a verified one', async () => {
    const email = await aUser(service, accountId, 'viewer', `${fresh('same')}@example.com`);

    const { client, response } = await signInWith({ sub: fresh('sub'), email, email_verified: true });

    expect([response.status, response.text.includes('is not linked with a user')]).toEqual([401, true]);
    expect(await isSignedIn(client)).toBe(false);
  });

  it.each([
    ['of another nonce', { nonce: 'another' }],
    ['of another issuer', { iss: 'https://another.example' }],
    ['for another client', { aud: 'another' }],
    ['that has expired', { exp: 1 }],
  ])('refuses an ID token %s', async (_name, claims) => {
    const { sub } = await aLinkedUser();

    const { client, response } = await signInWith({ sub, ...claims });

    expect([response.status, response.text.includes('The response of ACME was not valid')]).toEqual([401, true]);
    expect(await isSignedIn(client)).toBe(false);
  });

  it('refuses a response in another browser, with another state, for another provider, and a second time', async () => {
    const { sub } = await aLinkedUser();
    const [client, victim] = [new DashboardClient(service), new DashboardClient(service)];
    const back = provider.authorize(await start(client), { sub });
    await start(victim);

    await refused(victim, back);
    await start(victim);
    await refused(victim, back.replace('/acme/', '/plain/'));
    await client.get(back).expect(303);
    await refused(client, back);
    expect(await isSignedIn(victim)).toBe(false);
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example'])('never leads to %s', async (next) => {
    const { sub } = await aLinkedUser();
    const client = new DashboardClient(service);

    const { headers } = await client.get(provider.authorize(await start(client, encodeURIComponent(next)), { sub }));

    expect(headers['location']).toBe('/');
  });

  it('says so if the provider is away or declined, and offers the other ways to sign in', async () => {
    const client = new DashboardClient(service);
    const url = await start(client);
    const state = new URL(url).searchParams.get('state') ?? '';

    const declined = await client.get(`/sign-in/with/acme/callback?error=access_denied&state=${state}`);
    const back = provider.authorize(await start(client), { sub: 'anyone' });
    provider.setAway(true);
    const away = await client.get(back);

    expect([declined.status, declined.text.includes('did not confirm who you are (access_denied)')]).toEqual([
      401,
      true,
    ]);
    expect([away.status, away.text.includes('ACME does not respond')]).toEqual([503, true]);
    expect(away.text).toContain('name="password"');
  });

  it('links from a signed-in session only, one identity with one person, and unlinks', async () => {
    const { email, client, sub } = await aLinkedUser();
    const other = await new DashboardClient(service).signIn(await aUser(service, accountId, 'viewer'));
    await new DashboardClient(service).get('/settings/providers').expect('Location', /^\/sign-in/);

    await link(other, { sub });
    expect((await other.get('/settings/providers')).text).toContain('belongs to another user');
    const { text } = await client.get('/settings/providers').expect(200);
    expect(text).toContain('at-acme@example.org');
    const [, id = ''] = /name="id" value="([0-9a-f]{64})"/.exec(text) ?? [];
    await client.post('/settings/providers/unlink', { id }).expect(303);

    expect((await signInWith({ sub })).response.status).toBe(401);
    const entries = await service.container.get<AuditReader>(AuditReader).page(accountId, {}, 20);
    const own = entries.filter(({ subject }) => subject === email).map(({ action }) => action);
    expect(own).toEqual(expect.arrayContaining(['user.identity_linked', 'user.identity_unlinked']));
  });

  it('links nothing if the session ended while the browser was at the provider', async () => {
    const email = await aUser(service, accountId, 'viewer', `${fresh('gone')}@example.com`);
    const client = await new DashboardClient(service).signIn(email);
    const sub = fresh('sub');
    const { text } = await client.post('/settings/providers/acme/link').expect(200);
    await client.get('/settings');
    await client.post('/sign-out').expect(303);

    await client.get(provider.authorize(linkIn(text), { sub })).expect('Location', '/sign-in');

    expect((await signInWith({ sub })).response.status).toBe(401);
  });

  it('accepts an invitation instead of a password, and the only way to sign in cannot be unlinked', async () => {
    const sub = fresh('sub');

    const { email, client, response } = await accept({ sub });

    expect(response.status).toBe(303);
    expect(await userOf(email)).toMatchObject({ passwordHash: null });
    const { text: settings } = await client.get('/settings').expect(200);
    expect(settings).toContain('You have no password.');
    expect(settings).not.toContain('name="current_password"');
    const { text } = await client.get('/settings/providers').expect(200);
    const [, id = ''] = /name="id" value="([0-9a-f]{64})"/.exec(text) ?? [];
    await client.post('/settings/providers/unlink', { id }).expect(303);
    expect((await client.get('/settings/providers')).text).toContain('your only way to sign in');
    expect((await signInWith({ sub })).response.status).toBe(303);
    expect((await accept({ sub })).response.text).toContain('belongs to a user already');
  });

  it('no longer opens a user whose password was set by a set-up link', async () => {
    const { email, sub } = await aLinkedUser();
    const userId = (await userOf(email))?.id ?? '';
    const { token } = await service.container.get(IssueSetupLink).execute({ accountId, actor: OPERATOR, userId });
    const browser = new DashboardClient(service);
    await browser.get(`/set-up?token=${token}`).expect(200);
    await browser.post('/set-up', { token, password: 'forty purple umbrellas' }).expect(303);

    expect((await signInWith({ sub })).response.status).toBe(401);
  });

  it('counts as a second factor by the claims that the operator named, and never otherwise', async () => {
    const sub = fresh('sub');
    const groups = ['admins'];
    await accept({ sub, groups }, mapped);

    const strong = await signInWith({ sub, groups, amr: ['pwd', 'mfa'] });
    const weak = await signInWith({ sub, groups, amr: ['pwd'] });

    await strong.client.get('/team').expect(200);
    await weak.client.get('/team').expect('Location', '/settings/second-factor');
  });

  it('offers to sign out of the provider after signing out here', async () => {
    const { sub } = await aLinkedUser();
    const { client } = await signInWith({ sub });
    await client.get('/settings').expect(200);

    const { text } = await client.post('/sign-out').expect(200);

    expect(new URL(linkIn(text)).origin).toBe(provider.issuer);
    expect(await isSignedIn(client)).toBe(false);
  });

  it.each([
    ['an issuer without TLS', { issuer: 'http://login.example' }, 'must be an https URL'],
    ['a secret in the file', { client_secret: 'written here' }, 'must be a reference'],
    ['an unknown setting', { trust_email: true }, 'is not a known setting'],
    ['an unknown role', groupsOf('king'), 'must be one of'],
    ['tags of an owner', groupsOf({ role: 'owner', tags: ['shop'] }), 'groups.roles.x.tags must be empty for an owner'],
    ['an invalid tag', groupsOf({ role: 'viewer', tags: ['+'] }), 'groups.roles.x.tags must be 1 to 40 letters'],
    ['a role without its tags', groupsOf({ role: 'viewer' }), 'x.tags is missing'],
  ])('does not start with %s', (_name, change, message) => {
    const valid = { name: 'A', issuer: 'https://a.example', client_id: 'c', client_secret: { env: SECRET_VARIABLE } };
    const broken = join(dirname(at.file), 'broken.json');
    writeFileSync(broken, JSON.stringify({ providers: { a: { ...valid, ...change } } }));

    expect(() => readProviders(broken, { [SECRET_VARIABLE]: 'x' })).toThrow(message);
  });

  it('has the file of its secret reported at start if other users may read it', () => {
    const [secret, file] = [join(dirname(at.file), 'secret'), join(dirname(at.file), 'by-file.json')];
    writeFileSync(secret, 'secret');
    const a = { name: 'A', issuer: 'https://a.example', client_id: 'c', client_secret: { file: secret } };
    writeFileSync(file, JSON.stringify({ providers: { a } }));

    for (const [mode, expected] of [
      [0o644, [secret]],
      [0o600, []],
    ] as const) {
      chmodSync(secret, mode);
      const open: string[] = [];
      readProviders(file, {}, (path) => void open.push(path));
      expect(open).toEqual(expected);
    }
  });

  it('leaves the password as it was', async () => {
    const { email } = await aLinkedUser();

    await new DashboardClient(service).signIn(email, PASSWORD);
  });
});
