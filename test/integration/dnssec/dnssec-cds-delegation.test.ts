import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from 'dns-packet';
import { ChildZones } from '../../../src/application/ports/dns/other-nameservers';
import { describeOrSkip } from '../../support/describe-or-skip';
import { SIGNING_CHILD_MISSING, SigningChild } from '../../support/dnssec/signing-child';
import { requestFor, sendUdp } from '../../support/nameservers/primary-client';
import { api, startService, type Api, type TestService } from '../../support/service/service';

const CHILD = 'k8s.corp.example';
const HOSTS = ['ns1.elsewhere.test', 'ns2.elsewhere.test'];
const NOTIFY = 4 << 11;
const POLL_INTERVAL_MS = 50;

describeOrSkip(SIGNING_CHILD_MISSING)('a zone that Knot signs, below a hosted zone that takes NOTIFY(CDS)', () => {
  let service: TestService;
  let client: Api;
  let child: SigningChild;
  let above: string;

  beforeAll(async () => {
    [service, child] = await Promise.all([
      startService({ DNS_LISTEN: '127.0.0.1:0', RECORD_TYPES: 'all', ZONE_SOURCE_NETWORKS: '127.0.0.0/8' }),
      SigningChild.start(CHILD),
    ]);
    client = api(service, await service.key(await service.account()));
    above = (await client.post('/api/zones', { name: 'corp.example' }).expect(201)).body.id;
    const childZones = service.container.get(ChildZones);
    const read = childZones.read.bind(childZones);
    const addressOf = (host: string) => {
      const { address, port } = child.endpoints[host === HOSTS[0] ? 0 : 1];
      return `${address}:${port}`;
    };
    jest.spyOn(childZones, 'read').mockImplementation((zone, hosts) => read(zone, hosts.map(addressOf)));
  });
  afterAll(async () => {
    await child?.stop();
    await service?.stop();
  });

  const add = (name: string, type: string, content: string) =>
    client.post(`/api/zones/${above}/dns/records`, { name, type, content }).expect(201);
  const dsAbove = async () =>
    ((await client.get(`/api/zones/${above}/dns/records`).expect(200)).body as { type: string; content: string }[])
      .flatMap(({ type, content }) => (type === 'DS' ? [content.toUpperCase()] : []))
      .toSorted();
  async function notify(name: string): Promise<string | undefined> {
    const request = requestFor({ type: 'CDS', name }, { flags: NOTIFY });
    const response = service.dns && (await sendUdp(service.dns, request));
    return response && (decode(response) as { rcode?: string }).rcode;
  }

  it('has its DS records replaced in a key rollover, once the zone above has a DSYNC record', async () => {
    for (const host of HOSTS) await add('k8s', 'NS', host);
    const first = await child.cdsAfter();
    for (const ds of first) await add('k8s', 'DS', ds);
    expect(await notify(CHILD)).toBe('REFUSED');
    await add('*._dsync', 'DSYNC', 'CDS NOTIFY 53 primary.example.net.');

    await child.rollKey();
    const second = await child.cdsAfter(first);
    expect(await notify(CHILD)).toBe('NOERROR');
    while ((await dsAbove()).join() === first.join()) await sleep(POLL_INTERVAL_MS);

    expect(await dsAbove()).toEqual(second);
    expect(await notify('other.corp.example')).toBe('REFUSED');
  });
});
