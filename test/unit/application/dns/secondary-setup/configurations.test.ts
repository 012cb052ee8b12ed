import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReadSecondaries } from '../../../../../src/application/dns/publishing/read-secondaries';
import { CONFIGURATIONS } from '../../../../../src/application/dns/secondary-setup/configurations';
import type { SecondaryDirectory } from '../../../../../src/application/ports/dns/publishing';

const GUIDE = readFileSync(join(__dirname, '../../../../../docs/nameservers.md'), 'utf8');
const T0 = new Date('2026-01-01T00:00:00.000Z');
const SECONDARY = {
  name: 'ns1',
  endpoint: { address: '192.0.2.53', port: 53 },
  keyName: 'ns1',
  signs: false,
  createdAt: T0,
};
const KEY = { name: 'ns1', algorithm: 'hmac-sha256', createdAt: T0, revokedAt: null } as const;
const CATALOG = 'catalog.namewright.invalid';

const ZONE = { domainId: 'dom_1', zoneName: 'example.com', serial: 1 };

const directory = (caughtUpTo: Date) =>
  ({
    all: async () => [SECONDARY],
    keys: async () => [KEY],
    caughtUpTo: async () => caughtUpTo,
  }) as unknown as SecondaryDirectory;
const changed = (...times: readonly Date[]) => ({
  async *changedSince(since: Date) {
    const page = times.filter((time) => time >= since).map((changedAt) => ({ ...ZONE, changedAt }));
    if (page.length > 0) yield page;
  },
});
const reading = (caughtUpTo: Date, address: string, ...changes: readonly Date[]) =>
  new ReadSecondaries(
    directory(caughtUpTo),
    changed(...changes),
    { endpoint: { address, port: 53 }, catalogZone: CATALOG },
    { now: () => new Date(T0.getTime() + 60_000) },
  ).execute();

describe('the configuration of a secondary', () => {
  it.each(['bind', 'nsd'] as const)('is that of docs/nameservers.md for %s', (name) => {
    const { folder, write } = CONFIGURATIONS[name];

    const text = write({
      secondary: SECONDARY,
      key: KEY,
      secret: '…',
      primaries: [{ address: '10.0.0.5', port: 53 }],
      catalogZone: CATALOG,
      folder,
    });

    expect(GUIDE).toContain(`\`\`\`\n${text}\`\`\`\n`);
  });

  it('has for PowerDNS no caches that answer with the records before a transfer', () => {
    const { folder, write } = CONFIGURATIONS.powerdns;
    const primaries = [{ address: '10.0.0.5', port: 53 }] as const;

    const text = write({ secondary: SECONDARY, key: KEY, secret: '…', primaries, catalogZone: CATALOG, folder });

    expect(text).toMatch(/^query-cache-ttl=0$/m);
    expect(text).toMatch(/^negquery-cache-ttl=0$/m);
  });

  it('names every primary with its port, in BIND and NSD', () => {
    const setup = {
      secondary: SECONDARY,
      key: KEY,
      secret: 'c2VjcmV0',
      primaries: [
        { address: '10.0.0.5', port: 53 },
        { address: '10.0.0.6', port: 5354 },
      ] as const,
      catalogZone: CATALOG,
      folder: '/tmp/ns1',
    };

    expect(CONFIGURATIONS.bind.write(setup)).toContain(
      'primaries { 10.0.0.5 key "ns1"; 10.0.0.6 port 5354 key "ns1"; };\n  allow-query { 10.0.0.5; 10.0.0.6; };',
    );
    expect(CONFIGURATIONS.nsd.write(setup)).toContain(
      'request-xfr: 10.0.0.5 ns1\n  request-xfr: 10.0.0.6@5354 ns1\n  allow-notify: 10.0.0.5 ns1\n  allow-notify: 10.0.0.6 ns1\n',
    );
  });

  it('is reported for every program without the secret, with the lag of the secondary', async () => {
    const { secondaries, keys, primary } = await reading(T0, '10.0.0.5', new Date(T0.getTime() + 20_000));

    expect(secondaries).toMatchObject([{ caughtUpTo: T0, lagSeconds: 40, key: KEY }]);
    expect(secondaries[0]?.configurations.map(({ program }) => program)).toEqual([
      'Knot DNS',
      'BIND',
      'NSD',
      'PowerDNS',
    ]);
    for (const { text } of secondaries[0]?.configurations ?? [])
      expect(text).toMatch(/10\.0\.0\.5[\s\S]*…|…[\s\S]*10\.0\.0\.5/);
    expect([keys, primary]).toEqual([[KEY], '10.0.0.5:53']);
  });

  it('has no lag if nothing changed since the secondary caught up', async () => {
    const { secondaries } = await reading(T0, '10.0.0.5', new Date(T0.getTime() - 1));

    expect(secondaries).toMatchObject([{ lagSeconds: 0 }]);
  });

  it('has an example address if the listener names none, and no lag of a new secondary', async () => {
    const { secondaries } = await reading(new Date(0), '0.0.0.0');

    expect(secondaries).toMatchObject([{ caughtUpTo: undefined, lagSeconds: undefined }]);
    expect(secondaries[0]?.configurations[0]?.text).toContain('10.0.0.5@53');
  });
});
