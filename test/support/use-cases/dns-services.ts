import { AddSecondary } from '../../../src/application/dns/publishing/add-secondary';
import { CreateTsigKey } from '../../../src/application/dns/publishing/create-tsig-key';
import { RaiseVersions } from '../../../src/application/dns/publishing/raise-versions';
import type { DnsServices } from '../../../src/cli/topics/dns-commands';
import { InMemoryStorage } from '../fakes/in-memory/in-memory-storage';
import { MovableClock } from '../fakes/movable-clock';
import { SequentialIds } from '../fakes/sequential-ids';

export const TSIG_SECRET = Buffer.alloc(32, 7);
const NOW = new Date('2026-03-01T12:00:00.000Z');

/** The real use cases on a directory in memory; every key has the secret `TSIG_SECRET`. */
export function dnsServices(
  overrides: Partial<DnsServices> = {},
  storage = new InMemoryStorage(new SequentialIds(), new MovableClock()),
): DnsServices {
  const directory = storage.secondaryDirectory;
  const clock = { now: () => NOW };
  return {
    directory,
    createTsigKey: new CreateTsigKey(directory, { next: () => TSIG_SECRET }, clock),
    addSecondary: new AddSecondary(directory, storage.zoneSignings, clock),
    raiseVersions: new RaiseVersions(directory, clock),
    clock,
    catalogZone: 'catalog.example',
    primary: { address: '192.0.2.53', port: 5354 },
    ...overrides,
  };
}
