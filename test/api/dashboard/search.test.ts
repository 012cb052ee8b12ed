import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { OPERATOR } from '../../../src/domain/access/actor';
import { aUser, DashboardClient } from '../../support/dashboard/dashboard-client';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

interface Item {
  readonly label: string;
  readonly kind: string;
  readonly url: string;
}

const find = async (person: DashboardClient, text: string): Promise<readonly string[]> => {
  const { text: body } = await person.get(`/palette?q=${encodeURIComponent(text)}`).expect(200);
  return (JSON.parse(body) as { items: Item[] }).items
    .filter(({ kind }) => kind !== 'Page' && kind !== 'Action')
    .map(({ kind, label }) => `${kind} ${label}`);
};

describe('the search of the dashboard', () => {
  let service: TestService;
  let client: Api;
  let owner: DashboardClient;
  let tagged: DashboardClient;
  let shop: string;

  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_PER_MINUTE: '0', SIGN_IN_ATTEMPTS: '0' });
    const accountId = await service.account();
    client = api(service, await service.key(accountId));
    shop = await registered(client, 'search-shop.com');
    const other = await registered(client, 'search-blog.com');
    await client.put(`/api/domains/${shop}/tags`, { tags: ['storefront'] }).expect(200);
    for (const id of [shop, other])
      await client
        .post(`/api/domains/${id}/dns/records`, { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 })
        .expect(201);
    await service.container.get(IssueApiKey).execute({ accountId, actor: OPERATOR, name: 'Deployment', scope: 'READ' });
    const strangerId = await service.account();
    const stranger = api(service, await service.key(strangerId));
    await registered(stranger, 'search-stranger.com');
    await service.container
      .get(IssueApiKey)
      .execute({ accountId: strangerId, actor: OPERATOR, name: 'Deployment of others', scope: 'READ' });
    owner = await new DashboardClient(service).signIn(await aUser(service, accountId, 'owner', 'ada@search.example'));
    const editor = await aUser(service, accountId, 'dns-editor', 'bob@search.example', ['storefront']);
    tagged = await new DashboardClient(service).signIn(editor);
    await aUser(service, accountId, 'viewer', 'eve@search.example', ['elsewhere']);
  });
  afterAll(async () => {
    await service?.stop();
  });

  it('finds domains, records, tags, people and active keys, and no other account’s', async () => {
    expect(await find(owner, 'search-')).toEqual(['Domain search-blog.com', 'Domain search-shop.com']);
    expect(await find(owner, 'shop.com mx')).toEqual(['Record search-shop.com: MX @ 10 mail.example.net']);
    expect(await find(owner, 'mail.example')).toHaveLength(2);
    expect(await find(owner, 'front')).toEqual(['Tag storefront']);
    expect(await find(owner, '@SEARCH')).toEqual([
      'Person ada@search.example',
      'Person bob@search.example',
      'Person eve@search.example',
    ]);
    expect(await find(owner, 'deployment')).toEqual(['API key Deployment']);
    expect(await find(owner, 'absent')).toEqual([]);
  });

  it('shows people who are limited to tags what their pages show', async () => {
    expect(await find(tagged, 'search-')).toEqual(['Domain search-shop.com']);
    expect(await find(tagged, 'mail.example')).toEqual(['Record search-shop.com: MX @ 10 mail.example.net']);
    expect(await find(tagged, 'deployment')).toEqual([]);
    expect(await find(tagged, '@search')).toEqual(['Person ada@search.example', 'Person bob@search.example']);
  });

  it('leads from a record to its line in the list, which says who changed it', async () => {
    const { text } = await owner.get('/palette?q=shop.com+mx').expect(200);
    const url = (JSON.parse(text) as { items: Item[] }).items.find(({ kind }) => kind === 'Record')?.url ?? '';
    const [path = '', anchor = ''] = url.split('#');

    const { text: page } = await owner.get(path).expect(200);

    expect(page).toContain(`id="${anchor}"`);
    expect(page).toMatch(/ by API key “/);
  });

  it('has a tree of the names of a zone, which a list of more than 50 records links to', async () => {
    const create = Array.from({ length: 51 }, (_, index) => ({
      type: 'A',
      name: `h${index}.dev`,
      content: '192.0.2.1',
    }));
    await client.post(`/api/domains/${shop}/dns/records/batch`, { create }).expect(200);

    expect((await owner.get(`/domains/${shop}/records`).expect(200)).text).toContain(`href="/domains/${shop}/names"`);
    const { text } = await owner.get(`/domains/${shop}/names`).expect(200);
    expect(text).toContain('52 names have records.');
    expect(text).toMatch(/<span>dev<\/span>.*<strong>h7\.dev<\/strong>/);
    const below = (await owner.get(`/domains/${shop}/names?at=dev`).expect(200)).text;
    expect(below).toContain('51 names have records.');
    expect((await owner.get(`/domains/${shop}/names?at=absent`).expect(200)).text).toContain('No records here');
  });

  it('is a page, too, with a line if nothing matches', async () => {
    const { text } = await owner.get('/search?q=shop.com+mx').expect(200);
    expect(text).toContain('search-shop.com: MX @ 10 mail.example.net');

    expect((await owner.get('/search?q=absent').expect(200)).text).toContain('Nothing matches “absent”');
    expect((await owner.get('/search').expect(200)).text).not.toContain('Nothing matches');
    expect((await owner.get('/').expect(200)).text).toContain('href="/search"');
  });
});
