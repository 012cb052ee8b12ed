import { UnitOfWork } from '../../src/application/ports/storage/unit-of-work';
import { OPERATOR } from '../../src/domain/access/actor';
import { Operation } from '../../src/domain/registration/operation';
import { signedIn, type Visitor } from '../support/dashboard/visitor';
import { api, registered, startService, type TestService } from '../support/service/service';

const MORE_THAN_A_PAGE = 55;

const linkIn = (html: string, label: RegExp) =>
  [...html.matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)]
    .find(([, , text = '']) => label.test(text))?.[1]
    ?.replaceAll('&amp;', '&');
const FORWARD = /^(Next \d+ domains|More records|Earlier)$/;
const BACK = /^Back to the beginning$/;

describe('the pages of a list in the dashboard', () => {
  let service: TestService;
  let visitor: Visitor;
  let domainId: string;

  beforeAll(async () => {
    service = await startService();
    const accountId = await service.account();
    const client = api(service, await service.key(accountId));
    visitor = await signedIn(service, accountId);
    domainId = await registered(client, 'listed.com');
    const records = `/api/domains/${domainId}/dns/records`;
    await client
      .post(`${records}/batch`, {
        create: Array.from({ length: 205 }, (_, index) => ({ type: 'A', name: `h${index}`, content: '192.0.2.1' })),
      })
      .expect(200);
    const { body: changing } = await client.post(records, { type: 'TXT', name: 'changing', content: '0' }).expect(201);
    for (let serial = 1; serial <= MORE_THAN_A_PAGE; serial += 1)
      await client.put(`${records}/${changing.id}`, { content: String(serial) }).expect(200);
    await service.container.get<UnitOfWork>(UnitOfWork).run(async ({ operations }) => {
      for (let serial = 1; serial <= MORE_THAN_A_PAGE; serial += 1) {
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
    ['the history of a zone', () => `/domains/${domainId}/history`],
    ['operations', () => `/domains/${domainId}/operations`],
    ['activity', () => '/activity'],
    ['the activity on one domain', () => '/activity?domain=listed.com'],
  ])('lead on, and from every page but the first back to the beginning: %s', async (_what, path) => {
    const first = (await visitor.get(path()).expect(200)).text;
    const next = linkIn(first, FORWARD);

    const second = (await visitor.get(next ?? '').expect(200)).text;

    expect(linkIn(first, BACK)).toBeUndefined();
    expect(linkIn(second, FORWARD)).toBeUndefined();
    expect(linkIn(second, BACK)).toBe(path());
  });

  it.each([
    ['records', () => `/domains/${domainId}/records`, 'after'],
    ['the history of a zone', () => `/domains/${domainId}/history`, 'before'],
    ['operations', () => `/domains/${domainId}/operations`, 'before'],
    ['activity', () => '/activity', 'before'],
    ['domains', () => '/domains', 'after'],
    ['API keys', () => '/api-keys', 'before'],
    ['former API keys', () => '/api-keys/former', 'before'],
    ['people', () => '/team', 'before'],
  ])('say that the list cannot use a page number or an unreadable position: %s', async (_what, path, position) => {
    expect((await visitor.get(path()).expect(200)).text).not.toContain('This list cannot use');
    expect((await visitor.get(`${path()}?page=2`).expect(200)).text).toMatch(
      /role="alert"><p>This list cannot use “page” in the address/,
    );
    expect((await visitor.get(`${path()}?${position}=nonsense`).expect(200)).text).toContain(
      `This list cannot use “${position}”`,
    );
  });

  it('are not exported if the address asks for what the export cannot do', async () => {
    await visitor
      .get('/domains.csv?page=2')
      .expect(400)
      .expect(/This list cannot use “page”/);
    await visitor.get('/domains.csv?q=listed&status=active&sort=-expiry').expect(200);
  });
});
