import { infoDomain } from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { domainInfoOf } from '../../../src/infrastructure/registry/epp/mapping/domain-data';
import { infoHost } from '../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import { hostAddresses } from '../../../src/infrastructure/registry/epp/mapping/host-data';
import { PRICE_LIST } from '../../../src/infrastructure/registry/sandbox/simulated/offers/price-list';
import { freshName } from '../../../src/testing/registry-fixtures';
import { SeededRandom } from '../../crash/random';
import { startExternalEppRegistry, type ExternalEppRegistry } from '../../support/epp/external-epp-registry';
import { RawEpp } from '../../support/epp/raw-epp';
import { SEED, TIMES } from '../../support/seeded';
import { waitForOperation } from '../../support/service/wait-for-operation';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

/** The service allows 13 nameservers, so that the registry rejects an update after it has applied a part of it. */
const MAX_NAMESERVERS = 4;
const CHANGES = 6 * TIMES;

const FAULTS = [
  undefined,
  { kind: 'drop_after', target: 'domain:update' },
  { kind: 'drop_before', target: 'domain:update' },
  { kind: 'refusal', target: 'domain:update' },
  { kind: 'drop_after', target: 'host:create' },
  { kind: 'refusal', target: 'host:create' },
  { kind: 'drop_before', target: 'host:check' },
  { kind: 'failure', target: 'domain:info' },
] as const;

describe('an EPP registry that applies rem before it checks add', () => {
  let outside: ExternalEppRegistry;
  let service: TestService;
  let client: Api;
  let observer: RawEpp;
  let name: string;
  let id: string;
  let serial = 0;

  beforeAll(async () => {
    const priceList = PRICE_LIST.map((offer) =>
      offer.suffix === 'com' ? { ...offer, nameservers: { min: 2, max: MAX_NAMESERVERS } } : offer,
    );
    outside = await startExternalEppRegistry({ removesFirst: true, priceList });
    service = await startService(outside.settings);
    client = api(service, await service.key(await service.account()));
    observer = await RawEpp.loggedIn(outside.registry);
  });
  beforeEach(async () => {
    name = freshName().value;
    id = await registered(client, name);
  });
  afterAll(async () => {
    await observer.close();
    await service.stop();
    await outside.stop();
  });

  const freshHosts = (count: number): readonly string[] =>
    Array.from({ length: count }, () => `ns${(serial += 1)}.fresh-hosts.example`);
  const change = async (nameservers: readonly string[]) =>
    client.put(`/api/domains/${id}/nameservers`, { nameservers });
  const shown = async (): Promise<readonly string[]> =>
    (await client.get(`/api/domains/${id}`).expect(200)).body.nameservers.toSorted();
  const held = async (): Promise<readonly string[]> =>
    domainInfoOf(await observer.send(infoDomain(name)))
      .delegation.map(({ host }) => host)
      .toSorted();

  it('gets missing host objects created before the update', async () => {
    const hosts = freshHosts(2);

    expect((await change(hosts)).status).toBe(200);

    expect(await held()).toEqual(hosts.toSorted());
    expect(await shown()).toEqual(hosts.toSorted());
  });

  it('gets the former nameservers back after a rejected update, and the service shows them', async () => {
    const before = await held();

    expect((await change(freshHosts(MAX_NAMESERVERS + 1))).status).toBe(422);

    expect(await held()).toEqual(before);
    expect(await shown()).toEqual(before);
  });

  it('keeps the nameservers of a domain if it rejects a host create', async () => {
    const before = await held();
    await outside.registry.server.faults.inject({ kind: 'refusal', target: 'host:create', times: 1 });

    expect((await change(freshHosts(2))).status).toBe(422);

    expect(await held()).toEqual(before);
    expect(await shown()).toEqual(before);
  });

  it('gets the changed addresses of a nameserver with its records, although the response is lost', async () => {
    const host = `ns1.${name}`;
    const record = async (content: string) =>
      client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'ns1', content, ttl: 300 });
    const { body } = await record('192.0.2.1');
    expect((await change([host, ...freshHosts(1)])).status).toBe(200);
    await outside.registry.server.faults.inject({ kind: 'drop_after', target: 'host:update', times: 1 });

    await client.put(`/api/domains/${id}/dns/records/${body.id}`, { content: '192.0.2.9' }).expect(200);
    await waitForOperation(client, id, 'succeeded', 'failed');

    expect(hostAddresses(await observer.send(infoHost(host)))).toEqual(['192.0.2.9']);
  });

  it(`never leaves a domain without delegation, whatever responses are lost (${CHANGES} changes, seed ${SEED})`, async () => {
    const random = new SeededRandom(SEED);

    for (let round = 0; round < CHANGES; round += 1) {
      const fault = FAULTS[random.between(0, FAULTS.length - 1)];
      if (fault) await outside.registry.server.faults.inject({ ...fault, times: random.between(1, 2) });
      const kept = (await held()).filter(() => random.next() < 0.3);
      await change([...kept, ...freshHosts(random.between(2, MAX_NAMESERVERS + 1))].slice(0, MAX_NAMESERVERS + 1));
      await waitForOperation(client, id, 'succeeded', 'failed');
      await outside.registry.server.faults.clear();

      const [atRegistry, atService] = [await held(), await shown()];
      expect({ round, fault, delegated: atRegistry.length >= 2, atService }).toEqual({
        round,
        fault,
        delegated: true,
        atService: atRegistry,
      });
    }
  });
});
