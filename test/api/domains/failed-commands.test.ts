import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { sandboxOf } from '../../support/registries/sandbox';
import { api, REGISTRANT, registered, startService, type Api, type TestService } from '../../support/service/service';

/** What needs the registry's consent, below a domain. */
const COMMANDS = [
  ['put', 'nameservers', { nameservers: ['ns1.example.net', 'ns2.example.net'] }],
  ['put', 'contacts', { registrant: { ...REGISTRANT, first_name: 'Grace' } }],
  ['put', 'transfer-lock', { transfer_locked: false }],
  ['post', 'auth-code', undefined],
  ['post', 'renew', { years: 1 }],
] as const;
/** What a domain's status may forbid. */
const CHANGES = [
  ...COMMANDS,
  ['put', 'autorenew', { auto_renew: false }],
  ['post', 'dns/records', { type: 'A', name: 'www', content: '192.0.2.1' }],
] as const;

describe('commands that fail', () => {
  let service: TestService;
  let accountId: string;
  let client: Api;
  let serial = 0;
  const freshName = () => `failing-${(serial += 1)}.com`;

  beforeAll(async () => {
    service = await startService();
    accountId = await service.account();
    client = api(service, await service.key(accountId));
  });
  afterEach(() => sandboxOf(service).clearFaults());
  afterAll(() => service.stop());

  it.each(CHANGES)('%s …/%s does not find a domain of another account', async (method, step, body) => {
    const foreign = await registered(api(service, await service.key(await service.account())), freshName());

    for (const id of ['unknown', foreign]) {
      expect((await client[method](`/api/domains/${id}/${step}`, body).expect(404)).body).toEqual({
        error: { code: 'DOMAIN_NOT_FOUND', message: 'Specified domain not found' },
      });
    }
  });

  it.each(CHANGES)("%s …/%s rejects what the domain's status forbids", async (method, step, body) => {
    const id = await registered(client, freshName());
    await transferAway(service, accountId, id);

    const answer = await client[method](`/api/domains/${id}/${step}`, body).expect(409);

    expect(answer.body.error).toEqual({
      code: 'DOMAIN_STATUS_CONFLICT',
      message: 'Domain status does not allow this operation',
      details: expect.stringMatching(/^It is not possible to .+ in status transferred_out\. /),
    });
  });

  it.each(COMMANDS)('%s …/%s reports that the registry rejected it', async (method, step, body) => {
    const name = freshName();
    const id = await registered(client, name);
    await sandboxOf(service).injectFault({ kind: 'refuse', target: name, times: 1 });

    const answer = await client[method](`/api/domains/${id}/${step}`, body).expect(422);

    expect(answer.body.error).toEqual({
      code: 'REGISTRY_REJECTED',
      message: 'The registry rejected the operation',
      details: expect.any(String),
    });
  });
});

describe('an outage of the registry', () => {
  let service: TestService;
  let client: Api;
  let serial = 0;
  const freshName = () => `unreachable-${(serial += 1)}.com`;

  beforeAll(async () => {
    // Every request waits that long for an operation, of which a registry that responds may need more.
    service = await startService({ OPERATION_WAIT_MS: '200' });
    client = api(service, await service.key(await service.account()));
  });
  afterEach(() => sandboxOf(service).clearFaults());
  afterAll(() => service.stop());

  it.each(COMMANDS)('%s …/%s reports that the registry did not respond', async (method, step, body) => {
    const name = freshName();
    const id = await registered(client, name);
    await sandboxOf(service).injectFault({ kind: 'outage', target: name });

    const answer = await client[method](`/api/domains/${id}/${step}`, body).expect(503);

    expect(answer.body.error).toMatchObject({
      code: 'REGISTRY_UNAVAILABLE',
      message: 'The registry is not available at the moment',
    });
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  });

  it('stores nothing for a registration that does not reach the registry', async () => {
    const name = freshName();
    await sandboxOf(service).injectFault({ kind: 'outage', target: name });

    const registration = await client.post('/api/domains', { name, contacts: { registrant: REGISTRANT } }).expect(503);
    const quote = await client.post('/api/domains/quote', { domains: [{ name }] }).expect(503);

    expect([registration.body.error.code, quote.body.error.code]).toEqual([
      'REGISTRY_UNAVAILABLE',
      'REGISTRY_UNAVAILABLE',
    ]);
    await client.get(`/api/domains/by-name/${name}`).expect(404);
  });
});

/** No call of ours does that: the registry tells it of a domain that went to another registrar. */
async function transferAway({ container }: TestService, accountId: string, domainId: string): Promise<void> {
  await container.get(UnitOfWork).run(async ({ domains }) => {
    const domain = await domains.lock(accountId, domainId);
    if (!domain) throw new TypeError(`${domainId} is not there`);
    domain.markTransferredOut(new Date());
    await domains.save(domain);
  });
}
