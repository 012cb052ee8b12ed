import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { IssueSetupLink } from '../../../src/application/access/users/issue-setup-link';
import { RemoveUser } from '../../../src/application/access/users/remove-user';
import { CreateAccount } from '../../../src/application/access/create-account';
import { AuditReader } from '../../../src/application/ports/access/audit-log';
import { UserReader } from '../../../src/application/ports/access/user-repository';
import { OPERATOR } from '../../../src/domain/access/actor';
import { readProviders } from '../../../src/infrastructure/identity/read-providers';
import { aUser, DashboardClient, PASSWORD } from '../../support/dashboard/dashboard-client';
import { CLIENT, startFakeProvider, type FakeProvider } from '../../support/identity/fake-provider';
import { api, startService, type TestService } from '../../support/service/service';

type Claims = Readonly<Record<string, unknown>>;
const SECRET_VARIABLE = 'TEST_OIDC_SECRET';
let serial = 0;
const fresh = (text: string) => `${text}-${(serial += 1)}`;

const linkIn = (html: string) =>
  (/class="button primary" href="(http[^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
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

const refusal = ({ response: { status, text } }: { response: { status: number; text: string } }) => [
  status,
  text.includes('give you no role here'),
];

const groupsOf = (x: unknown) => ({ groups: { claim: 'g', account: 'a', roles: { x } } });

describe('sign-in with an OpenID Connect provider', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-oidc-'));
  const file = join(folder, 'providers.yaml');
  let provider: FakeProvider;
  let service: TestService;
  let accountId: string;
  /** The account that exists before the service, because the file names it. */
  let mapped: string;
  beforeAll(async () => {
    provider = await startFakeProvider();
    process.env[SECRET_VARIABLE] = CLIENT.secret;
    const database = `sqlite:${join(folder, 'service.db')}`;
    const key = Buffer.alloc(32, 5).toString('base64');
    const settings = {
      DATABASE_URL: database,
      SECRET_KEY: key,
      SIGN_IN_ATTEMPTS: '0',
      REQUIRE_SECOND_FACTOR: 'owners',
    };
    const before = await startService(settings);
    mapped = (await before.container.get(CreateAccount).execute({ name: 'Mapped', actor: OPERATOR })).id;
    await before.stop();
    const common = { issuer: provider.issuer, client_id: CLIENT.id, client_secret: { env: SECRET_VARIABLE } };
    const groups = {
      claim: 'groups',
      account: mapped,
      roles: { admins: 'owner', dns: 'dns-editor', shop: { role: 'manager', tags: ['Shop'] } },
    };
    const providers = {
      acme: { name: 'ACME', ...common, invitations: true, groups, second_factor: { amr: ['mfa'] } },
      plain: { name: 'Plain', ...common },
    };
    writeFileSync(file, JSON.stringify({ providers }));
    service = await startService({ ...settings, OIDC_PROVIDERS_FILE: file });
    accountId = await service.account();
  });
  afterAll(async () => {
    await service.stop();
    await provider.stop();
    delete process.env[SECRET_VARIABLE];
    rmSync(folder, { recursive: true });
  });
  afterEach(() => provider.setAway(false));

  const userOf = async (email: string, account = accountId) =>
    (await service.container.get<UserReader>(UserReader).ofEmail(email))
      .find((user) => user.toState().accountId === account)
      ?.toState();
  const signInWith = async (claims: Claims, client = new DashboardClient(service)) => ({
    client,
    response: await client.get(provider.authorize(await start(client), claims)),
  });
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
  const accept = async (claims: Claims, account = accountId) => {
    const email = `${fresh('invited')}@example.com`;
    const invitation = { accountId: account, actor: OPERATOR, email, role: 'viewer' } as const;
    const { token } = await service.container.get(InviteUser).execute(invitation);
    const client = new DashboardClient(service);
    await client.get(`/set-up?token=${token}`).expect(200);
    const { text } = await client.post('/set-up/with/acme', { token }).expect(200);
    return { email, token, client, response: await client.get(provider.authorize(linkIn(text), claims)) };
  };

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

  it('sets the role by groups at each sign-in, in the account of the provider only, and shows it', async () => {
    const sub = fresh('sub');
    await aUser(service, mapped, 'owner', `${fresh('owner')}@example.com`);
    const { email, client } = await accept({ sub, groups: ['dns', 'others'] }, mapped);
    expect((await client.get('/')).text).toContain('Your role is now DNS editor, by your groups at ACME.');
    expect((await userOf(email, mapped))?.role).toBe('dns-editor');
    expect((await client.get('/team')).text).toContain('from their groups there');

    const { client: tagged } = await signInWith({ sub, groups: ['dns', 'shop'] });
    expect((await tagged.get('/')).text).toContain('Your role is now manager for domains tagged shop, by your groups');
    expect(await userOf(email, mapped)).toMatchObject({ role: 'manager', tags: ['shop'] });
    await signInWith({ sub, groups: ['dns'] });
    expect(await userOf(email, mapped)).toMatchObject({ role: 'dns-editor', tags: null });
    await signInWith({ sub, groups: ['dns', 'admins'], amr: ['mfa'] });
    expect((await userOf(email, mapped))?.role).toBe('owner');
    const { sub: elsewhere, email: other } = await aLinkedUser();
    await signInWith({ sub: elsewhere, groups: ['admins'] });
    expect((await userOf(other))?.role).toBe('viewer');
  });

  it.each([[['others']], [[]], [undefined]])(
    'removes a person whose groups are %j from the account, with sessions, keys, password and identity',
    async (groups) => {
      await aUser(service, mapped, 'owner', `${fresh('owner')}@example.com`);
      const sub = fresh('sub');
      const { email, client } = await accept({ sub, groups: ['admins'], amr: ['mfa'] }, mapped);
      await client.get('/api-keys').expect(200);
      const created = await client.post('/api-keys', { name: 'of a person', scope: 'READ' }).expect(200);
      const [, key = ''] = /(nw_[\w.-]+)/.exec(created.text) ?? [];
      await api(service, key).get('/api/domains').expect(200);

      expect(refusal(await signInWith({ sub, groups }))).toEqual([401, true]);

      expect(await isSignedIn(client)).toBe(false);
      expect(await userOf(email, mapped)).toBeUndefined();
      await api(service, key).get('/api/domains').expect(401);
      const again = await signInWith({ sub, groups: ['admins'], amr: ['mfa'] });
      expect([again.response.status, again.response.text.includes('is not linked with a user')]).toEqual([401, true]);
      expect((await service.container.get<AuditReader>(AuditReader).page(mapped, {}, 10)).slice(0, 2)).toMatchObject(
        ['key.revoked', 'user.removed'].map((action) => ({ action, actor: { kind: 'service' } })),
      );
    },
  );

  it('takes nothing from a person whose groups do not fit into the token', async () => {
    const sub = fresh('sub');
    const { email, client } = await accept({ sub, groups: ['dns'] }, mapped);

    expect(refusal(await signInWith({ sub, _claim_names: { groups: 'src1' } }))).toEqual([401, true]);

    expect((await userOf(email, mapped))?.role).toBe('dns-editor');
    expect(await isSignedIn(client)).toBe(true);
  });

  it('does not use up an invitation if the groups give no role', async () => {
    const sub = fresh('sub');
    const { email, token, client, response } = await accept({ sub, groups: ['others'] }, mapped);
    expect(refusal({ response })).toEqual([401, true]);
    expect((await userOf(email, mapped))?.role).toBe('viewer');

    await client.get(`/set-up?token=${token}`).expect(200);
    const { text } = await client.post('/set-up/with/acme', { token }).expect(200);
    await client.get(provider.authorize(linkIn(text), { sub, groups: ['dns'] })).expect(303);

    expect((await userOf(email, mapped))?.role).toBe('dns-editor');
  });

  it('ends the sessions of the last owner who is in no group, and keeps the owner', async () => {
    const people = await service.container.get<UserReader>(UserReader).ofAccount(mapped);
    const sub = fresh('sub');
    const { email, client } = await accept({ sub, groups: ['admins'], amr: ['mfa'] }, mapped);
    for (const { id } of people.filter(({ isOwner }) => isOwner))
      await service.container
        .get(RemoveUser)
        .execute({ accountId: mapped, actor: OPERATOR, userId: id, revokeKeys: false });

    expect(refusal(await signInWith({ sub, groups: [] }))).toEqual([401, true]);

    expect(await isSignedIn(client)).toBe(false);
    expect((await userOf(email, mapped))?.role).toBe('owner');
  });

  it('keeps the last owner of an account an owner, even if the groups set another role', async () => {
    const account = mapped;
    const people = await service.container.get<UserReader>(UserReader).ofAccount(account);
    const owners = people.filter(({ isOwner }) => isOwner);
    const sub = fresh('sub');
    const { email } = await accept({ sub, groups: ['admins'], amr: ['mfa'] }, account);
    for (const { id } of owners)
      await service.container
        .get(RemoveUser)
        .execute({ accountId: account, actor: OPERATOR, userId: id, revokeKeys: false });

    const { client } = await signInWith({ sub, groups: ['dns'], amr: ['mfa'] });

    expect((await userOf(email, account))?.role).toBe('owner');
    expect((await client.get('/')).text).toContain('You stay owner');
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
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, JSON.stringify({ providers: { a: { ...valid, ...change } } }));

    expect(() => readProviders(broken, { [SECRET_VARIABLE]: 'x' })).toThrow(message);
  });

  it('has the file of its secret reported at start if other users may read it', () => {
    const [secret, file] = [join(folder, 'secret'), join(folder, 'by-file.json')];
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
