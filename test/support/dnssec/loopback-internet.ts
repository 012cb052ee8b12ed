import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from 'dns-packet';
import type { Endpoint } from '../../../src/domain/dns/secondary';
import { startExternalEppRegistry, type ExternalEppRegistry } from '../epp/external-epp-registry';
import { port53Missing } from '../acme/port-53';
import { startKnot, type KnotOptions } from '../nameservers/knot';
import { missing, Nameserver, program } from '../nameservers/nameserver';
import { startPowerdns } from '../nameservers/powerdns';
import { createInProcessAdmin, type Admin } from '../nameservers/primary';
import { requestFor, sendUdp } from '../nameservers/primary-client';
import { runServicesOn } from '../registries/external-registry';
import { api, startService, type Api, type TestService } from '../service/service';
import { FakeTime, fakeTimeLibrary } from './fake-time';
import { LoopbackNetwork } from './loopback-network';
import { Resolver } from './resolver';
import { SignedZones } from './signed-zones';

const run = promisify(execFile);
const POLL_INTERVAL_MS = 50;

/** Why the loopback Internet cannot be started; undefined if it can. */
export const INTERNET_MISSING =
  missing('knotd', 'knotc', 'kdig', 'unbound', 'unbound-control', 'ldns-keygen', 'ldns-signzone') ??
  (fakeTimeLibrary() === undefined ? 'libfaketime not installed' : undefined) ??
  port53Missing();

/** The names of the service's nameservers, whose addresses are in the root zone. */
export const NAMESERVERS = ['ns1.hoster', 'ns2.hoster'];
const TLD = 'com';

/**
 * A signed root, the signed TLD `com` of a sandbox registry, the service with its secondaries, and a validating resolver, each at
 * port 53 of a separate loopback address. All follow the clock of the registry.
 */
export class LoopbackInternet {
  private isStopped = false;
  private publishing: Promise<void> = Promise.resolve();
  private following: Promise<void> = Promise.resolve();
  private publishedSerial: number | undefined;

  private constructor(
    readonly registry: ExternalEppRegistry,
    readonly service: TestService,
    readonly client: Api,
    readonly admin: Admin,
    readonly resolver: Resolver,
    private readonly time: FakeTime,
    private readonly parts: Parts,
  ) {}

  /** With secondaries of these kinds for `NAMESERVERS`, one or both. */
  static async start({ secondaries }: { readonly secondaries: readonly SecondaryKind[] }): Promise<LoopbackInternet> {
    const network = new LoopbackNetwork();
    const folder = Nameserver.createFolder();
    const [rootAt, tldAt, resolverAt, ...endpoints] = Array.from({ length: 3 + secondaries.length }, () =>
      network.next(),
    ) as [Endpoint, Endpoint, Endpoint, ...Endpoint[]];
    let registry: ExternalEppRegistry | undefined;
    runServicesOn(async () => (registry = await startExternalEppRegistry()));
    const service = await startService({
      DNS_LISTEN: '127.0.0.1:0',
      DEFAULT_NAMESERVERS: NAMESERVERS.join(),
      DNS_SOA_TIMERS: '3600,600,1209600,60',
    });
    if (!registry) throw new Error('the service did not open the registry');
    const client = api(service, await service.key(await service.account()));
    const admin = createInProcessAdmin(service);
    const time = new FakeTime(folder);
    const [root, tld] = await Promise.all([SignedZones.start([''], rootAt), SignedZones.start([TLD], tldAt)]);
    const dns = await registry.registry.server.listenDns({ address: '127.0.0.1', port: 0 }, tldAt.address);
    const servers = await Promise.all(
      secondaries.map((kind, index) =>
        START[kind](admin, `${kind}-${index}`, { endpoint: endpoints[index] as Endpoint }),
      ),
    );
    const resolver = await Resolver.start({
      endpoint: resolverAt,
      root: { address: rootAt.address, dnskey: root.dnskey('') },
      time,
    });
    const parts = { folder, root, tld, rootAt, tldAt, dns, servers };
    const internet = new LoopbackInternet(registry, service, client, admin, resolver, time, parts);
    await internet.advance(0);
    internet.following = internet.followRegistry();
    return internet;
  }

  get secondaries(): readonly Nameserver[] {
    return this.parts.servers;
  }

  /** Moves all clocks, and signs the root and the TLD again. */
  async advance(milliseconds: number): Promise<void> {
    await this.registry.sandbox.advance(milliseconds / 86_400_000);
    this.time.setAhead((await this.registry.sandbox.time()).getTime() - Date.now());
    await this.inTurn(() => this.publishRoot());
    await this.inTurn(() => this.publishTld());
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.following;
    await this.publishing;
    const { root, tld, servers } = this.parts;
    await Promise.all([this.resolver, root, tld, ...servers].map((server) => server.stop()));
    await this.service.stop();
    rmSync(this.parts.folder, { recursive: true, force: true });
  }

  /** Signs the TLD again after each change of the registry's zone. */
  private async followRegistry(): Promise<void> {
    while (!this.isStopped) {
      if ((await this.serialOfRegistry()) !== this.publishedSerial) await this.inTurn(() => this.publishTld());
      await sleep(POLL_INTERVAL_MS);
    }
  }

  private async inTurn(publish: () => Promise<void>): Promise<void> {
    this.publishing = this.publishing.then(publish);
    await this.publishing;
  }

  private async publishTld(): Promise<void> {
    const { address, port } = this.parts.dns;
    const serial = await this.serialOfRegistry();
    const query = [`@${address}`, '-p', String(port), '+noall', '+answer', TLD, 'AXFR'];
    const { stdout } = await run(program('kdig') ?? 'kdig', query, { encoding: 'utf8' });
    const records = stdout.split('\n').filter((line) => !line.startsWith(';') && !/\sSOA\s/.test(line));
    await this.parts.tld.publish([{ name: TLD, records }], this.time.now());
    this.publishedSerial = serial;
  }

  private async publishRoot(): Promise<void> {
    const { root, tld, rootAt, tldAt, servers } = this.parts;
    const addresses = NAMESERVERS.map(
      (host, index) => `${host}. 3600 IN A ${servers[index % servers.length]?.plan.address}`,
    );
    const records = [
      '. 3600 IN NS a.root-servers.',
      `a.root-servers. 3600 IN A ${rootAt.address}`,
      `${TLD}. 3600 IN NS nic.${TLD}.`,
      `nic.${TLD}. 3600 IN A ${tldAt.address}`,
      tld.ds(TLD),
      ...addresses,
    ];
    await root.publish([{ name: '', records }], this.time.now());
  }

  private async serialOfRegistry(): Promise<number | undefined> {
    const bytes = await sendUdp(this.parts.dns, requestFor({ name: TLD, type: 'SOA' }));
    const [soa] = bytes ? (decode(bytes).answers ?? []) : [];
    return soa?.type === 'SOA' ? soa.data.serial : undefined;
  }
}

interface Parts {
  readonly folder: string;
  readonly root: SignedZones;
  readonly tld: SignedZones;
  readonly rootAt: Endpoint;
  readonly tldAt: Endpoint;
  /** Of the registry's unsigned zones. */
  readonly dns: Endpoint;
  readonly servers: readonly Nameserver[];
}

export type SecondaryKind = 'knot' | 'signing knot' | 'powerdns';

const START: Record<SecondaryKind, (admin: Admin, name: string, options: KnotOptions) => Promise<Nameserver>> = {
  knot: startKnot,
  'signing knot': (admin, name, options) => startKnot(admin, name.replace(' ', '-'), { ...options, signs: true }),
  powerdns: startPowerdns,
};
