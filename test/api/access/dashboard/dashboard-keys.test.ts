import { IssueApiKey } from '../../../../src/application/access/api-keys/issue-api-key';
import { KeyUses } from '../../../../src/application/access/api-keys/authenticate';
import { AuditReader } from '../../../../src/application/ports/access/audit-and-events';
import { ApiKeyReader } from '../../../../src/application/ports/access/accounts-and-api-keys';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { ApiKey } from '../../../../src/domain/access/api-key';
import { RandomKeys } from '../../../../src/infrastructure/system/random/random-keys';
import { actorText, OPERATOR } from '../../../../src/domain/access/actor';
import { onBothDatabases } from '../../../support/databases/databases';
import { api } from '../../../support/service/service';
import { signIn } from '../../../support/dashboard/dashboard-client';

const KEY = /nw_live_[\w-]{12}\.[\w-]{43}/;

onBothDatabases('API keys in the dashboard', (service) => {
  const newAccount = () => service().account();
  const addKeys = (accountId: string, count: number) =>
    service()
      .container.get(UnitOfWork)
      .run(async ({ apiKeys }) => {
        const start = new Date('2026-01-01T00:00:00.000Z').getTime();
        for (let index = 0; index < count; index += 1)
          await apiKeys.add(
            ApiKey.issue(
              new RandomKeys('nw').next(),
              { accountId, name: `Key ${index}`, scope: 'READ' },
              new Date(start + index),
            ),
          );
      });
  const newest = async (accountId: string) =>
    (await service().container.get<ApiKeyReader>(ApiKeyReader).ofAccount(accountId)).at(-1)?.toState();

  it('creates a key that works for the API, and shows it only once', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);

    const created = await dashboard.post('/api-keys', { name: 'Deploy', scope: 'READ', expires_at: '' }).expect(200);
    const key = KEY.exec(created.text)?.[0] ?? '';

    await api(service(), key).get('/api/domains').expect(200, []);
    expect(created.text).toContain(`Authorization: Bearer ${key}`);
    const { text } = await dashboard.get('/api-keys').expect(200);
    expect(text).toContain('Deploy');
    expect(text).not.toContain(key.slice(-43));
  });

  it('preselects READ, and uses ADMIN for a request without a scope', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);

    const { text } = await dashboard.get('/api-keys/new').expect(200);
    await dashboard.post('/api-keys', { name: 'No scope' }).expect(200);

    expect([...text.matchAll(/value="(\w+)" checked/g)].map(([, scope]) => scope)).toEqual(['certificates', 'READ']);
    expect(await newest(accountId)).toMatchObject({ name: 'No scope', scope: 'ADMIN' });
    await dashboard.post('/api-keys', { name: 'Wrong', scope: 'ROOT' }).expect(400);
  });

  it('creates a key that only proposes changes, and says so in the list', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);

    const form = { name: 'Agent', scope: 'WRITE', expires_at: '' };
    await dashboard.post('/api-keys', { ...form, propose: 'on' }).expect(200);
    await dashboard.get('/api-keys').expect(/only proposes changes/);
    expect(await newest(accountId)).toMatchObject({ scope: 'WRITE', limits: { propose: true } });

    await dashboard.post('/api-keys', form).expect(200);
    expect(await newest(accountId)).toMatchObject({ scope: 'WRITE', limits: null });
  });

  it('revokes a key, which the API then refuses at once', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);
    const key = await service().key(accountId);
    await api(service(), key).get('/api/domains').expect(200);

    await dashboard.post(`/api-keys/${(await newest(accountId))?.keyId}/revoke`).expect(303);

    await api(service(), key).get('/api/domains').expect(401);
    await dashboard
      .get('/api-keys')
      .expect(/is revoked. Requests with it are refused/)
      .expect(/No active API keys/);
    await dashboard
      .get('/api-keys/inactive')
      .expect(/Test key/)
      .expect(/revoked/);
  });

  it('shows who created a key, and says how many keys that were created with a revoked key still work', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);
    const created = await dashboard.post('/api-keys', { name: 'Provisioning', scope: 'ADMIN' }).expect(200);
    const creator = await newest(accountId);
    const client = api(service(), KEY.exec(created.text)?.[0] ?? '');
    await client.post('/api/keys', { name: 'Router' }).expect(201);
    await dashboard
      .get('/api-keys')
      .expect(/by person-\d+@example\.com/)
      .expect(/by API key “Provisioning”/);

    await dashboard.post(`/api-keys/${creator?.keyId}/revoke`).expect(303);

    await dashboard.get('/api-keys').expect(/An API key that was created with it still works/);
  });

  it('rotates a key, and the old key works until it is revoked', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);
    const old = await service().key(accountId, 'WRITE');
    const oldId = (await newest(accountId))?.keyId;

    const { text } = await dashboard.post(`/api-keys/${oldId}/rotate`).expect(200);

    await api(service(), KEY.exec(text)?.[0] ?? '')
      .get('/api/domains')
      .expect(200);
    await api(service(), old).get('/api/domains').expect(200);
    expect(await newest(accountId)).toMatchObject({ name: 'Test key', scope: 'WRITE' });
    expect(text).toContain(`/api-keys/${oldId}/revoke`);
  });

  it('keeps the limits of a key when it is rotated, and lists them in words', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);
    const limits = { domains: ['own.com'], actions: ['read'] } as const;
    await service().container.get(IssueApiKey).execute({ accountId, actor: OPERATOR, name: 'limited', limits });
    const oldId = (await newest(accountId))?.keyId;

    await dashboard.post(`/api-keys/${oldId}/rotate`).expect(200);

    expect(await newest(accountId)).toMatchObject({ name: 'limited', limits });
    expect((await dashboard.get('/api-keys').expect(200)).text).toContain('own.com; may read');
  });

  it('gives the key of a rotation an expiry if the old key has one', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);
    const expiresAt = new Date(Date.now() + 30 * 86_400_000);
    const { key } = await service()
      .container.get(IssueApiKey)
      .execute({ accountId, actor: OPERATOR, name: 'Ending', expiresAt });

    await dashboard.post(`/api-keys/${key.toState().keyId}/rotate`).expect(200);

    expect((await newest(accountId))?.expiresAt?.getTime()).toBeGreaterThanOrEqual(expiresAt.getTime());
  });

  it('accepts only expiry dates in the future', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);

    await dashboard
      .post('/api-keys', { name: 'Short', scope: 'READ', expires_at: '2020-01-01' })
      .expect(400)
      .expect(/Must be in the future and at most ten years ahead/);
    await dashboard
      .post('/api-keys', { name: 'Short', scope: 'READ', expires_at: 'soon' })
      .expect(400)
      .expect(/Must be a date such as/);
    await dashboard
      .post('/api-keys', { name: 'Short', scope: 'READ', expires_at: '2030-12-31' })
      .expect(200)
      .expect(/works until 1 Jan 2031/);
    expect((await newest(accountId))?.expiresAt).toEqual(new Date('2031-01-01T00:00:00Z'));
  });

  it('shows errors at each field', async () => {
    const dashboard = await signIn(service(), await newAccount());

    const { text } = await dashboard.post('/api-keys', { name: ' ', scope: 'READ' }).expect(400);

    expect(text).toMatch(/aria-invalid[^>]*aria-describedby="name-error name-hint"/);
    expect(text).toContain(
      '<p class="field-error" id="name-error">Must be a text of 1 to 100 characters without control characters</p>',
    );
  });

  it('lets only owners create and revoke keys', async () => {
    const accountId = await newAccount();
    await service().key(accountId);
    const keyId = (await newest(accountId))?.keyId;
    const member = await signIn(service(), accountId, 'manager');

    const { text } = await member.get('/api-keys').expect(200);

    expect(text).not.toContain('Create key');
    await member.get('/api-keys/new').expect(403);
    await member
      .post('/api-keys', { name: 'Mine', scope: 'ADMIN' })
      .expect(403)
      .expect(/Only owners/);
    await member.post(`/api-keys/${keyId}/revoke`).expect(403);
  });

  it('responds with 404 for keys of another account', async () => {
    const [mine, theirs] = [await newAccount(), await newAccount()];
    await service().key(theirs);
    const keyId = (await newest(theirs))?.keyId;
    const dashboard = await signIn(service(), mine);

    await dashboard.post(`/api-keys/${keyId}/revoke`).expect(404);
    await dashboard.post(`/api-keys/${keyId}/rotate`).expect(404);
    expect((await newest(theirs))?.revokedAt).toBeNull();
  });

  it('records in the audit log which user created and revoked a key', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);
    await dashboard.post('/api-keys', { name: 'Told', scope: 'READ' }).expect(200);
    await dashboard.post(`/api-keys/${(await newest(accountId))?.keyId}/revoke`).expect(303);

    const entries = await service().container.get<AuditReader>(AuditReader).page(accountId, {}, 2);

    expect(entries.map(({ action, actor }) => [action, actorText(actor).slice(0, 9)])).toEqual([
      ['key.revoked', 'user:usr_'],
      ['key.created', 'user:usr_'],
    ]);
  });

  it('shows fifty keys per page, newest first', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);
    await addKeys(accountId, 51);

    const { text } = await dashboard.get('/api-keys').expect(200);
    const [, older = ''] = /<a href="([^"]+)">Next page/.exec(text) ?? [];

    expect([...text.matchAll(/<strong>(Key \d+)/g)].map(([, name]) => name)).toEqual(
      Array.from({ length: 50 }, (_key, index) => `Key ${50 - index}`),
    );
    const next = await dashboard.get(older.replaceAll('&amp;', '&')).expect(200);
    expect([...next.text.matchAll(/<strong>(Key \d+)/g)].map(([, name]) => name)).toEqual(['Key 0']);
    expect(next.text).toContain('First page');
  });

  it('limits an account to 200 active keys, also under concurrent requests', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);
    await addKeys(accountId, 199);

    const created = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        service().container.get(IssueApiKey).execute({ accountId, actor: OPERATOR, name: 'One of four' }),
      ),
    );

    expect(created.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(created.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'LIMIT_EXCEEDED' } });
    await dashboard
      .post('/api-keys', { name: 'One more', scope: 'READ' })
      .expect(409)
      .expect(/An account has at most 200 active API keys: Revoke a key that is no longer used/);
    const keyId = (await newest(accountId))?.keyId;
    await dashboard.post(`/api-keys/${keyId}/rotate`).expect(303);
    await dashboard.get('/api-keys').expect(/at most 200 active API keys/);
    await dashboard.post(`/api-keys/${keyId}/revoke`).expect(303);
    await dashboard.get('/api-keys');
    await dashboard.post('/api-keys', { name: 'One more', scope: 'READ' }).expect(200);
  });

  it('escapes the name of a key', async () => {
    const dashboard = await signIn(service(), await newAccount());

    const { text } = await dashboard
      .post('/api-keys', { name: '<img src=x onerror=alert(1)>', scope: 'READ' })
      .expect(200);

    expect(text).toContain('&lt;img src=x onerror=alert(1)');
    expect(text).not.toContain('<img src=x');
  });

  it('shows when a key was last used', async () => {
    const accountId = await newAccount();
    const dashboard = await signIn(service(), accountId);
    const key = await service().key(accountId);
    await dashboard.get('/api-keys').expect(/never/);
    await api(service(), key).get('/api/domains').expect(200);
    expect((await newest(accountId))?.lastUsedAt).toBeNull();

    await service().container.get(KeyUses).write();

    expect((await newest(accountId))?.lastUsedAt).toEqual(expect.any(Date));
    await dashboard.get('/api-keys').expect(/just now/);
  });
});
