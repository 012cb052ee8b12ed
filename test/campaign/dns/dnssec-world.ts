import { join } from 'node:path';
import { DnsListener } from '../../../src/infrastructure/nameserver/dns-listener';
import { TldResponder } from '../../../src/infrastructure/registry/sandbox/dns/tld-responder';
import { TldZones } from '../../../src/infrastructure/registry/sandbox/dns/tld-zones';
import { PRICE_LIST } from '../../../src/infrastructure/registry/sandbox/simulated/offers/price-list';
import { RegistryClock } from '../../../src/infrastructure/registry/sandbox/simulated/registry-clock';
import { RegistryCore } from '../../../src/infrastructure/registry/sandbox/simulated/registry-core';
import { SqlRegistryStore } from '../../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { SystemClock } from '../../../src/infrastructure/system/system-clock';
import { Delv } from '../../support/dnssec/delv';
import { FakeTime } from '../../support/dnssec/fake-time';
import { LoopbackNetwork } from '../../support/dnssec/loopback-network';
import { Resolver } from '../../support/dnssec/resolver';
import { addressesOf, NAMESERVERS, UpperZones } from '../../support/dnssec/upper-zones';
import { RecordingLog } from '../../support/fakes/recording-log';
import { startKnot } from '../../support/nameservers/knot';
import type { Nameserver } from '../../support/nameservers/nameserver';
import { createCliAdmin } from '../../support/nameservers/primary';
import { openSandboxRegistry } from '../../support/registries/open-sandbox-registry';
import { DnsService } from './dns-service';

/** The service on SQLite, its registry, a secondary, a signed root and TLD, and validating resolvers, all on one clock. */
export interface World {
  readonly service: DnsService;
  /** The service's registry, opened by this process too. */
  readonly sandbox: Awaited<ReturnType<typeof openSandboxRegistry>>;
  readonly upperZones: UpperZones;
  readonly knot: Nameserver;
  readonly time: FakeTime;
  /** Its caches are emptied before each check. */
  readonly fresh: Resolver;
  /** Its caches are never emptied. */
  readonly warm: Resolver;
  /** Validates from the root, too, with the records that `fresh` gives it. */
  readonly delv: Delv;
  readonly stops: readonly (() => unknown)[];
}

export async function startWorld(folder: string): Promise<World> {
  const stops: (() => unknown)[] = [];
  try {
    return { ...(await startParts(folder, stops)), stops };
  } catch (error) {
    for (const stop of stops.toReversed()) await stop();
    throw error;
  }
}

async function startParts(folder: string, stops: (() => unknown)[]): Promise<Omit<World, 'stops'>> {
  const network = new LoopbackNetwork();
  const [freshAt, warmAt] = [network.next(), network.next()];
  const time = new FakeTime(folder);
  const service = await DnsService.start(folder, [], {
    DEFAULT_NAMESERVERS: NAMESERVERS.join(),
    DNS_SOA_TIMERS: '3600,600,1209600,60',
    OPERATION_LEASE_MS: '1000',
    DNSSEC_RESOLVER: warmAt.address,
    ZONE_SOURCE_NETWORKS: '127.0.0.0/8',
  });
  stops.push(() => service.kill());
  const sandbox = await openSandboxRegistry(join(folder, 'service.db'));
  stops.push(() => sandbox.close());
  const knot = await startKnot(createCliAdmin(service.settings), 'knot', { endpoint: network.next() });
  stops.push(() => knot.stop());
  const [root, tld] = [network.next(), network.next()];
  const tldListener = await listenTld(join(folder, 'service-registry.db'), tld.address);
  stops.push(() => tldListener.close());
  const upperZones = await UpperZones.start({
    root,
    tld,
    registry: tldListener.endpoint,
    hosts: addressesOf([knot]),
    now: () => time.now(),
  });
  stops.push(() => upperZones.stop());
  const plan = { root: upperZones.anchor, time };
  const fresh = await Resolver.start({ ...plan, endpoint: freshAt, keepsDenials: false });
  stops.push(() => fresh.stop());
  const warm = await Resolver.start({ ...plan, endpoint: warmAt });
  stops.push(() => warm.stop());
  const delv = new Delv(folder, { root: upperZones.anchor, time, endpoint: freshAt });
  return { service, sandbox, upperZones, knot, time, fresh, warm, delv };
}

/** Serves the TLD of a simulated registry in another process. */
async function listenTld(file: string, address: string) {
  const store = new SqlRegistryStore({ kind: 'sqlite', file });
  await store.open();
  const core = new RegistryCore(store, new RegistryClock(new SystemClock()), PRICE_LIST);
  const source = {
    suffixes: PRICE_LIST.map(({ suffix }) => suffix),
    registrations: () => core.registrations(),
    addressesOf: async () => new Map(),
  };
  const listener = new DnsListener(new TldResponder(new TldZones(source, address), new RecordingLog()));
  const endpoint = await listener.listen({ address: '127.0.0.1', port: 0 });
  return {
    endpoint,
    close: async () => {
      await listener.close();
      await store.close();
    },
  };
}
