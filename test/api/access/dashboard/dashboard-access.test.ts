import { Clock } from '../../../../src/application/ports/system';
import { SessionReader, UserReader } from '../../../../src/application/ports/access/users';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { InviteUser } from '../../../../src/application/access/users/invite-user';
import { OPERATOR } from '../../../../src/domain/access/actor';
import { onBothDatabases } from '../../../support/databases/databases';
import { startService } from '../../../support/service/service';
import { aUser, PASSWORD, signIn, DashboardClient } from '../../../support/dashboard/dashboard-client';

const HOUR_MS = 3_600_000;

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
        .container.get(UnitOfWork)
        .run(({ sessions }) =>
          sessions.recordSeen((before as unknown as { digest: string }).digest, new Date(now - ago)),
        );

    await seen(12 * HOUR_MS - 60_000);
    await dashboard.get('/api-keys').expect(200);
    await seen(12 * HOUR_MS + 60_000);
    await dashboard.get('/api-keys').expect(303);
  });

  it('signs a removed user out at once', async () => {
    const email = await aUser(service(), accountId);
    const dashboard = await new DashboardClient(service()).signIn(email);
    await service()
      .container.get(UnitOfWork)
      .run(async ({ users }) => {
        const [user] = await service().container.get<UserReader>(UserReader).ofEmail(email);
        if (user) await users.remove(user);
      });

    await dashboard.get('/api-keys').expect(303);
  });
});
