import { onBothDatabases } from '../../../support/databases/databases';
import { api, type Api } from '../../../support/service/service';

const ZONE_FILE = `$TTL 300
@ IN SOA ns.other.example. host.other.example. 1 2 3 4 5
@ IN NS ns.other.example.
www IN A 192.0.2.1 ; web server
`;
const ERROR_FILE = 'www 300 IN A 192.0.2.300\n';

onBothDatabases('A zone that is created with records', (service) => {
  let client: Api;
  let count = 0;

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });

  const aName = () => `filled-${(count += 1)}.example`;
  const recordsOf = async (id: string) => (await client.get(`/api/zones/${id}/dns/records`).expect(200)).body;
  const exists = async (name: string) => (await client.get(`/api/zones?name=${name}`).expect(200)).body.length === 1;

  it('has those of a zone file from its first answer on', async () => {
    const { body } = await client
      .post('/api/zones', { name: aName(), from: { source: 'zonefile', zone_file: ZONE_FILE } })
      .expect(201);

    expect(body).toMatchObject({ records: 1, version: 2, copied: { skipped_types: { SOA: 1 } } });
    expect(await recordsOf(body.id)).toMatchObject([{ name: 'www', content: '192.0.2.1', comment: 'web server' }]);
  });

  it('has those of a template', async () => {
    const { body: template } = await client
      .post('/api/record-templates', { name: `t${(count += 1)}`, records: '@ 300 TXT "hello {who}"' })
      .expect(201);
    const from = { source: 'template', template: template.id, values: { who: 'you' } };

    const { body } = await client.post('/api/zones', { name: aName(), from }).expect(201);

    expect(await recordsOf(body.id)).toMatchObject([{ name: '@', content: 'hello you' }]);
    for (const values of [{}, { who: 5 }]) {
      const refused = await client.post('/api/zones', { name: aName(), from: { ...from, values } }).expect(400);
      expect(refused.body.error.details).toMatch(/^from\.values\.who /);
    }
  });

  it('is not created by a dry run, which shows the records', async () => {
    const name = aName();
    const body = { name, from: { source: 'zonefile', zone_file: ZONE_FILE } };
    const plan = await client.post('/api/zones?dry_run=true', body).expect(200);

    expect(plan.body).toMatchObject({ dry_run: true, name, records: 1, added: [{ name: 'www', type: 'A' }] });
    expect(await exists(name)).toBe(false);
    await client.post('/api/zones', body).expect(201);
  });

  it.each([
    [{ source: 'zonefile', zone_file: ERROR_FILE }, 400, 'line 1'],
    [{ source: 'zonefile' }, 400, 'from.zone_file must be given'],
    [{ source: 'zonefile', zone_file: ZONE_FILE, template: 'x' }, 400, 'from.template must not be given'],
    [{ source: 'template', template: 'tpl_unknown' }, 404, 'template'],
    [{ source: 'elsewhere' }, 400, 'from.source must be'],
    [{ source: 'transfer', nameserver: '127.0.0.1' }, 422, ''],
    [{ source: 'transfer' }, 422, 'No other nameservers are known for filled-'],
    [{ source: 'lookup' }, 422, 'No other nameservers are known for filled-'],
    [{ source: 'registrar' }, 422, 'The registrar serves no zone for filled-'],
    [{ source: 'transfer', nameserver: '' }, 400, 'from.nameserver must be'],
    [
      { source: 'transfer', tsig: { name: 'k', algorithm: 'md5', secret: '' }, nameserver: 'a.example' },
      400,
      'from.tsig.',
    ],
  ])('is not created without them from %j', async (from, status, details) => {
    const name = aName();
    const { body } = await client.post('/api/zones', { name, from }).expect(status);

    expect(JSON.stringify(body)).toContain(details);
    expect(await exists(name)).toBe(false);
  });
});
