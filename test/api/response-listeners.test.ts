import type { ServerResponse } from 'node:http';
import { publicCase } from '../support/data/public-cases';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';

const [ZONE_FILE = '', RECORDS = ''] = publicCase('50-dry-run-max-listeners.txt').match(/\w+\?dry_run=true/g) ?? [];

describe('a response of the API', () => {
  let service: TestService;
  let client: Api;
  let dns: string;
  beforeAll(async () => {
    service = await startService();
    client = api(service, await service.key(await service.account()));
    dns = `/api/domains/${await registered(client, 'listeners.com')}/dns`;
  });
  afterAll(() => service.stop());

  it.each([
    ['a dry run of a record', () => client.post(`${dns}/${RECORDS}`, { type: 'A', name: '@', content: '192.0.2.1' })],
    ['a dry run of a zone file', () => client.put(`${dns}/${ZONE_FILE}`, '$TTL 300\n@ A 192.0.2.1\n').type('text/dns')],
    ['an export', () => client.get(`${dns}/zonefile`)],
    ['a list', () => client.get('/api/domains')],
  ])('has fewer listeners than Node warns of: %s', async (_which, send) => {
    let [listeners, allowed] = [0, 0];
    service.server.prependOnceListener('request', (_req, res: ServerResponse) => {
      res.on('newListener', (event) => {
        if (event !== 'close') return;
        listeners = Math.max(listeners, res.listenerCount(event) + 1);
        allowed = res.getMaxListeners();
      });
    });

    await send().expect(200);

    expect(listeners).toBeGreaterThan(1);
    expect(listeners).toBeLessThanOrEqual(allowed);
  });
});
