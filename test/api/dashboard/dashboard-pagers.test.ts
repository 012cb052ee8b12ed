import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { OPERATOR } from '../../../src/domain/access/actor';
import { Operation } from '../../../src/domain/registration/operations/operation';
import { signIn, type DashboardClient } from '../../support/dashboard/dashboard-client';
import { api, registered, startService, type TestService } from '../../support/service/service';

const MORE_THAN_ONE_PAGE = 55;

const linkIn = (html: string, label: RegExp) =>
  [...html.matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)]
    .find(([, , text = '']) => label.test(text))?.[1]
    ?.replaceAll('&amp;', '&');
const FORWARD = /^Next page$/;
const BACK = /^First page$/;

describe('list pages of the dashboard', () => {
  let service: TestService;
  let dashboard: DashboardClient;
  let domainId: string;

  beforeAll(async () => {
    service = await startService();
    const accountId = await service.account();
    const client = api(service, await service.key(accountId));
    dashboard = await signIn(service, accountId);
    domainId = await registered(client, 'listed.com');
    const records = `/api/domains/${domainId}/dns/records`;
    await client
      .post(`${records}/batch`, {
        create: Array.from({ length: 205 }, (_, index) => ({ type: 'A', name: `h${index}`, content: '192.0.2.1' })),
      })
      .expect(200);
    const { body: changing } = await client.post(records, { type: 'TXT', name: 'changing', content: '0' }).expect(201);
    for (let serial = 1; serial <= MORE_THAN_ONE_PAGE; serial += 1)
      await client.put(`${records}/${changing.id}`, { content: String(serial) }).expect(200);
    await service.container.get(UnitOfWork).run(async ({ operations }) => {
      for (let serial = 1; serial <= MORE_THAN_ONE_PAGE; serial += 1) {
        const operation = Operation.queue(
          {
            id: `op_${String(serial).padStart(26, '0')}`,
            accountId,
            domainId,
            actor: OPERATOR,
            request: { kind: 'set_transfer_lock', locked: true },
          },
          new Date(serial),
        );
        operation.fail({ code: 'REGISTRY_REJECTED', message: 'not today' }, new Date(serial));
        await operations.add(operation);
      }
    });
  });
  afterAll(() => service.stop());

  it.each([
    ['records', () => `/domains/${domainId}/records`],
    ['records of one type', () => `/domains/${domainId}/records?q=h&type=A`],
    ['zone history', () => `/domains/${domainId}/history`],
    ['operations', () => `/domains/${domainId}/operations`],
    ['activity', () => '/activity'],
    ['activity of one domain', () => '/activity?domain=listed.com'],
  ])('link to the next page, and from later pages to the first page: %s', async (_what, path) => {
    const first = (await dashboard.get(path()).expect(200)).text;
    const next = linkIn(first, FORWARD);

    const second = (await dashboard.get(next ?? '').expect(200)).text;

    expect(linkIn(first, BACK)).toBeUndefined();
    expect(linkIn(second, FORWARD)).toBeUndefined();
    expect(linkIn(second, BACK)).toBe(path());
  });

  it.each([
    ['records', () => `/domains/${domainId}/records`, 'after'],
    ['zone history', () => `/domains/${domainId}/history`, 'before'],
    ['operations', () => `/domains/${domainId}/operations`, 'before'],
    ['activity', () => '/activity', 'before'],
    ['domains', () => '/domains', 'after'],
    ['API keys', () => '/api-keys', 'before'],
    ['revoked and expired API keys', () => '/api-keys/inactive', 'before'],
    ['team', () => '/team', 'before'],
  ])('warn about an unknown parameter and about an invalid cursor: %s', async (_what, path, cursor) => {
    expect((await dashboard.get(path()).expect(200)).text).not.toContain('This list ignores');
    expect((await dashboard.get(`${path()}?page=2`).expect(200)).text).toMatch(
      /role="alert"><p>This list ignores “page” in the URL/,
    );
    expect((await dashboard.get(`${path()}?${cursor}=nonsense`).expect(200)).text).toContain(
      `This list ignores “${cursor}”`,
    );
  });

  it('refuse a CSV export with an unknown parameter', async () => {
    await dashboard
      .get('/domains.csv?page=2')
      .expect(400)
      .expect(/This list ignores “page”/);
    await dashboard.get('/domains.csv?q=listed&status=active&sort=-expiry').expect(200);
  });
});
