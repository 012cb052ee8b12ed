import { IssueApiKey } from '../../src/application/access/api-keys/issue-api-key';
import { KeyUses } from '../../src/application/access/api-keys/key-uses';
import { AuditReader } from '../../src/application/ports/access/audit-log';
import { ApiKeyReader } from '../../src/application/ports/access/access-repositories';
import { UnitOfWork } from '../../src/application/ports/storage/unit-of-work';
import { ApiKey } from '../../src/domain/access/api-key';
import { RandomKeys } from '../../src/infrastructure/system/random-keys';
import { actorText, OPERATOR } from '../../src/domain/access/actor';
import { onBothDatabases } from '../support/databases/databases';
import { api } from '../support/service/service';
import { signedIn } from '../support/dashboard/visitor';

const KEY = /nw_live_[\w-]{12}\.[\w-]{43}/;

onBothDatabases('the page of API keys', (service) => {
  const newAccount = () => service().account();
  const addKeys = (accountId: string, count: number) =>
    service()
      .container.get<UnitOfWork>(UnitOfWork)
      .run(async ({ apiKeys }) => {
        const start = new Date('2026-01-01T00:00:00.000Z').getTime();
        for (let index = 0; index < count; index += 1)
          await apiKeys.add(
            ApiKey.issue(
              new RandomKeys().next(),
              { accountId, name: `Key ${index}`, scope: 'READ' },
              new Date(start + index),
            ),
          );
      });
  const newest = async (accountId: string) =>
    (await service().container.get<ApiKeyReader>(ApiKeyReader).ofAccount(accountId)).at(-1)?.toState();

  it('creates a key that works at the interface, and shows it this once', async () => {
    const accountId = await newAccount();
    const visitor = await signedIn(service(), accountId);

    const created = await visitor.post('/api-keys', { name: 'Deploy', scope: 'READ', expires_at: '' }).expect(200);
    const key = KEY.exec(created.text)?.[0] ?? '';

    await api(service(), key).get('/api/domains').expect(200, []);
    expect(created.text).toContain(`Authorization: Bearer ${key}`);
    const { text } = await visitor.get('/api-keys').expect(200);
    expect(text).toContain('Deploy');
    expect(text).not.toContain(key.slice(-43));
  });

  it('suggests READ, and takes a request that names no scope for ADMIN', async () => {
    const accountId = await newAccount();
    const visitor = await signedIn(service(), accountId);

    const { text } = await visitor.get('/api-keys/new').expect(200);
    await visitor.post('/api-keys', { name: 'No scope' }).expect(200);

    expect([...text.matchAll(/value="(\w+)" checked/g)].map(([, scope]) => scope)).toEqual(['READ']);
    expect(await newest(accountId)).toMatchObject({ name: 'No scope', scope: 'ADMIN' });
    await visitor.post('/api-keys', { name: 'Wrong', scope: 'ROOT' }).expect(400);
  });

  it('revokes a key, which the interface refuses from its next request on', async () => {
    const accountId = await newAccount();
    const visitor = await signedIn(service(), accountId);
    const key = await service().key(accountId);
    await api(service(), key).get('/api/domains').expect(200);

    await visitor.post(`/api-keys/${(await newest(accountId))?.keyId}/revoke`).expect(303);

    await api(service(), key).get('/api/domains').expect(401);
    await visitor
      .get('/api-keys')
      .expect(/is revoked: it opens nothing any more/)
      .expect(/No active API keys/);
    await visitor
      .get('/api-keys/former')
      .expect(/Test key/)
      .expect(/revoked/);
  });

  it('rotates a key: another one like it, and the old one works until it is revoked', async () => {
    const accountId = await newAccount();
    const visitor = await signedIn(service(), accountId);
    const old = await service().key(accountId, 'WRITE');
    const oldId = (await newest(accountId))?.keyId;

    const { text } = await visitor.post(`/api-keys/${oldId}/rotate`).expect(200);

    await api(service(), KEY.exec(text)?.[0] ?? '')
      .get('/api/domains')
      .expect(200);
    await api(service(), old).get('/api/domains').expect(200);
    expect(await newest(accountId)).toMatchObject({ name: 'Test key', scope: 'WRITE' });
    expect(text).toContain(`/api-keys/${oldId}/revoke`);
  });

  it('rotates a key that ends into one that ends, too', async () => {
    const accountId = await newAccount();
    const visitor = await signedIn(service(), accountId);
    const expiresAt = new Date(Date.now() + 30 * 86_400_000);
    const { key } = await service()
      .container.get(IssueApiKey)
      .execute({ accountId, actor: OPERATOR, name: 'Ending', expiresAt });

    await visitor.post(`/api-keys/${key.toState().keyId}/rotate`).expect(200);

    expect((await newest(accountId))?.expiresAt?.getTime()).toBeGreaterThanOrEqual(expiresAt.getTime());
  });

  it('opens nothing with a key after its last day', async () => {
    const accountId = await newAccount();
    const visitor = await signedIn(service(), accountId);

    await visitor
      .post('/api-keys', { name: 'Short', scope: 'READ', expires_at: '2020-01-01' })
      .expect(400)
      .expect(/Must be a date in the future/);
    await visitor
      .post('/api-keys', { name: 'Short', scope: 'READ', expires_at: 'soon' })
      .expect(400)
      .expect(/Must be a date such as/);
    await visitor
      .post('/api-keys', { name: 'Short', scope: 'READ', expires_at: '2030-12-31' })
      .expect(200)
      .expect(/works until 1 January 2031/);
    expect((await newest(accountId))?.expiresAt).toEqual(new Date('2031-01-01T00:00:00Z'));
  });

  it('says beside each field what is wrong with it', async () => {
    const visitor = await signedIn(service(), await newAccount());

    const { text } = await visitor.post('/api-keys', { name: ' ', scope: 'READ' }).expect(400);

    expect(text).toMatch(/aria-invalid[^>]*aria-describedby="name-fault name-hint"/);
    expect(text).toContain('<p class="fault" id="name-fault">Must be a text of 1 to 100 characters</p>');
  });

  it('shows owners’ buttons to owners only, and refuses members what they do', async () => {
    const accountId = await newAccount();
    await service().key(accountId);
    const keyId = (await newest(accountId))?.keyId;
    const member = await signedIn(service(), accountId, 'member');

    const { text } = await member.get('/api-keys').expect(200);

    expect(text).not.toContain('Create a key');
    await member.get('/api-keys/new').expect(403);
    await member
      .post('/api-keys', { name: 'Mine', scope: 'ADMIN' })
      .expect(403)
      .expect(/Only owners/);
    await member.post(`/api-keys/${keyId}/revoke`).expect(403);
  });

  it('does not find the keys of another account', async () => {
    const [mine, theirs] = [await newAccount(), await newAccount()];
    await service().key(theirs);
    const keyId = (await newest(theirs))?.keyId;
    const visitor = await signedIn(service(), mine);

    await visitor.post(`/api-keys/${keyId}/revoke`).expect(404);
    await visitor.post(`/api-keys/${keyId}/rotate`).expect(404);
    expect((await newest(theirs))?.revokedAt).toBeNull();
  });

  it('tells in the audit log which person created and revoked a key', async () => {
    const accountId = await newAccount();
    const visitor = await signedIn(service(), accountId);
    await visitor.post('/api-keys', { name: 'Told', scope: 'READ' }).expect(200);
    await visitor.post(`/api-keys/${(await newest(accountId))?.keyId}/revoke`).expect(303);

    const entries = await service().container.get<AuditReader>(AuditReader).page(accountId, {}, 2);

    expect(entries.map(({ action, actor }) => [action, actorText(actor).slice(0, 9)])).toEqual([
      ['key.revoked', 'user:usr_'],
      ['key.created', 'user:usr_'],
    ]);
  });

  it('shows fifty keys a page, newest first', async () => {
    const accountId = await newAccount();
    const visitor = await signedIn(service(), accountId);
    await addKeys(accountId, 51);

    const { text } = await visitor.get('/api-keys').expect(200);
    const [, older = ''] = /<a href="([^"]+)">Older/.exec(text) ?? [];

    expect([...text.matchAll(/<strong>(Key \d+)/g)].map(([, name]) => name)).toEqual(
      Array.from({ length: 50 }, (_key, index) => `Key ${50 - index}`),
    );
    const next = await visitor.get(older.replaceAll('&amp;', '&')).expect(200);
    expect([...next.text.matchAll(/<strong>(Key \d+)/g)].map(([, name]) => name)).toEqual(['Key 0']);
    expect(next.text).toContain('Back to the beginning');
  });

  it('stops at two hundred active keys of an account, also for many who create at once', async () => {
    const accountId = await newAccount();
    const visitor = await signedIn(service(), accountId);
    await addKeys(accountId, 199);

    const created = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        service().container.get(IssueApiKey).execute({ accountId, actor: OPERATOR, name: 'One of four' }),
      ),
    );

    expect(created.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(created.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'LIMIT_EXCEEDED' } });
    await visitor
      .post('/api-keys', { name: 'One more', scope: 'READ' })
      .expect(409)
      .expect(/An account has at most 200 active API keys: Revoke a key that is no longer used/);
    const keyId = (await newest(accountId))?.keyId;
    await visitor.post(`/api-keys/${keyId}/rotate`).expect(303);
    await visitor.get('/api-keys').expect(/at most 200 active API keys/);
    await visitor.post(`/api-keys/${keyId}/revoke`).expect(303);
    await visitor.get('/api-keys');
    await visitor.post('/api-keys', { name: 'One more', scope: 'READ' }).expect(200);
  });

  it('shows a name as text, whatever is in it', async () => {
    const visitor = await signedIn(service(), await newAccount());

    const { text } = await visitor
      .post('/api-keys', { name: '<img src=x onerror=alert(1)>', scope: 'READ' })
      .expect(200);

    expect(text).toContain('&lt;img src=x onerror=alert(1)');
    expect(text).not.toContain('<img src=x');
  });

  it('shows when a key was last used, written in batches', async () => {
    const accountId = await newAccount();
    const visitor = await signedIn(service(), accountId);
    const key = await service().key(accountId);
    await visitor.get('/api-keys').expect(/never/);
    await api(service(), key).get('/api/domains').expect(200);
    expect((await newest(accountId))?.lastUsedAt).toBeNull();

    await service().container.get(KeyUses).write();

    expect((await newest(accountId))?.lastUsedAt).toEqual(expect.any(Date));
    await visitor.get('/api-keys').expect(/just now/);
  });
});
