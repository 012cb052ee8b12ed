import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

onBothDatabases('reads of DNS records', (service) => {
  let client: Api;
  let accountId: string;
  let records: string;
  let serial = 0;

  const add = async (record: object): Promise<Record<string, unknown>> =>
    (await client.post(records, record).expect(201)).body as Record<string, unknown>;

  beforeEach(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
    records = `/api/domains/${await registered(client, `reads-${(serial += 1)}.com`)}/dns/records`;
  });

  it('return one record by its id, with the version of the zone', async () => {
    const record = await add({ type: 'MX', name: '@', content: 'Mail.Example.net', priority: 10 });

    const { body, headers } = await client.get(`${records}/${record['id'] as string}`).expect(200);

    expect(body).toEqual(record);
    expect(headers['zone-version']).toMatch(/^\d+$/);
    expect(headers['etag']).toBe(`"${headers['zone-version'] as string}"`);
  });

  it('are RECORD_NOT_FOUND for an unknown record and for one of another zone', async () => {
    const other = `/api/domains/${await registered(client, `reads-${(serial += 1)}.com`)}/dns/records`;
    const { id } = await add({ type: 'A', name: '@', content: '192.0.2.1' });

    for (const path of [`${records}/rec_unknown`, `${other}/${id as string}`])
      expect((await client.get(path).expect(404)).body.error.code).toBe('RECORD_NOT_FOUND');
  });

  it('are DOMAIN_NOT_FOUND for a stranger, and RECORD_NOT_FOUND for a key that may not see the record', async () => {
    const stranger = api(service(), await service().key(await service().account()));
    const limits = { types: ['TXT'] };
    const { body: key } = await client.post('/api/keys', { name: 'texts', scope: 'READ', limits }).expect(201);
    const { id } = await add({ type: 'A', name: '@', content: '192.0.2.1' });
    const path = `${records}/${id as string}`;

    expect((await stranger.get(path).expect(404)).body.error.code).toBe('DOMAIN_NOT_FOUND');
    const limited = api(service(), key.key as string);
    expect((await limited.get(path).expect(404)).body.error.code).toBe('RECORD_NOT_FOUND');
  });

  it('are filtered by the whole content, together with type and name, and page by page', async () => {
    for (const name of ['a', 'b', 'c']) await add({ type: 'A', name, content: '192.0.2.7' });
    await add({ type: 'A', name: 'd', content: '192.0.2.77' });
    await add({ type: 'TXT', name: 'a', content: '192.0.2.7' });

    const found = async (query: string) =>
      ((await client.get(`${records}?${query}`).expect(200)).body as { name: string }[]).map(({ name }) => name);

    expect(await found('content=192.0.2.7&type=A')).toEqual(['a', 'b', 'c']);
    expect(await found('content=192.0.2.7&name=b')).toEqual(['b']);
    expect(await found('content=192.0.2')).toEqual([]);
    const page = await client.get(`${records}?content=192.0.2.7&type=A&limit=2`).expect(200);
    const [, next = ''] = /<([^>]+)>/.exec(page.headers['link'] as string) ?? [];
    expect(page.body).toHaveLength(2);
    expect((await client.get(next).expect(200)).body).toMatchObject([{ name: 'c' }]);
  });
});
