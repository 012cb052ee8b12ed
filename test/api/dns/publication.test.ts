import { setTimeout as sleep } from 'node:timers/promises';
import { AddSecondary } from '../../../src/application/dns/publishing/add-secondary';
import { CreateTsigKey } from '../../../src/application/dns/publishing/create-tsig-key';
import { PublicationWait } from '../../../src/application/dns/publishing/publication-wait';
import { SecondaryDirectory } from '../../../src/application/ports/dns/publishing';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';
import { StubNameserver } from '../../support/nameservers/stub-nameserver';

const OUR_NAMESERVERS = ['ns1.namewright.example', 'ns2.namewright.example'];
const DRAFT = { type: 'A', name: 'www', content: '192.0.2.1' };

onBothDatabases(
  'publication',
  (service) => {
    let client: Api;
    let name: string;
    let zone: string;
    let serial = 0;
    const secondaries: StubNameserver[] = [];

    async function addSecondary(label: string): Promise<StubNameserver> {
      const server = await StubNameserver.start();
      secondaries.push(server);
      await service()
        .container.get(AddSecondary)
        .execute({ name: label, address: `127.0.0.1:${server.port}`, key: 'k', signs: false });
      return server;
    }

    beforeAll(async () => {
      client = api(service(), await service().key(await service().account()));
      await service().container.get(CreateTsigKey).execute({ name: 'k', algorithm: 'hmac-sha256' });
    });

    beforeEach(async () => {
      name = `live-${(serial += 1)}.com`;
      zone = `/api/domains/${await registered(client, name)}/dns`;
    });

    afterEach(async () => {
      const directory = service().container.get<SecondaryDirectory>(SecondaryDirectory);
      for (const secondary of await directory.all()) await directory.remove(secondary.name);
      for (const server of secondaries.splice(0)) server.stop();
    });

    it('reports a delegation to other nameservers even if every secondary serves the zone', async () => {
      const elsewhere = ['ns1.elsewhere.test', 'ns2.elsewhere.test'];
      const server = await addSecondary('a-current');
      await client.put(`${zone.replace('/dns', '')}/nameservers`, { nameservers: elsewhere }).expect(200);
      server.serials.set(name, Number((await client.get(`${zone}/records`).expect(200)).headers['zone-version']));

      const { body } = await client.get(`${zone}/status`).expect(200);

      expect(body).toMatchObject({
        published: true,
        delegation: {
          state: 'elsewhere',
          nameservers: elsewhere,
          our_nameservers: OUR_NAMESERVERS,
          additional_nameservers: [],
        },
        failing_aliases: [],
      });
    });

    it('reports the serial that each secondary serves', async () => {
      const { headers } = await client.post(`${zone}/records`, DRAFT).expect(201);
      const version = Number(headers['zone-version']);
      (await addSecondary('b-behind')).serials.set(name, version - 1);
      (await addSecondary('a-current')).serials.set(name, version);
      await addSecondary('c-unaware');
      (await addSecondary('d-silent')).isSilent = true;

      const { body } = await client.get(`${zone}/status`).expect(200);

      expect(body).toEqual({
        version,
        serial: version,
        published: false,
        secondaries: [
          { name: 'a-current', state: 'current', serial: version, since: expect.any(String) },
          { name: 'b-behind', state: 'behind', serial: version - 1, since: expect.any(String) },
          { name: 'c-unaware', state: 'unknown_zone', serial: null, since: null },
          { name: 'd-silent', state: 'unreachable', serial: null, since: null },
        ],
        delegation: {
          state: 'ours',
          nameservers: OUR_NAMESERVERS,
          our_nameservers: OUR_NAMESERVERS,
          additional_nameservers: [],
        },
        failing_aliases: [],
      });
    });

    it('reports nameservers of another provider in NS records at the apex', async () => {
      const draft = { type: 'NS', name: '@', content: 'ns1.old-provider.test' };
      const { body: created } = await client.post(`${zone}/records`, draft).expect(201);
      const hosts = async () => (await client.get(`${zone}/status`).expect(200)).body.delegation.additional_nameservers;

      expect(await hosts()).toEqual(['ns1.old-provider.test']);

      await client.delete(`${zone}/records/${created.id}`).expect(200);

      expect(await hosts()).toEqual([]);
    });

    it('reports since when a secondary serves its version', async () => {
      (await addSecondary('ns1')).serials.set(name, 1_000);
      const { body: first } = await client.get(`${zone}/status`).expect(200);

      const { body: second } = await client.get(`${zone}/status`).expect(200);

      expect(second).toEqual(first);
      expect(first).toMatchObject({ published: true });
    });

    it('is not published without a secondary', async () => {
      expect((await client.get(`${zone}/status`).expect(200)).body).toMatchObject({
        published: false,
        secondaries: [],
      });
    });

    it('responds to a write at once without ?wait', async () => {
      await addSecondary('ns1');

      const { headers } = await client.post(`${zone}/records`, DRAFT).expect(201);

      expect(headers).not.toHaveProperty('zone-published');
    });

    it('responds to a waiting write once every secondary serves it', async () => {
      const [one, other] = [await addSecondary('ns1'), await addSecondary('ns2')];
      one.serials.set(name, 1_000);

      const answer = client
        .post(`${zone}/records?wait=published`, DRAFT)
        .expect(201)
        .then(({ headers }) => headers);
      while (other.queryCount === 0) await sleep(5);
      other.serials.set(name, 1_000);

      expect(await answer).toMatchObject({ 'zone-published': 'true' });
      expect(other.serials.get(name)).toBe(1_000);
    });

    it.each(['put', 'delete', 'batch'] as const)('waits on %s as well', async (write) => {
      const { body: created } = await client.post(`${zone}/records`, DRAFT).expect(201);
      (await addSecondary('ns1')).serials.set(name, 1_000);
      const calls = {
        put: () => client.put(`${zone}/records/${created.id}?wait=published`, { ttl: 300 }),
        delete: () => client.delete(`${zone}/records/${created.id}?wait=published`),
        batch: () => client.post(`${zone}/records/batch?wait=published`, { delete: [created.id] }),
      };

      const { headers } = await calls[write]().expect(200);

      expect(headers).toMatchObject({ 'zone-published': 'true' });
    });

    it('commits the change even if a secondary does not get it in time', async () => {
      await addSecondary('ns1');
      const publication = service().container.get(PublicationWait);
      const wait = publication.wait.bind(publication);
      const short = jest.spyOn(publication, 'wait').mockImplementation((state) => wait(state, 100));

      const { headers, body } = await client.post(`${zone}/records?wait=published`, DRAFT).expect(201);

      short.mockRestore();
      expect(headers).toMatchObject({ 'zone-published': 'false' });
      expect((await client.get(`${zone}/records`).expect(200)).body).toEqual([body]);
    });

    it('does not wait without secondaries', async () => {
      expect((await client.post(`${zone}/records?wait=published`, DRAFT).expect(201)).headers).toMatchObject({
        'zone-published': 'false',
      });
    });

    it.each(['wait=yes', 'wait=published&wait=published'])('rejects ?%s and changes nothing', async (query) => {
      const { body } = await client.post(`${zone}/records?${query}`, DRAFT).expect(400);

      expect(body.error.code).toBe('VALIDATION_ERROR');
      expect((await client.get(`${zone}/records`).expect(200)).body).toEqual([]);
    });

    it('does not find a domain of another account', async () => {
      const stranger = api(service(), await service().key(await service().account()));

      expect((await stranger.get(`${zone}/status`).expect(404)).body.error.code).toBe('DOMAIN_NOT_FOUND');
    });
  },
  { PUBLISH_WAIT_MS: '60000' },
);
