import { READ } from '../../../../../src/infrastructure/registry/namecom/namecom-client';
import { toRegistryDomain } from '../../../../../src/infrastructure/registry/namecom/namecom-mapping';
import { startNamecom } from '../../../../../src/infrastructure/registry/namecom/start-namecom';
import { createRegistryContext } from '../../../../../src/testing/create-registry-context';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const DOMAIN = {
  domainName: 'fine.com',
  createDate: '2025-01-01T00:00:00Z',
  expireDate: '2028-01-01T00:00:00Z',
  autorenewEnabled: false,
  locked: true,
};
/** Not in name.com's document, which has a date for every name. */
const WITHOUT_EXPIRY = { ...DOMAIN, domainName: 'no-expiry.com', expireDate: null };

describe('a name without an expiry at name.com', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ domains: [WITHOUT_EXPIRY, DOMAIN] }));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(() => server.close());

  it('is reported, and does not hide the other names of its page', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const settings = { username: 'acme-test', token: 'a-token', url };
    const running = await startNamecom(createRegistryContext({ settings, tlds: ['com'] }));

    const { names, skipped } = await running.port.list();
    await running.close();

    expect(names.map(({ name }) => name.value)).toEqual(['fine.com']);
    expect(skipped).toEqual([{ name: 'no-expiry.com', reason: expect.stringContaining('no expiry') }]);
  });

  it('is not read with a guessed expiry', () => {
    expect(() => toRegistryDomain(READ.domain(WITHOUT_EXPIRY), new Date('2026-01-01T00:00:00Z'))).toThrow(
      expect.objectContaining({ details: 'name.com tells no expiry of no-expiry.com' }),
    );
  });
});
