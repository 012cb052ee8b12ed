import { NetworkZoneSources } from '../../../src/infrastructure/nameserver/zone-sources/network-zone-sources';
import { readTsig } from '../../../src/infrastructure/nameserver/wire/wire-query';
import { TsigSigner } from '../../../src/infrastructure/nameserver/wire/tsig';
import { ALL_TYPES, INTERFACE_TYPES } from '../../../src/domain/dns/records/types/record-types';
import { StubZoneServer, ZONE } from '../../support/nameservers/stub-zone-server';
import type { TsigKey } from '../../../src/domain/dns/secondaries/tsig-key';

const ACCOUNT = 'acc_1';
const KEY: TsigKey = { name: 'transfer', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 7) };
const LOOPBACK = [{ address: '127.0.0.0', prefix: 8 }];

describe('the zone of a domain at its present nameservers', () => {
  let stub: StubZoneServer;
  let nameserver: string;
  const sources = new NetworkZoneSources(LOOPBACK, INTERFACE_TYPES);

  beforeEach(async () => {
    stub = new StubZoneServer();
    nameserver = await stub.start();
  });
  afterEach(() => stub.stop());

  it('is read by AXFR as a zone file, without the SOA and with a count of other types', async () => {
    const { zoneFile, skipped } = await sources.transfer({ zoneName: ZONE, nameserver }, ACCOUNT);

    expect(zoneFile.split('\n').filter(Boolean)).toEqual([
      'stub-zone.com.\t172800\tIN\tNS\tns1.example.net.',
      'stub-zone.com.\t300\tIN\tA\t192.0.2.1',
      'stub-zone.com.\t300\tIN\tMX\t10 mail.stub-zone.com.',
      String.raw`stub-zone.com.${'\t'}300${'\t'}IN${'\t'}TXT${'\t'}"v=spf1 -all \"quoted\""`,
      'www.stub-zone.com.\t300\tIN\tCNAME\tstub-zone.com.',
      'unusual-name.stub-zone.com.\t300\tIN\tA\t192.0.2.9',
      '_sip._tcp.stub-zone.com.\t300\tIN\tSRV\t1 2 5060 sip.stub-zone.com.',
      'stub-zone.com.\t300\tIN\tCAA\t0 issue "ca.example.net"',
    ]);
    expect(skipped).toEqual({ SSHFP: 1 });
  });

  it('is read by AXFR with the types that are switched on', async () => {
    const { zoneFile, skipped } = await new NetworkZoneSources(LOOPBACK, ALL_TYPES).transfer(
      { zoneName: ZONE, nameserver },
      ACCOUNT,
    );

    expect(zoneFile).toContain(`www.stub-zone.com.\t300\tIN\tSSHFP\t1 1 ${'ab'.repeat(20)}\n`);
    expect(zoneFile).toContain('sip.stub-zone.com.');
    expect(skipped).toEqual({});
  });

  it('is read by AXFR with TSIG, and refused if the response is not signed by the key', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const signed = (key: TsigKey) => (message: Buffer, request: Buffer) => [
      new TsigSigner(key, readTsig(request)?.mac).sign(message, now),
    ];
    stub.send = signed(KEY);
    expect((await sources.transfer({ zoneName: ZONE, nameserver, tsig: KEY }, ACCOUNT)).zoneFile).toContain(
      '192.0.2.9',
    );

    stub.send = signed({ ...KEY, secret: Buffer.alloc(32, 8) });
    await expect(sources.transfer({ zoneName: ZONE, nameserver, tsig: KEY }, ACCOUNT)).rejects.toMatchObject({
      code: 'ZONE_SOURCE_FAILED',
      details: expect.stringContaining('its signature is invalid'),
    });
    stub.send = (message) => [message];
    await expect(sources.transfer({ zoneName: ZONE, nameserver, tsig: KEY }, ACCOUNT)).rejects.toMatchObject({
      details: expect.stringContaining('its signature is invalid'),
    });
  });

  it('is not read from a nameserver that refuses the transfer', async () => {
    stub.rcode = 5;

    await expect(sources.transfer({ zoneName: ZONE, nameserver }, ACCOUNT)).rejects.toMatchObject({
      details: `${nameserver} did not transfer the zone: it answered with a refusal`,
    });
  });

  it('is looked up by usual names and types, which misses unusual names', async () => {
    const { zoneFile } = await sources.lookUp(ZONE, [nameserver], ACCOUNT);

    expect(zoneFile).toContain('www.stub-zone.com.\t300\tIN\tCNAME\tstub-zone.com.');
    expect(zoneFile).toContain('_sip._tcp.stub-zone.com.\t300\tIN\tSRV\t1 2 5060 sip.stub-zone.com.');
    expect(zoneFile).toContain('stub-zone.com.\t300\tIN\tMX\t10 mail.stub-zone.com.');
    expect(zoneFile).not.toContain('unusual-name');
  });

  it('is checked at each nameserver, with its TTLs', async () => {
    const silent = new StubZoneServer();
    const other = await silent.start();
    silent.stop();

    expect(await sources.check(ZONE, [nameserver, other], ACCOUNT)).toEqual([
      { nameserver, state: 'answers', delegationTtl: 172_800, negativeTtl: 300 },
      { nameserver: other, state: 'does not answer', delegationTtl: null, negativeTtl: null },
    ]);
  });

  it.each([
    ['127.0.0.1:53'],
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['192.168.0.1'],
    ['[::1]:53'],
    ['::ffff:127.0.0.1'],
    ['fd00::1'],
    ['fe80::1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::'],
    ['192.0.2.1:22'],
    ['8.8.8.8:22'],
  ])('is never asked for at %s, which is no public address on port 53', async (address) => {
    const restricted = new NetworkZoneSources([], INTERFACE_TYPES);

    await expect(restricted.transfer({ zoneName: ZONE, nameserver: address }, ACCOUNT)).rejects.toMatchObject({
      code: 'ZONE_SOURCE_FAILED',
      details: `${address} is not a public address on port 53`,
    });
  });
});
