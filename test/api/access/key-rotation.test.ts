import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

interface Listed {
  readonly key_id: string;
  readonly name: string;
  readonly status: string;
}

const listed = async (client: Api, query = ''): Promise<readonly Listed[]> =>
  (await client.get(`/api/keys${query}`).expect(200)).body as Listed[];
const namesOf = (keys: readonly Listed[]) => keys.map(({ name }) => name);

onBothDatabases('API keys by the API', (service) => {
  let accountId: string;
  let admin: Api;

  const issued = async (name: string, rest: object = {}): Promise<{ readonly id: string; readonly client: Api }> => {
    const { body } = await admin.post('/api/keys', { name, ...rest }).expect(201);
    return { id: body.key_id as string, client: api(service(), body.key as string) };
  };

  beforeEach(async () => {
    accountId = await service().account();
    admin = api(service(), await service().key(accountId));
  });

  it('are rotated: a new key revokes the former one, which fails from then on', async () => {
    const former = await issued('deploy', { scope: 'ADMIN' });
    const { body: next } = await former.client.post('/api/keys', { name: 'deploy' }).expect(201);

    const { body } = await api(service(), next.key as string)
      .delete(`/api/keys/${former.id}`)
      .expect(200);

    expect(body).toEqual({
      key_id: former.id,
      name: 'deploy',
      scope: 'ADMIN',
      type: 'api',
      limits: null,
      created_at: expect.any(String),
      expires_at: null,
      status: 'revoked',
      last_used_at: null,
    });
    expect((await former.client.get('/api/key').expect(401)).body.error.code).toBe('INVALID_API_KEY');
  });

  it('are listed newest first with their status, by pages, and never with their secrets', async () => {
    const { id } = await issued('one', { scope: 'READ' });
    await issued('two', { type: 'tsig' });
    await admin.delete(`/api/keys/${id}`).expect(200);

    const all = await admin.get('/api/keys?limit=2').expect(200);
    const [, next = ''] = /<([^>]+)>/.exec(all.headers['link'] as string) ?? [];

    expect(all.body).toMatchObject([
      { name: 'two', type: 'tsig', status: 'active' },
      { name: 'one', key_id: id, status: 'revoked' },
    ]);
    expect((await admin.get(next).expect(200)).body).toHaveLength(1);
    expect(namesOf(await listed(admin, '?active=false'))).toEqual(['one']);
    expect(namesOf(await listed(admin, '?active=true'))).not.toContain('one');
    expect(JSON.stringify(all.body)).not.toMatch(/secret|digest|_live_|hmac/);
  });

  it('are revoked once, and a repeated request gets the response of the first', async () => {
    const { id } = await issued('once');
    const revoke = () => admin.delete(`/api/keys/${id}`).set('Idempotency-Key', 'revoke-once');

    const [first, second] = [await revoke().expect(200), await revoke().expect(200)];

    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replay']).toBe('true');
  });

  it('list and revoke themselves and keys that may do no more if they have limits', async () => {
    await registered(admin, `limited-${accountId.slice(-6)}.com`);
    const limits = { tags: ['mine'] };
    const limited = await issued('limited', { limits });
    const { body: narrower } = await limited.client
      .post('/api/keys', { name: 'narrower', scope: 'READ', limits: { ...limits, actions: ['read'] } })
      .expect(201);
    const wider = await issued('wider', { scope: 'READ' });

    expect(namesOf(await listed(limited.client))).toEqual(['narrower', 'limited']);
    expect((await limited.client.delete(`/api/keys/${wider.id}`).expect(404)).body.error.code).toBe('NOT_FOUND');
    await limited.client.delete(`/api/keys/${narrower.key_id}`).expect(200);
    await limited.client.delete(`/api/keys/${limited.id}`).expect(200);
    await limited.client.get('/api/keys').expect(401);
  });

  it.each([
    ['a WRITE key', { scope: 'WRITE' }],
    ['a key without the action settings', { limits: { actions: ['read', 'write'] } }],
  ])('are neither listed nor revoked by %s', async (_which, rest) => {
    const { id, client } = await issued('low', rest);

    await client.get('/api/keys').expect(403);
    await client.delete(`/api/keys/${id}`).expect(403);
  });

  it('are NOT_FOUND if they are unknown or another account’s', async () => {
    const stranger = api(service(), await service().key(await service().account()));
    const { id, client } = await issued('ours');

    for (const wrong of [id, 'unknown', `${id}x`]) {
      const { body } = await stranger.delete(`/api/keys/${encodeURIComponent(wrong)}`).expect(404);
      expect(body.error.code).toBe('NOT_FOUND');
    }

    await client.get('/api/key').expect(200);
    expect(await listed(stranger)).toHaveLength(1);
  });

  it.each(['?limit=0', '?cursor=abc', '?active=yes', '?cursor=MTpkb21fMQ'])('are not listed for %s', async (query) => {
    expect((await admin.get(`/api/keys${query}`).expect(400)).body.error.code).toBe('VALIDATION_ERROR');
  });
});
