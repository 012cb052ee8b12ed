import request from 'supertest';
import { Clock } from '../../src/application/ports/system/clock';
import { SessionReader } from '../../src/application/ports/access/session-repository';
import { StorageUnavailable } from '../../src/application/ports/storage/storage-unavailable';
import { UnitOfWork } from '../../src/application/ports/storage/unit-of-work';
import { UserReader } from '../../src/application/ports/access/user-repository';
import { InviteUser } from '../../src/application/access/users/invite-user';
import { OPERATOR } from '../../src/domain/access/actor';
import { onBothDatabases } from '../support/databases/databases';
import { startService, type TestService } from '../support/service/service';
import { aPerson, PASSWORD, signedIn, Visitor } from '../support/dashboard/visitor';

const HOUR_MS = 3_600_000;
const QUARTER_OF_AN_HOUR_SECONDS = 900;

const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) => (headers['set-cookie'] ?? []) as string[];
const sent = (cookies: readonly string[]) => cookies.map((cookie) => cookie.split(';')[0]).join('; ');

onBothDatabases('sign-in to the dashboard', (service) => {
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

  it('sends whoever has no session to sign-in, and back to the page afterwards', async () => {
    const email = await aPerson(service(), accountId);
    const visitor = new Visitor(service());

    const away = await visitor.get('/api-keys?show=all').expect(303);
    expect(away.headers['location']).toBe('/sign-in?next=%2Fapi-keys%3Fshow%3Dall');
    await visitor.get(away.headers['location'] ?? '').expect(200);
    const back = await visitor.post('/sign-in', { email, password: PASSWORD, next: '/api-keys?show=all' }).expect(303);

    expect(back.headers['location']).toBe('/api-keys?show=all');
    await visitor.get('/api-keys').expect(200);
  });

  it.each([
    [
      'the page around it',
      'https://names.example/domains?q=a&sort=-name#results',
      '/sign-in?next=%2Fdomains%3Fq%3Da%26sort%3D-name',
    ],
    ['the overview', 'https://names.example/', '/sign-in'],
    ['the overview where the browser does not say which page that is', undefined, '/sign-in'],
    ['the overview where what it says is no address', 'domains', '/sign-in'],
    ['a page of ours, whatever site is named', 'https://evil.example/domains', '/sign-in?next=%2Fdomains'],
    ['the overview where the path would lead to another site', 'https://names.example//evil.example/', '/sign-in'],
    ['the overview where the address has no path of ours', 'javascript:alert(1)', '/sign-in'],
  ])(
    'sends whoever has lost the session while a part of a page is asked for to sign-in, and back to %s',
    async (_where, around, signIn) => {
      const { headers, text } = await new Visitor(service())
        .get('/domains?q=ab', { 'HX-Request': 'true', ...(around !== undefined && { 'HX-Current-URL': around }) })
        .expect(401);

      expect(headers['hx-redirect']).toBe(signIn);
      expect(text).toBe('');
    },
  );

  it('sends whoever is in already on to the page, and never to another site', async () => {
    const visitor = await signedIn(service(), accountId);

    await visitor.get('/sign-in?next=%2Fapi-keys').expect(303).expect('location', '/api-keys');
    await visitor.get('/sign-in?next=%2F%2Fevil.example%2F').expect(303).expect('location', '/');
    await visitor.get('/sign-in').expect(303).expect('location', '/');
  });

  it('never goes on to another site', async () => {
    const email = await aPerson(service(), accountId);
    const visitor = new Visitor(service());
    await visitor.get('/sign-in');

    await visitor
      .post('/sign-in', { email, password: PASSWORD, next: '//evil.example/' })
      .expect(303)
      .expect('location', '/');
  });

  it('says the same of a wrong password and of an e-mail that nobody has', async () => {
    const email = await aPerson(service(), accountId);
    const visitor = new Visitor(service());
    await visitor.get('/sign-in');

    const wrong = await visitor.post('/sign-in', { email, password: 'not the password' }).expect(401);
    const unknown = await visitor
      .post('/sign-in', { email: 'nobody@example.com', password: 'not the password' })
      .expect(401);

    expect(wrong.text).toContain('The e-mail or the password is wrong');
    expect(unknown.text.replaceAll('nobody@example.com', email)).toBe(wrong.text);
  });

  it('takes no password of which only the first 72 bytes are right', async () => {
    const { container } = service();
    const { token } = await container
      .get(InviteUser)
      .execute({ accountId, actor: OPERATOR, email: 'long@example.com', role: 'owner' });
    const visitor = new Visitor(service());
    await visitor.get(`/set-up?token=${token}`).expect(200);
    const password = 'a long one '.repeat(7).slice(0, 72);
    await visitor.post('/set-up', { token, password }).expect(303);
    const other = new Visitor(service());
    await other.get('/sign-in');

    await other.post('/sign-in', { email: 'long@example.com', password: `${password}!` }).expect(401);
    await other.post('/sign-in', { email: 'LONG@example.com ', password }).expect(303);
  });

  it('gives a new session id at sign-in, HttpOnly and SameSite=Lax', async () => {
    const email = await aPerson(service(), accountId);
    const visitor = new Visitor(service());
    await visitor.get('/sign-in');

    const first = await visitor.post('/sign-in', { email, password: PASSWORD }).expect(303);
    await visitor.get('/').expect(200);
    await visitor.post('/sign-out').expect(303);
    await visitor.get('/sign-in');
    const second = await visitor.post('/sign-in', { email, password: PASSWORD }).expect(303);

    const cookies = [first, second].map(({ headers }) =>
      (headers['set-cookie'] as unknown as string[]).find((cookie) => cookie.startsWith('namewright=')),
    );
    expect(cookies[0]).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    expect(cookies[0]?.split(';')[0]).not.toBe(cookies[1]?.split(';')[0]);
  });

  it('lets the owner in whom strangers have locked out, with a browser in which they have been in', async () => {
    const strict = await startService({ SIGN_IN_ATTEMPTS: '2' });
    try {
      const email = await aPerson(strict, await strict.account());
      const [own, stranger, fresh] = [new Visitor(strict), new Visitor(strict), new Visitor(strict)];
      for (const visitor of [own, stranger, fresh]) await visitor.get('/sign-in');
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

  it('knows the browser in which a password was set by a link', async () => {
    const strict = await startService({ SIGN_IN_ATTEMPTS: '1' });
    try {
      const { token } = await strict.container
        .get(InviteUser)
        .execute({ accountId: await strict.account(), actor: OPERATOR, email: 'invited@example.com', role: 'owner' });
      const [own, stranger] = [new Visitor(strict), new Visitor(strict)];
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

  it('asks browsers to stay with TLS where they came by it, and never else', async () => {
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
    ['behind TLS', { TRUST_PROXY: 'true' }, 'https', true],
    ['where PUBLIC_URL says https, whatever the request says', { PUBLIC_URL: 'https://names.example' }, 'http', true],
    [
      'but not where PUBLIC_URL says http, whatever the request says',
      { PUBLIC_URL: 'http://names.example', TRUST_PROXY: 'true' },
      'https',
      false,
    ],
  ])('makes all cookies Secure and bound to the host %s', async (_where, settings, proto, secure) => {
    const proxied = await startService(settings);
    try {
      const email = await aPerson(proxied, await proxied.account());
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

  it('gives whoever signs in a session of their own, not that of the person before', async () => {
    const [before, after] = [await aPerson(service(), accountId), await aPerson(service(), accountId)];
    const visitor = await new Visitor(service()).signIn(before);
    const [left] = await sessionsOf(before);

    await visitor.get('/sign-in');
    await visitor.post('/sign-in', { email: after, password: PASSWORD }).expect(303);

    expect(await sessionsOf(after)).toHaveLength(1);
    expect((await sessionsOf(after))[0]?.digest).not.toBe(left?.digest);
  });

  it('keeps no session id in the database, and the address and browser of each session', async () => {
    const email = await aPerson(service(), accountId);
    await new Visitor(service()).signIn(email);

    const [session] = await sessionsOf(email);

    expect(session).toMatchObject({
      id: expect.stringMatching(/^ses_/),
      clientAddress: expect.stringContaining('127.0.0.1'),
    });
  });

  it('is signed out by the button, and the session opens nothing afterwards', async () => {
    const email = await aPerson(service(), accountId);
    const visitor = await new Visitor(service()).signIn(email);

    await visitor.post('/sign-out').expect(303);

    await visitor.get('/api-keys').expect(303);
    expect(await sessionsOf(email)).toEqual([]);
  });

  it('ends a session after 12 hours without a request, and after 7 days at all', async () => {
    const email = await aPerson(service(), accountId);
    const visitor = await new Visitor(service()).signIn(email);
    const [before] = await sessionsOf(email);
    const now = service().container.get<Clock>(Clock).now().getTime();
    const seen = (ago: number) =>
      service()
        .container.get<UnitOfWork>(UnitOfWork)
        .run(({ sessions }) => sessions.seen((before as unknown as { digest: string }).digest, new Date(now - ago)));

    await seen(12 * HOUR_MS - 60_000);
    await visitor.get('/api-keys').expect(200);
    await seen(12 * HOUR_MS + 60_000);
    await visitor.get('/api-keys').expect(303);
  });

  it('puts out at once whoever was removed', async () => {
    const email = await aPerson(service(), accountId);
    const visitor = await new Visitor(service()).signIn(email);
    await service()
      .container.get<UnitOfWork>(UnitOfWork)
      .run(async ({ users }) => {
        const [user] = await service().container.get<UserReader>(UserReader).ofEmail(email);
        if (user) await users.remove(user);
      });

    await visitor.get('/api-keys').expect(303);
  });
});

describe('the dashboard', () => {
  let service: TestService;
  let accountId: string;

  beforeAll(async () => {
    service = await startService();
    accountId = await service.account();
  });
  afterAll(() => service.stop());

  it('refuses a form without the token of the session, and changes nothing', async () => {
    const visitor = await signedIn(service, accountId);

    const { text } = await visitor
      .post('/api-keys', { _token: 'forged', _owner: '', name: 'Forged', scope: 'ADMIN' })
      .expect(403);

    expect(text).toContain('This form has expired');
    expect((await visitor.get('/api-keys')).text).not.toContain('Forged');
  });

  it('refuses the token of another session', async () => {
    const [one, other] = [await signedIn(service, accountId), await signedIn(service, accountId)];
    const token = /name="_token" value="([^"]+)"/.exec((await other.get('/api-keys')).text)?.[1] ?? '';

    await one.post('/api-keys', { _token: token, name: 'Borrowed', scope: 'READ' }).expect(403);
  });

  it('allows nothing inline and nothing from elsewhere, and is never framed or kept', async () => {
    const { headers, text } = await (await signedIn(service, accountId)).get('/api-keys').expect(200);

    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
    );
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toMatch(/<style|style=|onclick=|<script>/);
  });

  it('limits attempts to sign in for each e-mail, whatever the password, and says when to try again', async () => {
    const limited = await startService({ SIGN_IN_ATTEMPTS: '2' });
    try {
      const email = await aPerson(limited, await limited.account());
      const visitor = new Visitor(limited);
      await visitor.get('/sign-in');
      await visitor.post('/sign-in', { email, password: 'wrong wrong wrong' }).expect(401);
      await visitor.post('/sign-in', { email, password: 'wrong wrong wrong' }).expect(401);

      const { text, headers } = await visitor.post('/sign-in', { email, password: PASSWORD }).expect(429);
      await visitor.post('/sign-in', { email: 'another@example.com', password: PASSWORD }).expect(401);

      const seconds = Number(headers['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(QUARTER_OF_AN_HOUR_SECONDS);
      expect(text).toMatch(/Too many attempts\. Try again in (a minute|\d+ minutes)\./);
    } finally {
      await limited.stop();
    }
  });

  it('limits attempts to sign in for each address, over all e-mails', async () => {
    const limited = await startService({ SIGN_IN_ATTEMPTS: '1' });
    try {
      const visitor = new Visitor(limited);
      await visitor.get('/sign-in');
      for (let serial = 1; serial <= 5; serial += 1)
        await visitor.post('/sign-in', { email: `guess-${serial}@example.com`, password: 'x' }).expect(401);

      await visitor.post('/sign-in', { email: 'guess-6@example.com', password: 'x' }).expect(429);
    } finally {
      await limited.stop();
    }
  });

  it('opens a set-up link once, and refuses weak and short passwords', async () => {
    const { token } = await service.container
      .get(InviteUser)
      .execute({ accountId, actor: OPERATOR, email: 'invited@example.com', role: 'member' });
    const visitor = new Visitor(service);
    await visitor.get(`/set-up?token=${token}`).expect(200);

    const short = await visitor.post('/set-up', { token, password: 'short' }).expect(400);
    const common = await visitor.post('/set-up', { token, password: 'aaaaaaaaaaaa' }).expect(400);
    await visitor.post('/set-up', { token, password: PASSWORD }).expect(303);
    await visitor
      .get('/')
      .expect(200)
      .expect(/Your password is set/);
    await new Visitor(service)
      .get(`/set-up?token=${token}`)
      .expect(404)
      .expect(/This link does not work any more/)
      .expect(({ text }) => expect(text).not.toContain('type="password"'));
    const again = await new Visitor(service)
      .get('/sign-in')
      .then(() => visitor.post('/set-up', { token, password: PASSWORD }).expect(404));

    expect(short.text).toContain('Must have 12 to 72 bytes');
    expect(common.text).toContain('Must be harder to guess');
    expect(again.text).toContain('Ask an owner of your account for a new one');
  });

  it('answers a page that is not there as a page, and as the envelope to programs', async () => {
    const visitor = new Visitor(service);

    await visitor
      .get('/nowhere')
      .expect(404)
      .expect('content-type', /html/)
      .expect(/There is nothing here/);
    await visitor.get('/nowhere', { Accept: '*/*' }).expect(404).expect('content-type', /json/);
  });

  it.each([
    ['an address that cannot be decoded', 400, () => request(service.server).get('/domains/%E0%A4%A')],
    [
      'a form in a charset that nobody knows',
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
  ])('takes %s for the sender’s fault', async (_what, status, asking) => {
    const { text } = await asking().set('Accept', 'text/html').expect(status).expect('content-type', /html/);

    expect(text).toContain('That did not work');
  });

  it.each([
    [503, 'The service is not ready', () => new StorageUnavailable()],
    [500, 'Something went wrong on our side', () => new Error('the secret of the failure')],
  ])('answers %s as a page that helps, even without a session', async (status, words, failure) => {
    const failing = await startService();
    try {
      const visitor = await signedIn(failing, await failing.account());
      const sessions = failing.container.get<SessionReader>(SessionReader);
      sessions.find = () => Promise.reject(failure());

      const { text } = await visitor.get('/domains').expect(status);

      expect(text).toContain(words);
      expect(text).toContain('/assets/dashboard.css');
      expect(text).not.toContain('the secret of the failure');
    } finally {
      await failing.stop();
    }
  });

  it('shows input as text in whatever it answers', async () => {
    const visitor = new Visitor(service);
    await visitor.get('/sign-in');

    const { text } = await visitor
      .post('/sign-in', { email: '"><img src=x onerror=alert(1)>', password: 'x', next: '"><script>' })
      .expect(401);

    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain('"><script>');
  });
});
