import { rmSync, writeFileSync } from 'node:fs';
import type { HealthReport } from '../../src/domain/health/health-report';
import { NetworkDnsProbe } from '../../src/infrastructure/nameserver/health/network-dns-probe';
import { PublicAddresses } from '../../src/infrastructure/network/public-addresses';
import { describeOrSkip } from '../support/describe-or-skip';
import { FakeTime } from '../support/dnssec/fake-time';
import { LoopbackNetwork } from '../support/dnssec/loopback-network';
import { Resolver } from '../support/dnssec/resolver';
import { SignedZones } from '../support/dnssec/signed-zones';
import { StaticKnot } from '../support/dnssec/static-knot';
import { INTERNET_MISSING } from '../support/dnssec/upper-zones';
import { Nameserver } from '../support/nameservers/nameserver';
import { inspectDomain } from '../support/use-cases/health-use-cases';
import { UseCaseContext } from '../support/use-cases/use-case-context';

const HOSTS = ['ns1.hz', 'ns2.hz'];
/** What each zone has besides SOA and NS, at both nameservers. */
const ZONES: Readonly<Record<string, readonly string[]>> = {
  'healthy.hz': [
    '@ MX 10 mail',
    'mail A 192.0.2.7',
    '@ TXT "v=spf1 include:healthy-spf.hz -all"',
    '_dmarc TXT "v=DMARC1; p=reject"',
    '@ CAA 0 issue "ca.example.net"',
    'www CNAME mail',
  ],
  'healthy-spf.hz': ['@ TXT "v=spf1 ip4:192.0.2.0/24 -all"'],
  'broken.hz': [
    '@ MX 10 mail',
    'mail CNAME mail.healthy.hz.',
    '@ TXT "v=spf1 mx -all"',
    '@ TXT "v=spf1 a -all"',
    'www CNAME gone.broken-no-more.hz.',
  ],
  'stale.hz': [],
  'lame.hz': [],
  'bogus.hz': [],
};

describeOrSkip(INTERNET_MISSING)('the health of domains on real nameservers', () => {
  const around = new UseCaseContext();
  const network = new LoopbackNetwork();
  const [root, first, second] = [network.next(), network.next(), network.next()];
  const time = new FakeTime(Nameserver.createFolder());
  let signedRoot: SignedZones;
  let servers: readonly StaticKnot[] = [];
  let resolver: Resolver;
  let probe: NetworkDnsProbe;

  beforeAll(async () => {
    const names = Object.keys(ZONES);
    [signedRoot, ...servers] = await Promise.all([
      SignedZones.start([''], root),
      StaticKnot.start(names, first),
      StaticKnot.start(
        names.filter((name) => name !== 'lame.hz'),
        second,
      ),
    ]);
    const delegations = names.flatMap((name) => HOSTS.map((host) => `${name}. 3600 IN NS ${host}.`));
    const rootRecords = [
      '. 3600 IN NS a.root-servers.',
      `a.root-servers. 3600 IN A ${root.address}`,
      `ns1.hz. 3600 IN A ${first.address}`,
      `ns2.hz. 3600 IN A ${second.address}`,
      `bogus.hz. 3600 IN DS 12345 13 2 ${'AB'.repeat(32)}`,
      ...delegations,
    ];
    await Promise.all([
      signedRoot.publish([{ name: '', records: rootRecords }], time.now()),
      ...servers.map((server, index) => serve(server, index)),
    ]);
    const endpoint = network.next();
    resolver = await Resolver.start({
      endpoint,
      root: { address: root.address, dnskey: signedRoot.dnskey('') },
      time,
    });
    const networks = [{ address: '127.0.0.0', prefix: 8 }];
    probe = new NetworkDnsProbe({ resolvers: [endpoint] }, new PublicAddresses(networks), around.log);
  });
  afterAll(async () => {
    await resolver?.stop();
    await Promise.all([...servers, signedRoot].map((server) => server?.stop()));
    rmSync(time.folder, { recursive: true, force: true });
  });

  async function check(name: string): Promise<HealthReport> {
    const domain = await around.givenDomain({ id: `dom_${name}`, name, nameservers: HOSTS });
    return inspectDomain(around, probe).execute(domain.toState(), { asksRegistry: true });
  }

  it('finds nothing wrong with a domain that works', async () => {
    const report = await check('healthy.hz');

    expect(findings(report)).toEqual({});
    expect(report.state).toBe('ok');
    expect(report.servers).toEqual(
      HOSTS.map((name) => ({ kind: 'nameserver', name, state: 'ok', serial: 10, note: 'serves serial 10' })),
    );
  });

  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['a nameserver that does not serve the zone', 'lame.hz', { nameservers: 'problem' }],
    ['a nameserver with an old serial', 'stale.hz', { nameservers: 'warning' }],
    [
      'DS records of a zone that is not signed, whose other records the resolver rejects',
      'bogus.hz',
      { resolution: 'problem', dnssec: 'problem', mx: 'unknown', spf: 'unknown', dmarc: 'unknown', caa: 'unknown' },
    ],
    [
      'an MX record that names a CNAME, two SPF records, no DMARC record, and a dangling CNAME',
      'broken.hz',
      { mx: 'problem', spf: 'problem', dmarc: 'warning', cname_targets: 'problem' },
    ],
    ['a domain that the registry does not delegate', 'missing.hz', { nameservers: 'problem', resolution: 'problem' }],
  ])('finds %s', async (_case, name, expected) => {
    expect(findings(await check(name))).toEqual(expected);
  });

  it('does not ask nameservers at private addresses unless the operator allows them', async () => {
    const strict = new NetworkDnsProbe({ resolvers: [] }, new PublicAddresses([]), around.log);

    expect(strict.mayAsk(first.address)).toBe(false);
    expect(await strict.querySoa('healthy.hz', first.address)).toEqual({ kind: 'unreachable' });
    expect(await strict.resolve({ name: 'healthy.hz', type: 'SOA' })).toMatchObject({ kind: 'failed' });
  });
});

async function serve(server: StaticKnot, index: number): Promise<void> {
  const names = Object.keys(ZONES).filter((name) => index === 0 || name !== 'lame.hz');
  for (const name of names) {
    const serial = name === 'stale.hz' ? 10 - index : 10;
    const lines = [
      `$ORIGIN ${name}.`,
      '$TTL 300',
      `@ SOA ns1.hz. admin.hz. ${serial} 3600 600 1209600 60`,
      ...HOSTS.map((host) => `@ NS ${host}.`),
      ...(ZONES[name] ?? []),
    ];
    writeFileSync(server.fileOf(name), `${lines.join('\n')}\n`);
  }
  await server.reload(names);
}

function findings({ checks }: HealthReport): Readonly<Record<string, string>> {
  return Object.fromEntries(
    checks
      .filter(({ state }) => state === 'problem' || state === 'warning' || state === 'unknown')
      .map(({ id, state }) => [id, state]),
  );
}
