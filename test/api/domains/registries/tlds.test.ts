import { TldPolicies } from '../../../../src/domain/registration/names/tld-policy';
import { api, startService, type Api, type TestService } from '../../../support/service/service';

interface Tld {
  readonly tld: string;
  readonly price: object | null;
  readonly error: { readonly code: string } | null;
}

describe('the list of TLDs', () => {
  let service: TestService;
  let client: Api;
  beforeAll(async () => {
    service = await startService();
    client = api(service, await service.key(await service.account(), 'ADMIN'));
  });
  afterAll(() => service.stop());

  const tlds = async (path: string): Promise<readonly Tld[]> => (await client.get(path).expect(200)).body as Tld[];

  it('has the terms, the periods and the prices of each, in alphabetical order', async () => {
    const all = await tlds('/api/tlds');
    const names = all.map(({ tld }) => tld);

    expect(names).toEqual(names.toSorted());
    expect(all.find(({ tld }) => tld === 'com')).toEqual({
      tld: 'com',
      registration_years: { min: 1, max: 10 },
      renewal_years: { min: 1, max: 10 },
      nameservers: { min: 2, max: 13 },
      periods: { add_grace: 5, renewal_grace: 30, redemption: 30, pending_delete: 5, transfer: 5 },
      unsupported: expect.any(Array),
      transfer_needs_auth_code: true,
      price: { registration: 10.44, renewal: 10.44, restore: 80, currency: 'USD' },
      error: null,
    });
  });

  it('is read page by page', async () => {
    const policies = service.container.get(TldPolicies).all();
    const names: string[] = [];
    let path: string | undefined = '/api/tlds?limit=20';
    while (path) {
      const response: { readonly body: Tld[]; readonly headers: Record<string, string> } = await client
        .get(path)
        .expect(200);
      names.push(...response.body.map(({ tld }) => tld));
      path = /<([^>]+)>/.exec(response.headers['link'] ?? '')?.[1];
    }

    expect(names).toEqual(policies.map(({ suffix }) => suffix).toSorted());
  });

  it('has an error instead of a price if the registry does not respond', async () => {
    await client.post('/api/sandbox/faults', { kind: 'outage', times: 100 }).expect(200);

    const [first] = await tlds('/api/tlds?limit=1');
    await client.delete('/api/sandbox/faults').expect(200);

    expect(first).toMatchObject({ price: null, error: { code: 'REGISTRY_UNAVAILABLE' } });
  });

  it.each(['limit=51', 'limit=0', 'cursor=.com', 'cursor=COM', 'tld=com'])(
    'is VALIDATION_ERROR for ?%s',
    async (query) => {
      expect((await client.get(`/api/tlds?${query}`).expect(400)).body.error.code).toBe('VALIDATION_ERROR');
    },
  );

  it('is not for keys that may not read', async () => {
    const { body } = await client.post('/api/keys', { name: 'w', limits: { actions: ['write'] } }).expect(201);

    await api(service, body.key as string)
      .get('/api/tlds')
      .expect(403);
  });
});
