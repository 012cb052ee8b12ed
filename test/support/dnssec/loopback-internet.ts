import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RegistryPort } from '../../../src/application/ports/registry/registry-port';
import type { DsRecord } from '../../../src/domain/dns/delegation/ds-record';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { freshId } from '../../../src/testing/registry-fixtures';
import { startExternalEppRegistry, type ExternalEppRegistry } from '../epp/external-epp-registry';
import { startKnot, type KnotOptions } from '../nameservers/knot';
import { Nameserver } from '../nameservers/nameserver';
import { startPowerdns } from '../nameservers/powerdns';
import { createInProcessAdmin, type Admin } from '../nameservers/primary';
import { runServicesOn } from '../registries/external-registry';
import { api, startService, type Api, type TestService } from '../service/service';
import { FakeTime } from './fake-time';
import { LoopbackNetwork } from './loopback-network';
import { Resolver } from './resolver';
import { addressesOf, NAMESERVERS, UpperZones } from './upper-zones';

const POLL_INTERVAL_MS = 50;
const DAY_MS = 86_400_000;

/**
 * A signed root, the signed TLD `com` of a sandbox registry, the service with its secondaries, and a validating resolver, each at
 * port 53 of a separate loopback address. All follow the clock of the registry.
 */
export class LoopbackInternet {
  private constructor(
    readonly service: TestService,
    readonly account: string,
    readonly client: Api,
    readonly admin: Admin,
    readonly secondaries: readonly Nameserver[],
    readonly resolver: Resolver,
    private readonly registry: ExternalEppRegistry,
    private readonly upperZones: UpperZones,
    private readonly time: FakeTime,
  ) {}

  /** With secondaries of these kinds for the service's two nameservers, one or both. */
  static async start(kinds: readonly SecondaryKind[]): Promise<LoopbackInternet> {
    const network = new LoopbackNetwork();
    const resolverAt = network.next();
    let registry: ExternalEppRegistry | undefined;
    runServicesOn(async () => (registry = await startExternalEppRegistry()));
    const service = await startService({
      DNS_LISTEN: '127.0.0.1:0',
      DEFAULT_NAMESERVERS: NAMESERVERS.join(),
      DNS_SOA_TIMERS: '3600,600,1209600,60',
      DNSSEC_RESOLVER: resolverAt.address,
      ZONE_SOURCE_NETWORKS: '127.0.0.0/8',
    });
    if (!registry) throw new Error('the service did not open the registry');
    const account = await service.account();
    const client = api(service, await service.key(account));
    const admin = createInProcessAdmin(service);
    const secondaries = await Promise.all(
      kinds.map((kind, index) => START[kind](admin, `${kind}-${index}`, { endpoint: network.next() })),
    );
    const time = new FakeTime(Nameserver.createFolder());
    const [root, tld] = [network.next(), network.next()];
    const upperZones = await UpperZones.start({
      root,
      tld,
      registry: await registry.registry.server.listenDns({ address: '127.0.0.1', port: 0 }, tld.address),
      hosts: addressesOf(secondaries),
      now: () => time.now(),
    });
    const resolver = await Resolver.start({ endpoint: resolverAt, root: upperZones.anchor, time });
    return new LoopbackInternet(service, account, client, admin, secondaries, resolver, registry, upperZones, time);
  }

  /** The service's listener. */
  get primary(): Endpoint {
    return this.service.dns ?? { address: '127.0.0.1', port: 0 };
  }

  /** Moves all clocks, and signs the root and the TLD again. */
  async advance(milliseconds: number): Promise<void> {
    await this.registry.sandbox.advance(milliseconds / DAY_MS);
    this.time.setAhead((await this.registry.sandbox.time()).getTime() - Date.now());
    await this.upperZones.publish();
  }

  /**
   * Switches DNSSEC of a domain or a zone on or off, and moves the clocks on until that is complete. DS records of a hosted zone are
   * copied to the registry, as a person does.
   */
  async switchDnssec(ofPath: string, enabled: boolean): Promise<void> {
    const path = `${ofPath}/dnssec`;
    await this.client.put(path, { enabled }).expect(200);
    for (;;) {
      const { body } = await this.client.get(path).expect(200);
      if (body.state === 'error') throw new Error(`DNSSEC: ${JSON.stringify(body)}`);
      const isComplete = body.state === (enabled ? 'active' : 'off');
      if (body.waits_for === 'parent') await this.setDsRecords(body.name, body.ds.map(toDsRecord));
      const waitsMs = body.until ? new Date(body.until).getTime() - this.time.now().getTime() : 0;
      if (isComplete || waitsMs > 0) await this.upperZones.publishedDsRecords(body.name, body.ds);
      if (isComplete) return;
      // The signatures of the root and the TLD are valid for longer than a day.
      if (waitsMs > 0) await this.advance(Math.min(waitsMs, DAY_MS));
      else await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Sets the DS records at the registry. */
  async setDsRecords(zoneName: string, dsRecords: readonly DsRecord[]): Promise<void> {
    const port = this.service.container.get<RegistryPort>(RegistryPort);
    await port.setDsRecords(DomainName.fromState(zoneName), dsRecords, freshId());
  }

  async stop(): Promise<void> {
    await this.resolver.stop();
    await this.upperZones.stop();
    await Promise.all(this.secondaries.map((server) => server.stop()));
    await this.service.stop();
    rmSync(this.time.folder, { recursive: true, force: true });
  }
}

/** As `GET …/dnssec` has it. */
interface ShownDsRecord {
  readonly key_tag: number;
  readonly algorithm: number;
  readonly digest_type: number;
  readonly digest: string;
}

function toDsRecord({ key_tag: keyTag, algorithm, digest_type: digestType, digest }: ShownDsRecord): DsRecord {
  return { keyTag, algorithm, digestType, digest };
}

type SecondaryKind = 'knot' | 'signing knot' | 'powerdns';

const START: Record<SecondaryKind, (admin: Admin, name: string, options: KnotOptions) => Promise<Nameserver>> = {
  knot: startKnot,
  'signing knot': (admin, name, options) => startKnot(admin, name.replace(' ', '-'), { ...options, signs: true }),
  powerdns: startPowerdns,
};
