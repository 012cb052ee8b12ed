import request from 'supertest';
import { SessionReader } from '../../../../src/application/ports/access/users';
import { StorageUnavailable } from '../../../../src/application/ports/storage/storage-unavailable';
import { InviteUser } from '../../../../src/application/access/users/invite-user';
import { OPERATOR } from '../../../../src/domain/access/actor';
import { startService, type TestService } from '../../../support/service/service';
import { aUser, PASSWORD, signIn, DashboardClient } from '../../../support/dashboard/dashboard-client';

const FIFTEEN_MINUTES_SECONDS = 900;

const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) => (headers['set-cookie'] ?? []) as string[];
const sent = (cookies: readonly string[]) => cookies.map((cookie) => cookie.split(';')[0]).join('; ');

describe('dashboard security', () => {
  let service: TestService;
  let accountId: string;

  beforeAll(async () => {
    service = await startService();
    accountId = await service.account();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.stop());

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
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self';font-src 'self';connect-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
    );
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toMatch(/<style|style=|onclick=|<script>/);
  });

  it.each([
    ['gzip, deflate', 'gzip'],
    ['identity', undefined],
  ])('sends pages to a browser that accepts %s with the content encoding %s', async (accepted, encoding) => {
    const { headers } = await request(service.server).get('/sign-in').set('Accept-Encoding', accepted).expect(200);

    expect(headers['content-encoding']).toBe(encoding);
  });

  it('limits sign-in attempts per e-mail, even with the right password, and says when to retry', async () => {
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
    const dashboard = await signIn(service, accountId);
    const find = jest.spyOn(service.container.get<SessionReader>(SessionReader), 'find');
    find.mockImplementation(() => Promise.reject(failure()));
    const { text } = await dashboard.get('/domains').expect(status);

    expect(text).toContain(words);
    expect(text).toContain('/assets/dashboard.css');
    expect(text).not.toContain('the secret of the failure');
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
