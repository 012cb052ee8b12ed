import { HOSTS_ELSEWHERE, registerAtRegistry } from '../../../support/registries/register-at-registry';
import { StubZoneServer, ZONE } from '../../../support/nameservers/stub-zone-server';
import { api, startService, type Api, type TestService } from '../../../support/service/service';

describe('the zone of an imported domain', () => {
  let service: TestService;
  let stub: StubZoneServer;
  let nameserver: string;
  let client: Api;
  let path: string;

  beforeAll(async () => {
    stub = new StubZoneServer();
    nameserver = await stub.start();
    service = await startService({ ZONE_SOURCE_NETWORKS: '127.0.0.0/8' });
    client = api(service, await service.key(await service.account()));
    await registerAtRegistry(service, ZONE);
    const { body } = await client.post('/api/imports', { registry: 'simulated', names: [ZONE] }).expect(202);
    for (let done = false; !done;)
      done = (await client.get(`/api/imports/${body.id}`).expect(200)).body.finished_at !== null;
    path = `/api/domains/${(await client.get(`/api/domains/by-name/${ZONE}`).expect(200)).body.id}`;
  });
  afterAll(async () => {
    stub.stop();
    await service.stop();
  });

  it('is read from the present nameserver, planned, imported, and the delegation stays until it is switched', async () => {
    const found = await client.post(`${path}/dns/discover`, { source: 'transfer', nameserver }).expect(200);
    expect(found.body).toMatchObject({ source: 'transfer', skipped: { SSHFP: 1 } });
    await client.get(`${path}/dns/records`).expect(200, []);

    const zoneFile = (dryRun: string) =>
      client.put(`${path}/dns/zonefile${dryRun}`, found.body.zone_file).set('Content-Type', 'text/dns').expect(200);
    await zoneFile('?dry_run=true');
    await client.get(`${path}/dns/records`).expect(200, []);
    await zoneFile('');

    expect((await client.get(`${path}/dns/records`).expect(200)).body.length).toBeGreaterThan(5);
    expect((await client.get(path).expect(200)).body.nameservers).toEqual(HOSTS_ELSEWHERE);
  });

  it('is not read without a source that gives it', async () => {
    const lookup = await client.post(`${path}/dns/discover`, { source: 'lookup' }).expect(422);
    expect(lookup.body.error).toMatchObject({ code: 'ZONE_SOURCE_FAILED', message: 'The zone could not be read' });
    await client.post(`${path}/dns/discover`, { source: 'registrar' }).expect(422);
    await client.post(`${path}/dns/discover`, { source: 'guess' }).expect(400);
    await client.post(`${path}/dns/discover`, { source: 'transfer', nameserver: '10.0.0.1' }).expect(422);
    const tsig = { name: 'key', algorithm: 'hmac-md5', secret: 'AAAA' };
    await client.post(`${path}/dns/discover`, { source: 'transfer', nameserver, tsig }).expect(400);
  });

  it('is checked at new nameservers before the switch, with a warning about long TTLs', async () => {
    const { body } = await client.post(`${path}/nameservers/check`, { nameservers: [nameserver] }).expect(200);

    expect(body).toMatchObject({
      ready: true,
      nameservers: [{ nameserver, answers: true, delegation_ttl: 172_800, negative_ttl: 300 }],
      present: HOSTS_ELSEWHERE.map((host) => ({ nameserver: host, answers: false })),
      warnings: [expect.stringContaining('TTLs of up to 172800 seconds')],
    });
    expect((await client.post(`${path}/nameservers/check`).expect(200)).body.ready).toBe(false);
  });
});
