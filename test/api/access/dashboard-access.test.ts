import request from 'supertest';
import { Clock } from '../../../src/application/ports/system/clock';
import { SessionReader } from '../../../src/application/ports/access/session-repository';
import { StorageUnavailable } from '../../../src/application/ports/storage/storage-unavailable';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { UserReader } from '../../../src/application/ports/access/user-repository';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { OPERATOR } from '../../../src/domain/access/actor';
import { onBothDatabases } from '../../support/databases/databases';
import { startService, type TestService } from '../../support/service/service';
import { aUser, PASSWORD, signIn, DashboardClient } from '../../support/dashboard/dashboard-client';

const HOUR_MS = 3_600_000;
const FIFTEEN_MINUTES_SECONDS = 900;

const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) => (headers['set-cookie'] ?? []) as string[];
const sent = (cookies: readonly string[]) => cookies.map((cookie) => cookie.split(';')[0]).join('; ');

onBothDatabases('dashboard sign-in', (service) => {
  let accountId: string;

  beforeAll(async () => {
    accountId = await service().account();
  });

  async function sessionsOf(email: string) {
    const [user] = await service().container.get<UserReader>(UserReader).ofEmail(email);
    return service()
      .container.get<SessionReader>(SessionReader)
      .ofUser(user?.id ?? '');
  }

  it('redirects a request without a session to sign-in, and back to the page afterwards', async () => {
    const email = await aUser(service(), accountId);
    const dashboard = new DashboardClient(service());

    const away = await dashboard.get('/api-keys?show=all').expect(303);
    expect(away.headers['location']).toBe('/sign-in?next=%2Fapi-keys%3Fshow%3Dall');
    await dashboard.get(away.headers['location'] ?? '').expect(200);
    const back = await dashboard
      .post('/sign-in', { email, password: PASSWORD, next: '/api-keys?show=all' })
      .expect(303);

    expect(back.headers['location']).toBe('/api-keys?show=all');
    await dashboard.get('/api-keys').expect(200);
  });

  it.each([
    [
      'the current page',
      'https://names.example/domains?q=a&sort=-name#results',
      '/sign-in?next=%2Fdomains%3Fq%3Da%26sort%3D-name',
    ],
    ['the overview', 'https://names.example/', '/sign-in'],
    ['the overview if the browser sends no page', undefined, '/sign-in'],
    ['the overview if the browser sends no URL', 'domains', '/sign-in'],
    ['a local page if the URL names another site', 'https://evil.example/domains', '/sign-in?next=%2Fdomains'],
    ['the overview if the path leads to another site', 'https://names.example//evil.example/', '/sign-in'],
    ['the overview if the URL is a script', 'javascript:alert(1)', '/sign-in'],
  ])('redirects an htmx request without a session to sign-in, and back to %s', async (_target, currentUrl, signIn) => {
    const { headers, text } = await new DashboardClient(service())
      .get('/domains?q=ab', { 'HX-Request': 'true', ...(currentUrl !== undefined && { 'HX-Current-URL': currentUrl }) })
      .expect(401);

    expect(headers['hx-redirect']).toBe(signIn);
    expect(text).toBe('');
  });

  it('redirects a signed-in user from sign-in to the page, and never to another site', async () => {
    const dashboard = await signIn(service(), accountId);

    await dashboard.get('/sign-in?next=%2Fapi-keys').expect(303).expect('location', '/api-keys');
    await dashboard.get('/sign-in?next=%2F%2Fevil.example%2F').expect(303).expect('location', '/');
    await dashboard.get('/sign-in').expect(303).expect('location', '/');
  });

  it('never redirects to another site after sign-in', async () => {
    const email = await aUser(service(), accountId);
    const dashboard = new DashboardClient(service());
    await dashboard.get('/sign-in');

    await dashboard
      .post('/sign-in', { email, password: PASSWORD, next: '//evil.example/' })
      .expect(303)
      .expect('location', '/');
  });

  it('gives the same response to a wrong password and to an unknown e-mail', async () => {
    const email = await aUser(service(), accountId);
    const dashboard = new DashboardClient(service());
    await dashboard.get('/sign-in');

    const wrong = await dashboard.post('/sign-in', { email, password: 'not the password' }).expect(401);
    const unknown = await dashboard
      .post('/sign-in', { email: 'unknown@example.com', password: 'not the password' })
      .expect(401);

    expect(wrong.text).toContain('The e-mail or the password is wrong');
    expect(unknown.text.replaceAll('unknown@example.com', email)).toBe(wrong.text);
  });

  it('rejects a password of which only the first 72 bytes are right', async () => {
    const { container } = service();
    const { token } = await container
      .get(InviteUser)
      .execute({ accountId, actor: OPERATOR, email: 'long@example.com', role: 'owner' });
    const dashboard = new DashboardClient(service());
    await dashboard.get(`/set-up?token=${token}`).expect(200);
    const password = 'a long one '.repeat(7).slice(0, 72);
    await dashboard.post('/set-up', { token, password }).expect(303);
    const other = new DashboardClient(service());
    await other.get('/sign-in');

    await other.post('/sign-in', { email: 'long@example.com', password: `${password}!` }).expect(401);
    await other.post('/sign-in', { email: 'LONG@example.com ', password }).expect(303);
  });

  it('creates a new session id at sign-in, in a cookie that is HttpOnly and SameSite=Lax', async () => {
    const email = await aUser(service(), accountId);
    const dashboard = new DashboardClient(service());
    await dashboard.get('/sign-in');

    const first = await dashboard.post('/sign-in', { email, password: PASSWORD }).expect(303);
    await dashboard.get('/').expect(200);
    await dashboard.post('/sign-out').expect(303);
    await dashboard.get('/sign-in');
    const second = await dashboard.post('/sign-in', { email, password: PASSWORD }).expect(303);

    const cookies = [first, second].map(({ headers }) =>
      (headers['set-cookie'] as unknown as string[]).find((cookie) => cookie.startsWith('namewright=')),
    );
    expect(cookies[0]).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    expect(cookies[0]?.split(';')[0]).not.toBe(cookies[1]?.split(';')[0]);
  });

  it('lets an owner sign in with a known browser after attackers have used up the attempts', async () => {
    const strict = await startService({ SIGN_IN_ATTEMPTS: '2' });
    try {
      const email = await aUser(strict, await strict.account());
      const [own, stranger, fresh] = [
        new DashboardClient(strict),
        new DashboardClient(strict),
        new DashboardClient(strict),
      ];
      for (const dashboard of [own, stranger, fresh]) await dashboard.get('/sign-in');
      const first = await own.post('/sign-in', { email, password: PASSWORD }).expect(303);
      await own.get('/settings').expect(200);
      await own
        .post('/settings/password', { current_password: PASSWORD, new_password: 'ten violet tractors' })
        .expect(303);
      await own.get('/settings').expect(200);
      await own.post('/sign-out').expect(303);
      await own.get('/sign-in').expect(200);
      await stranger.post('/sign-in', { email, password: 'a guess' }).expect(401);

      await stranger.post('/sign-in', { email, password: 'another guess' }).expect(429);
      await fresh.post('/sign-in', { email, password: 'ten violet tractors' }).expect(429);
      await own.post('/sign-in', { email, password: 'ten violet tractors' }).expect(303);

      const mark = (first.headers['set-cookie'] as unknown as string[]).find((cookie) =>
        cookie.startsWith('namewright-known-'),
      );
      expect(mark).toMatch(
        /^namewright-known-usr_\w+=[\w-]{43}; Max-Age=31536000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      );
      expect(mark).not.toContain(email);
    } finally {
      await strict.stop();
    }
  });

  it('knows the browser in which a password was set by a set-up link', async () => {
    const strict = await startService({ SIGN_IN_ATTEMPTS: '1' });
    try {
      const { token } = await strict.container
        .get(InviteUser)
        .execute({ accountId: await strict.account(), actor: OPERATOR, email: 'invited@example.com', role: 'owner' });
      const [own, stranger] = [new DashboardClient(strict), new DashboardClient(strict)];
      await own.get(`/set-up?token=${token}`).expect(200);
      await own.post('/set-up', { token, password: PASSWORD }).expect(303);
      await own.get('/').expect(200);
      await own.post('/sign-out').expect(303);
      await stranger.get('/sign-in');
      await stranger.post('/sign-in', { email: 'invited@example.com', password: 'a guess' }).expect(401);
      await stranger.post('/sign-in', { email: 'invited@example.com', password: 'a guess' }).expect(429);
      await own.get('/sign-in').expect(200);

      await own.post('/sign-in', { email: 'invited@example.com', password: PASSWORD }).expect(303);
    } finally {
      await strict.stop();
    }
  });

  it('sends HSTS over TLS and never without TLS', async () => {
    const proxied = await startService({ TRUST_PROXY: 'true' });
    try {
      for (const path of ['/sign-in', '/docs', '/openapi.json', '/healthz', '/api/domains', '/nowhere']) {
        const { headers: plain } = await request(proxied.server).get(path);
        const { headers: overTls } = await request(proxied.server).get(path).set('X-Forwarded-Proto', 'https');

        expect({ path, hsts: plain['strict-transport-security'], opener: plain['cross-origin-opener-policy'] }).toEqual(
          { path },
        );
        expect({
          path,
          hsts: overTls['strict-transport-security'],
          opener: overTls['cross-origin-opener-policy'],
        }).toEqual({ path, hsts: 'max-age=31536000', opener: 'same-origin' });
        expect(plain['content-security-policy']).not.toContain('upgrade-insecure-requests');
        expect(plain['content-security-policy']).toContain("frame-ancestors 'none'");
      }
    } finally {
      await proxied.stop();
    }
  });

  it.each([
    ['for requests over TLS', { TRUST_PROXY: 'true' }, 'https', true],
    ['if PUBLIC_URL is https, for requests over plain HTTP too', { PUBLIC_URL: 'https://names.example' }, 'http', true],
    [
      'but not if PUBLIC_URL is http, for requests over TLS either',
      { PUBLIC_URL: 'http://names.example', TRUST_PROXY: 'true' },
      'https',
      false,
    ],
  ])('sets all cookies Secure and bound to the host %s', async (_where, settings, proto, secure) => {
    const proxied = await startService(settings);
    try {
      const email = await aUser(proxied, await proxied.account());
      const form = await request(proxied.server)
        .get('/sign-in')
        .set({ Accept: 'text/html', 'X-Forwarded-Proto': proto })
        .expect(200);
      const token = /name="_token" value="([^"]+)"/.exec(form.text)?.[1] ?? '';

      const entered = await request(proxied.server)
        .post('/sign-in')
        .set({ Accept: 'text/html', 'X-Forwarded-Proto': proto, Cookie: sent(cookiesOf(form)) })
        .type('form')
        .send({ _token: token, email, password: PASSWORD })
        .expect(303);

      const cookies = [...cookiesOf(form), ...cookiesOf(entered)];
      expect(new Set(cookies.map((cookie) => cookie.split(/=|usr_/)[0]))).toEqual(
        new Set(
          ['namewright', 'namewright-form', 'namewright-known-'].map((name) => (secure ? `__Host-${name}` : name)),
        ),
      );
      for (const cookie of cookies)
        expect({
          cookie,
          secure: /; Secure/.test(cookie),
          path: /; Path=\/;/.test(`${cookie};`),
          domain: /; Domain/.test(cookie),
        }).toEqual({ cookie, secure, path: true, domain: false });
      await request(proxied.server)
        .get('/api-keys')
        .set({ Accept: 'text/html', 'X-Forwarded-Proto': proto, Cookie: sent(cookiesOf(entered)) })
        .expect(200);
    } finally {
      await proxied.stop();
    }
  });

  it('starts a new session when another user signs in with the same browser', async () => {
    const [before, after] = [await aUser(service(), accountId), await aUser(service(), accountId)];
    const dashboard = await new DashboardClient(service()).signIn(before);
    const [left] = await sessionsOf(before);

    await dashboard.get('/sign-in');
    await dashboard.post('/sign-in', { email: after, password: PASSWORD }).expect(303);

    expect(await sessionsOf(after)).toHaveLength(1);
    expect((await sessionsOf(after))[0]?.digest).not.toBe(left?.digest);
  });

  it('stores address and browser of a session but not its id', async () => {
    const email = await aUser(service(), accountId);
    await new DashboardClient(service()).signIn(email);

    const [session] = await sessionsOf(email);

    expect(session).toMatchObject({
      id: expect.stringMatching(/^ses_/),
      clientAddress: expect.stringContaining('127.0.0.1'),
    });
  });

  it('signs out from a tab that was open before another tab signed out', async () => {
    const dashboard = await signIn(service(), accountId);
    const { text } = await dashboard.get('/settings').expect(200);
    const [, stale = ''] = /name="_token" value="([^"]+)"/.exec(text) ?? [];
    await dashboard.post('/sign-out').expect(303);

    await dashboard.post('/sign-out', { _token: stale }).expect(303).expect('Location', '/sign-in');
  });

  it('refuses the session after sign-out', async () => {
    const email = await aUser(service(), accountId);
    const dashboard = await new DashboardClient(service()).signIn(email);

    await dashboard.post('/sign-out').expect(303);

    await dashboard.get('/api-keys').expect(303);
    expect(await sessionsOf(email)).toEqual([]);
  });

  it('ends a session after 12 idle hours and at the latest after 7 days', async () => {
    const email = await aUser(service(), accountId);
    const dashboard = await new DashboardClient(service()).signIn(email);
    const [before] = await sessionsOf(email);
    const now = service().container.get<Clock>(Clock).now().getTime();
    const seen = (ago: number) =>
      service()
        .container.get<UnitOfWork>(UnitOfWork)
        .run(({ sessions }) => sessions.seen((before as unknown as { digest: string }).digest, new Date(now - ago)));

    await seen(12 * HOUR_MS - 60_000);
    await dashboard.get('/api-keys').expect(200);
    await seen(12 * HOUR_MS + 60_000);
    await dashboard.get('/api-keys').expect(303);
  });

  it('signs a removed user out at once', async () => {
    const email = await aUser(service(), accountId);
    const dashboard = await new DashboardClient(service()).signIn(email);
    await service()
      .container.get<UnitOfWork>(UnitOfWork)
      .run(async ({ users }) => {
        const [user] = await service().container.get<UserReader>(UserReader).ofEmail(email);
        if (user) await users.remove(user);
      });

    await dashboard.get('/api-keys').expect(303);
  });
});

describe('dashboard security', () => {
  let service: TestService;
  let accountId: string;

  beforeAll(async () => {
    service = await startService();
    accountId = await service.account();
  });
  afterAll(() => service.stop());

  it('rejects a form without the CSRF token of the session, and changes nothing', async () => {
    const dashboard = await signIn(service, accountId);

    const { text } = await dashboard
      .post('/api-keys', { _token: 'forged', _owner: '', name: 'Forged', scope: 'ADMIN' })
      .expect(403);

    expect(text).toContain('This form has expired');
    expect((await dashboard.get('/api-keys')).text).not.toContain('Forged');
  });

  it('rejects the CSRF token of another session', async () => {
    const [one, other] = [await signIn(service, accountId), await signIn(service, accountId)];
    const token = /name="_token" value="([^"]+)"/.exec((await other.get('/api-keys')).text)?.[1] ?? '';

    await one.post('/api-keys', { _token: token, name: 'Borrowed', scope: 'READ' }).expect(403);
  });

  it('sends a Content-Security-Policy without inline or foreign content, and forbids frames and caching', async () => {
    const { headers, text } = await (await signIn(service, accountId)).get('/api-keys').expect(200);

    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
    );
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toMatch(/<style|style=|onclick=|<script>/);
  });

  it('limits sign-in attempts per e-mail, also with the right password, and tells when to retry', async () => {
    const limited = await startService({ SIGN_IN_ATTEMPTS: '2' });
    try {
      const email = await aUser(limited, await limited.account());
      const dashboard = new DashboardClient(limited);
      await dashboard.get('/sign-in');
      await dashboard.post('/sign-in', { email, password: 'wrong wrong wrong' }).expect(401);
      await dashboard.post('/sign-in', { email, password: 'wrong wrong wrong' }).expect(401);

      const { text, headers } = await dashboard.post('/sign-in', { email, password: PASSWORD }).expect(429);
      await dashboard.post('/sign-in', { email: 'another@example.com', password: PASSWORD }).expect(401);

      const seconds = Number(headers['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(FIFTEEN_MINUTES_SECONDS);
      expect(text).toMatch(/Too many attempts\. Try again in (1 minute|\d+ minutes)\./);
    } finally {
      await limited.stop();
    }
  });

  it('limits sign-in attempts per client address across all e-mails', async () => {
    const limited = await startService({ SIGN_IN_ATTEMPTS: '1' });
    try {
      const dashboard = new DashboardClient(limited);
      await dashboard.get('/sign-in');
      for (let serial = 1; serial <= 5; serial += 1)
        await dashboard.post('/sign-in', { email: `guess-${serial}@example.com`, password: 'x' }).expect(401);

      await dashboard.post('/sign-in', { email: 'guess-6@example.com', password: 'x' }).expect(429);
    } finally {
      await limited.stop();
    }
  });

  it('accepts a set-up link once, and rejects weak and short passwords', async () => {
    const { token } = await service.container
      .get(InviteUser)
      .execute({ accountId, actor: OPERATOR, email: 'invited@example.com', role: 'manager' });
    const dashboard = new DashboardClient(service);
    await dashboard.get(`/set-up?token=${token}`).expect(200);

    const short = await dashboard.post('/set-up', { token, password: 'short' }).expect(400);
    const common = await dashboard.post('/set-up', { token, password: 'aaaaaaaaaaaa' }).expect(400);
    await dashboard.post('/set-up', { token, password: PASSWORD }).expect(303);
    await dashboard
      .get('/')
      .expect(200)
      .expect(/Your password was set/);
    await new DashboardClient(service)
      .get(`/set-up?token=${token}`)
      .expect(404)
      .expect(/This link is no longer valid/)
      .expect(({ text }) => expect(text).not.toContain('type="password"'));
    const again = await new DashboardClient(service)
      .get('/sign-in')
      .then(() => dashboard.post('/set-up', { token, password: PASSWORD }).expect(404));

    expect(short.text).toContain('Must have 12 to 72 bytes');
    expect(common.text).toContain('Must be harder to guess');
    expect(again.text).toContain('for a new link');
  });

  it('responds to an unknown path with a page for browsers and with JSON for programs', async () => {
    const dashboard = new DashboardClient(service);

    await dashboard
      .get('/nowhere')
      .expect(404)
      .expect('content-type', /html/)
      .expect(/<h1>Not found/);
    await dashboard.get('/nowhere', { Accept: '*/*' }).expect(404).expect('content-type', /json/);
  });

  it.each([
    ['a URL that cannot be decoded', 400, () => request(service.server).get('/domains/%E0%A4%A')],
    [
      'a form in an unknown charset',
      415,
      () =>
        request(service.server)
          .post('/sign-in')
          .set('Content-Type', 'application/x-www-form-urlencoded; charset=foo')
          .send('email=a'),
    ],
    [
      'a compressed form',
      415,
      () =>
        request(service.server)
          .post('/sign-in')
          .set({ 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Encoding': 'gzip' })
          .send('email=a'),
    ],
  ])('responds to %s with a client error', async (_what, status, send) => {
    const { text } = await send().set('Accept', 'text/html').expect(status).expect('content-type', /html/);

    expect(text).toContain('Request refused');
  });

  it.each([
    [503, 'Service unavailable', () => new StorageUnavailable()],
    [500, 'An internal error occurred', () => new Error('the secret of the failure')],
  ])('responds to status %i with an error page, even without a session', async (status, words, failure) => {
    const failing = await startService();
    try {
      const dashboard = await signIn(failing, await failing.account());
      const sessions = failing.container.get<SessionReader>(SessionReader);
      sessions.find = () => Promise.reject(failure());

      const { text } = await dashboard.get('/domains').expect(status);

      expect(text).toContain(words);
      expect(text).toContain('/assets/dashboard.css');
      expect(text).not.toContain('the secret of the failure');
    } finally {
      await failing.stop();
    }
  });

  it('escapes input in its responses', async () => {
    const dashboard = new DashboardClient(service);
    await dashboard.get('/sign-in');

    const { text } = await dashboard
      .post('/sign-in', { email: '"><img src=x onerror=alert(1)>', password: 'x', next: '"><script>' })
      .expect(401);

    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain('"><script>');
  });
});
