import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from 'dns-packet';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { missing, program, type Nameserver } from '../nameservers/nameserver';
import { port53Missing } from '../acme/port-53';
import { requestFor, sendUdp } from '../nameservers/primary-client';
import { fakeTimeLibrary } from './fake-time';
import { SignedZones } from './signed-zones';

const run = promisify(execFile);
const POLL_INTERVAL_MS = 50;
const GIVE_UP_AFTER_MS = 180_000;

const TLD = 'com';

/** Why the loopback Internet cannot be started; undefined if it can. */
export const INTERNET_MISSING =
  missing('knotd', 'knotc', 'kdig', 'unbound', 'unbound-control', 'ldns-keygen', 'ldns-signzone') ??
  (fakeTimeLibrary() === undefined ? 'libfaketime not installed' : undefined) ??
  port53Missing();

/** The names of the service's nameservers, whose addresses are in the root zone. */
export const NAMESERVERS = ['ns1.hoster', 'ns2.hoster'];

interface UpperZonesPlan {
  readonly root: Endpoint;
  readonly tld: Endpoint;
  /** The zones of a sandbox registry, unsigned. */
  readonly registry: Endpoint;
  /** Addresses of nameservers by name, for the root zone. */
  readonly hosts: ReadonlyMap<string, string>;
  /** When signatures are made. */
  readonly now: () => Date;
}

/** The signed root, and the signed TLD `com` of a sandbox registry. */
export class UpperZones {
  private isStopped = false;
  private publishing: Promise<void> = Promise.resolve();
  private following: Promise<void> = Promise.resolve();
  private publishedSerial: number | undefined;

  private constructor(
    private readonly plan: UpperZonesPlan,
    private readonly root: SignedZones,
    private readonly tld: SignedZones,
  ) {}

  static async start(plan: UpperZonesPlan): Promise<UpperZones> {
    const [root, tld] = await Promise.all([SignedZones.start([''], plan.root), SignedZones.start([TLD], plan.tld)]);
    const zones = new UpperZones(plan, root, tld);
    await zones.publish();
    zones.following = zones.followRegistry();
    return zones;
  }

  /** Where a resolver starts, and the key that it trusts. */
  get anchor(): { readonly address: string; readonly dnskey: string } {
    return { address: this.plan.root.address, dnskey: this.root.dnskey('') };
  }

  /** Signs the root and the TLD again, with the registry's present zone. */
  async publish(): Promise<void> {
    await this.inTurn(async () => {
      await Promise.all([this.publishRoot(), this.publishTld()]);
    });
  }

  /** Waits until the TLD serves these DS records of a domain. @throws Error after three minutes */
  async publishedDsRecords(name: string, dsRecords: readonly { readonly digest: string }[]): Promise<void> {
    const wanted = dsRecords.map(({ digest }) => digest.toLowerCase()).toSorted();
    for (const giveUpAt = Date.now() + GIVE_UP_AFTER_MS; ;) {
      const bytes = await sendUdp(this.plan.tld, requestFor({ name, type: 'DS' }));
      const answers = bytes ? (decode(bytes).answers ?? []) : [];
      const found = answers.flatMap((answer) => (answer.type === 'DS' ? [answer.data.digest.toString('hex')] : []));
      if (found.toSorted().join() === wanted.join()) return;
      if (Date.now() > giveUpAt) throw new Error(`${TLD} has DS ${found.join()} of ${name}, not ${wanted.join()}`);
      await sleep(POLL_INTERVAL_MS);
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.following;
    await this.publishing;
    await Promise.all([this.root.stop(), this.tld.stop()]);
  }

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
    const { address, port } = this.plan.registry;
    const serial = await this.serialOfRegistry();
    const query = [`@${address}`, '-p', String(port), '+noall', '+answer', '+timeout=60', TLD, 'AXFR'];
    const { stdout } = await run(program('kdig') ?? 'kdig', query, { encoding: 'utf8' });
    const records = stdout.split('\n').filter((line) => !line.startsWith(';') && !/\sSOA\s/.test(line));
    await this.tld.publish([{ name: TLD, records }], this.plan.now());
    this.publishedSerial = serial;
  }

  private async publishRoot(): Promise<void> {
    const { root, tld, hosts, now } = this.plan;
    const records = [
      '. 3600 IN NS a.root-servers.',
      `a.root-servers. 3600 IN A ${root.address}`,
      `${TLD}. 3600 IN NS nic.${TLD}.`,
      `nic.${TLD}. 3600 IN A ${tld.address}`,
      this.tld.ds(TLD),
      ...[...hosts].map(([host, address]) => `${host}. 3600 IN A ${address}`),
    ];
    await this.root.publish([{ name: '', records }], now());
  }

  private async serialOfRegistry(): Promise<number | undefined> {
    const bytes = await sendUdp(this.plan.registry, requestFor({ name: TLD, type: 'SOA' }));
    const [soa] = bytes ? (decode(bytes).answers ?? []) : [];
    return soa?.type === 'SOA' ? soa.data.serial : undefined;
  }
}

/** The addresses of the service's nameservers, for the root zone. */
export function addressesOf(secondaries: readonly Nameserver[]): ReadonlyMap<string, string> {
  return new Map(
    NAMESERVERS.map((host, index) => [host, secondaries[index % secondaries.length]?.plan.address ?? '127.0.0.1']),
  );
}
