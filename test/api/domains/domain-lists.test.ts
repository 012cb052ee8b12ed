import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

onBothDatabases('lists of domains', (service) => {
  let client: Api;
  let mark: string;
  let ids: string[];

  interface List {
    readonly names: readonly string[];
    readonly next: string | undefined;
    readonly total: string | undefined;
  }
  const list = async (query: string): Promise<List> => {
    const { body, headers } = await client.get(query.startsWith('/') ? query : `/api/domains?${query}`).expect(200);
    const [, next] = /<([^>]+)>/.exec(headers['link'] ?? '') ?? [];
    const names = (body as { name: string }[]).map(({ name }) => name.slice(0, name.indexOf('-')));
    return { names, next, total: headers['total-count'] };
  };

  beforeAll(async () => {
    const accountId = await service().account();
    mark = accountId.slice(-8);
    client = api(service(), await service().key(accountId, 'ADMIN'));
    ids = [];
    for (const name of ['c', 'a', 'b']) ids.push(await registered(client, `${name}-${mark}.com`));
    await client.post(`/api/domains/${ids[1]}/renew`, { years: 2 }).expect(200);
    await client.post(`/api/domains/${ids[0]}/renew`, { years: 1 }).expect(200);
    await client.put(`/api/domains/${ids[2]}/autorenew`, { auto_renew: false }).expect(200);
  });

  it.each([
    ['name', ['a', 'b', 'c']],
    ['-name', ['c', 'b', 'a']],
    ['expires_at', ['b', 'c', 'a']],
    ['-expires_at', ['a', 'c', 'b']],
  ])('are sorted by %s, page by page', async (sort, expected) => {
    const names: string[] = [];
    for (let query: string | undefined = `sort=${sort}&limit=1`; query;) {
      const page: List = await list(query);
      names.push(...page.names);
      query = page.next;
    }

    expect(names).toEqual(expected);
    expect((await list(`sort=${sort}&auto_renew=true`)).names).toEqual(expected.filter((name) => name !== 'b'));
  });

  it.each(['status', 'auto_renew', '-transfer_locked'])('are sorted by %s with every domain once', async (sort) => {
    const first = await list(`sort=${sort}&limit=2`);
    const second = await list(first.next ?? '');

    expect([...first.names, ...second.names].toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('are oldest first without sort', async () => {
    expect((await list('')).names).toEqual(['c', 'a', 'b']);
  });

  it('have the number of all that match, on every page, if it is requested', async () => {
    expect(await list('total=true&limit=1')).toMatchObject({ names: ['c'], total: '3' });
    expect(await list('total=true')).toMatchObject({ total: '3' });
    expect(await list('total=true&sort=name&limit=1&auto_renew=true')).toMatchObject({ names: ['a'], total: '2' });
    expect(await list('total=true&name=zzz')).toMatchObject({ names: [], total: '0' });
    expect(await list('total=false')).toMatchObject({ total: undefined });
  });

  it('are filtered by several statuses', async () => {
    expect((await list('status=active,expired&sort=name')).names).toEqual(['a', 'b', 'c']);
    expect((await list('status=expired,redemption')).names).toEqual([]);
    expect(await list('status=expired,redemption&total=true')).toMatchObject({ total: '0' });
  });

  it('are filtered by the time since which they have changed', async () => {
    const { body } = await client.get(`/api/domains/${ids[0]}`).expect(200);
    const since = encodeURIComponent(body.updated_at as string);

    expect((await list(`updated_since=${since}&sort=name`)).names).toEqual(['b', 'c']);
    expect((await list('updated_since=2999-01-01')).names).toEqual([]);
  });

  it.each([
    'sort=created',
    'sort=--name',
    'sort=',
    'total=yes',
    'status=active,gone',
    'status=active,',
    'updated_since=yesterday',
    'updated_since=2027-01-31T12:00:00',
    'sort=expires_at&cursor=ZG9tXzE6YQ',
    'sort=name&cursor=MTpkb21fMQ',
  ])('are VALIDATION_ERROR for ?%s', async (query) => {
    expect((await client.get(`/api/domains?${query}`).expect(400)).body.error.code).toBe('VALIDATION_ERROR');
  });

  it('are sorted and counted for a key without seeing other domains', async () => {
    const limits = { domains: [`a-${mark}.com`, `b-${mark}.com`] };
    const { body } = await client.post('/api/keys', { name: 'two', scope: 'READ', limits }).expect(201);
    const all = client;
    client = api(service(), body.key as string);

    expect(await list('sort=-name&total=true')).toMatchObject({ names: ['b', 'a'], total: '2' });
    client = all;
  });
});
