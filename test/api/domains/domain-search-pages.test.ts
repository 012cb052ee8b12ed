import type { Response } from 'supertest';
import { DomainQueries, DomainReader } from '../../../src/application/ports/registration/domain-repository';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SqlDomainQueries } from '../../../src/infrastructure/persistence/registration/domains/sql-domain-queries';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { SqlDomainReader } from '../../../src/infrastructure/persistence/registration/domains/sql-domain-reader';
import { aDomain } from '../../support/data/a-domain';
import { onBothDatabases } from '../../support/databases/databases';
import { signIn } from '../../support/dashboard/dashboard-client';
import { api } from '../../support/service/service';

/** So that a page of a search ends after four names, as it does after thousands of them. */
const LIMITS = { fewNames: 1, comparedNames: 4 };
const OTHERS = 10;

onBothDatabases('a search whose matches are far down in the list', (service) => {
  let database: Database;
  let accountId: string;

  beforeAll(async () => {
    const { container } = service();
    database = new Database(service().config.database, SERVICE_CONTENT);
    await database.open();
    const [reader, queries] = [new SqlDomainReader(database, LIMITS), new SqlDomainQueries(database, LIMITS)];
    jest.spyOn(container.get<DomainReader>(DomainReader), 'page').mockImplementation(reader.page.bind(reader));
    const used = container.get<DomainQueries>(DomainQueries);
    jest.spyOn(used, 'page').mockImplementation(queries.page.bind(queries));
    jest.spyOn(used, 'listed').mockImplementation(queries.listed.bind(queries));
    accountId = await service().account();
    await container.get(UnitOfWork).run(async ({ domains }) => {
      for (let index = 0; index < OTHERS + 3; index += 1)
        await domains.add(
          aDomain({
            id: `dom_${String(index).padStart(26, '0')}`,
            accountId,
            name: `${index < OTHERS ? 'name' : 'shop'}-${index}.com`,
            createdAt: new Date(index),
            expiresAt: new Date(index),
          }),
        );
    });
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await database.close();
  });

  it.each(['/api/domains?name=shop&limit=2', '/api/domains?name=shop&limit=2&sort=expires_at'])(
    'has as many on each page of %s as it may, except on the last one',
    async (first) => {
      const client = api(service(), await service().key(accountId));
      const pages: string[][] = [];
      for (let path: string | undefined = first; path !== undefined;) {
        const page: Response = await client.get(path).expect(200);
        pages.push((page.body as { name: string }[]).map(({ name }) => name));
        path = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1];
      }

      expect(pages).toEqual([['shop-10.com', 'shop-11.com'], ['shop-12.com']]);
    },
  );

  it('is streamed whole without a limit', async () => {
    const client = api(service(), await service().key(accountId));

    const { body } = await client.get('/api/domains?name=shop').expect(200);

    expect((body as { name: string }[]).map(({ name }) => name)).toEqual(['shop-10.com', 'shop-11.com', 'shop-12.com']);
  });

  it('is continued by a link on a dashboard page without a match, and complete in the CSV export', async () => {
    const dashboard = await signIn(service(), accountId);

    const { text: first } = await dashboard.get('/domains?q=shop&sort=expiry').expect(200);
    expect(first).toContain('The search is not complete.');
    let page = first;
    for (let next = nextIn(first); next !== undefined; next = nextIn(page))
      page = (await dashboard.get(next).expect(200)).text;

    expect(page).toContain('shop-12.com');
    expect((await dashboard.get('/domains.csv?q=shop&sort=expiry').expect(200)).text).toMatch(
      /shop-10\.com[^]*shop-11\.com[^]*shop-12\.com/,
    );
  });
});

function nextIn(html: string): string | undefined {
  return /<a href="([^"]+)">Next page/.exec(html)?.[1]?.replaceAll('&amp;', '&');
}
