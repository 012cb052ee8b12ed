import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordType } from 'dns-packet';
import { delegationSignerOf } from '../../src/domain/dns/delegation-signer';
import { DomainName } from '../../src/domain/registration/domain-name';
import { DnsListener } from '../../src/infrastructure/nameserver/dns-listener';
import { TldResponder } from '../../src/infrastructure/registry/sandbox/dns/tld-responder';
import { TldZones } from '../../src/infrastructure/registry/sandbox/dns/tld-zones';
import { PRICE_LIST } from '../../src/infrastructure/registry/sandbox/simulated/offers/price-list';
import { RegistryClock } from '../../src/infrastructure/registry/sandbox/simulated/registry-clock';
import { RegistryCore } from '../../src/infrastructure/registry/sandbox/simulated/registry-core';
import { SqlRegistryStore } from '../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { SystemClock } from '../../src/infrastructure/system/system-clock';
import { SeededRandom } from '../crash/random';
import { FakeTime } from '../support/dnssec/fake-time';
import { LoopbackNetwork } from '../support/dnssec/loopback-network';
import { Resolver } from '../support/dnssec/resolver';
import { addressesOf, INTERNET_MISSING, NAMESERVERS, UpperZones } from '../support/dnssec/upper-zones';
import { transfer } from '../support/dnssec/tampered-secondary';
import { RecordingLog } from '../support/fakes/recording-log';
import { startKnot } from '../support/nameservers/knot';
import type { Nameserver } from '../support/nameservers/nameserver';
import { createCliAdmin } from '../support/nameservers/primary';
import { openSandboxRegistry } from '../support/registries/open-sandbox-registry';
import { build } from '../support/service/service-process';
import type { Campaign, CampaignResult } from './campaign';
import { DnsService } from './dns-service';

/**
 * A domain with DNSSEC over years on the registry's clock: signature refreshes, key rollovers and kills. Every day unbound, with
 * empty caches and with those of the days before, validates from the root. By hand only: beside other work, its programs get so
 * little of the processors that a start takes minutes. Another validator, of BIND, waits for libfaketime for ever, unless the C
 * library follows libfaketime in LD_PRELOAD: it is linked with an allocator that asks for the time while it starts.
 */
export const dnssecYearsCampaign: Campaign = { name: 'dnssec-years', unit: 'days', ciSize: 0, fullSize: 3_650, run };

const NAME = 'many-years.com';
const DAY_MS = 86_400_000;
const MEASURED = 100;
const VALIDATED_WITHIN_MS = 150;
const DAYS_PER_KILL = 15;
const DAYS_PER_ROLLOVER = 30;
/** The longest TTL of an answer. */
const CACHES_MS = 3_600_000;
const POLL_INTERVAL_MS = 50;
/** Refreshed with seven days left; a service that was down is late by a day at most. */
const LEAST_VALID_DAYS = 5;
const GIVE_UP_AFTER_MS = 60_000;
const QUESTIONS: readonly (readonly [name: string, type: RecordType, rcode: string, answers: boolean])[] = [
  [`www.${NAME}`, 'A', 'NOERROR', true],
  [`any.wild.${NAME}`, 'A', 'NOERROR', true],
  [`missing.${NAME}`, 'A', 'NXDOMAIN', false],
  [`www.${NAME}`, 'MX', 'NOERROR', false],
  [NAME, 'DNSKEY', 'NOERROR', true],
];

type Signers = readonly { readonly digest: string }[];

class Years {
  readonly failures: string[] = [];
  checks = 0;
  kills = 0;
  rollovers = 0;
  readonly latencies: number[] = [];
  private isSecure = false;
  private id = '';

  constructor(
    private readonly world: World,
    private readonly random: SeededRandom,
  ) {}

  async run(days: number): Promise<void> {
    const { service } = this.world;
    this.id = await service.register(NAME);
    for (const [name, content] of [
      ['www', '192.0.2.7'],
      ['*.wild', '192.0.2.8'],
    ])
      await service.call('POST', `/api/domains/${this.id}/dns/records`, { type: 'A', name, content, ttl: 300 });
    await this.switch(true);
    await this.measure();
    const end = this.world.time.now().getTime() + days * DAY_MS;
    for (let day = 1; this.world.time.now().getTime() < end; day += 1) {
      if (day % DAYS_PER_ROLLOVER === 1) await this.rollOver();
      await this.advance(DAY_MS);
      await this.check();
      if (this.random.next() < 1 / DAYS_PER_KILL) await this.kill();
      await this.refreshed();
      await this.checkSigners();
    }
    await this.switch(false);
  }

  /** The times from 201 to a validated answer. */
  private async measure(): Promise<void> {
    const { service, fresh } = this.world;
    for (let index = 0; index < MEASURED; index += 1) {
      const name = `new-${index}`;
      const body = { type: 'A', name, content: '192.0.2.9', ttl: 300 };
      await service.call('POST', `/api/domains/${this.id}/dns/records`, body);
      const startedAt = performance.now();
      while (!(await fresh.resolve(`${name}.${NAME}`)).answers.length);
      this.latencies.push(performance.now() - startedAt);
      await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Follows every state until DNSSEC is on or off. */
  private async switch(enabled: boolean): Promise<void> {
    await this.world.service.call('PUT', this.path, { enabled });
    await this.until((state) => state['state'] === (enabled ? 'active' : 'off'));
    this.isSecure = enabled;
    await this.advance(CACHES_MS);
    await this.check();
  }

  private async rollOver(): Promise<void> {
    await this.world.service.call('POST', `${this.path}/roll`);
    this.rollovers += 1;
    await this.until((state) => state['state'] === 'active' && state['rollover'] === false);
  }

  /** Checks at every change of the state, and moves the clocks when it waits for a time. */
  private async until(isReached: (state: Record<string, unknown>) => boolean): Promise<void> {
    let last = '';
    const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
    for (;;) {
      const state = await this.world.service.call('GET', this.path);
      if (state['state'] !== 'active') this.isSecure = false;
      const text = JSON.stringify(state);
      if (text !== last) await this.check();
      last = text;
      if (isReached(state)) return this.world.upperZones.publishedSigners(NAME, state['ds'] as Signers);
      if (state['state'] === 'error' || Date.now() > giveUpAt) throw new Error(`DNSSEC does not move on: ${text}`);
      const waitsMs = typeof state['until'] === 'string' ? Date.parse(state['until']) - this.now : 0;
      if (waitsMs > 0) await this.world.upperZones.publishedSigners(NAME, state['ds'] as Signers);
      if (waitsMs > 0) await this.advance(Math.min(waitsMs, DAY_MS));
      else await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Kills the service while it may refresh signatures. */
  private async kill(): Promise<void> {
    const { service } = this.world;
    await sleep(this.random.between(0, 1_000));
    await service.kill();
    this.kills += 1;
    await service.restart();
  }

  /** Waits until all signatures in the zone have days left. */
  private async refreshed(): Promise<void> {
    const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
    for (;;) {
      const lines = await transfer(NAME, this.world.service.dns, this.world.knot);
      const expiries = lines.flatMap((line) => /\sRRSIG\s+\S+ \d+ \d+ \d+ (\d{14}) /.exec(line)?.[1] ?? []);
      const first = expiries.toSorted()[0] ?? '';
      const at = Date.parse(first.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z'));
      if (at - this.now > LEAST_VALID_DAYS * DAY_MS) return;
      if (Date.now() > giveUpAt) {
        this.failures.push(`${this.day}: a signature expires at ${first} and is not refreshed`);
        return;
      }
      await sleep(POLL_INTERVAL_MS);
    }
  }

  private get path(): string {
    return `/api/domains/${this.id}/dnssec`;
  }

  private get now(): number {
    return this.world.time.now().getTime();
  }

  async advance(milliseconds: number): Promise<void> {
    const { sandbox, time, upperZones } = this.world;
    const now = await sandbox.sandbox.advance(milliseconds / DAY_MS);
    time.setAhead(now.getTime() - Date.now());
    await upperZones.publish();
  }

  /** Asks both resolvers. The one with empty caches must have a chain of trust while the domain is secure. */
  async check(): Promise<void> {
    const { fresh, warm } = this.world;
    await fresh.flush();
    for (const [name, type, rcode, hasAnswers] of QUESTIONS) {
      for (const [resolver, caches] of [
        [fresh, 'empty'],
        [warm, 'warm'],
      ] as const) {
        const result = await resolver.resolve(name, type);
        const isRight = result.rcode === rcode && (type === 'DNSKEY' || result.answers.length > 0 === hasAnswers);
        this.checks += 1;
        if (!isRight || (this.isSecure && resolver === fresh && !result.ad))
          this.failures.push(`${this.day}: ${name} ${type} with ${caches} caches: ${JSON.stringify(result)}`);
      }
    }
  }

  /** Compares the DS records at the registry with the keys in the zone. */
  async checkSigners(): Promise<void> {
    const { sandbox, fresh } = this.world;
    const { answers } = await fresh.resolve(NAME, 'DNSKEY');
    const keys = answers.flatMap((answer) => (answer.type === 'DNSKEY' ? [answer.data] : []));
    const promised = keys.map(
      ({ flags, algorithm, key }) =>
        delegationSignerOf(NAME, { flags, algorithm, publicKey: key.toString('base64') }).digest,
    );
    const found = (await sandbox.delegationSigners(DomainName.fromState(NAME))).map(({ digest }) => digest);
    if (found.toSorted().join() !== promised.toSorted().join())
      this.failures.push(`${this.day}: the registry has DS ${found.join()}, the zone has keys for ${promised.join()}`);
  }

  get day(): string {
    return this.world.time.now().toISOString();
  }
}

async function run(days: number, seed: number): Promise<CampaignResult> {
  if (INTERNET_MISSING !== undefined) throw new Error(INTERNET_MISSING);
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-dnssec-years-'));
  const world = await startWorld(folder);
  const years = new Years(world, new SeededRandom(seed));
  try {
    await years.run(days);
    const { failures, checks, kills, rollovers } = years;
    const sorted = years.latencies.toSorted((left, right) => left - right);
    const [p50, p99] = [0.5, 0.99].map((part) => Math.round(sorted[Math.floor(part * sorted.length)] ?? 0));
    return {
      summary: `${days} days, ${checks} answers validated, ${rollovers} key rollovers, ${kills} kills; 201 to a validated answer: p50 ${p50} ms, p99 ${p99} ms`,
      missed: (p99 ?? 0) > VALIDATED_WITHIN_MS ? [`a validated answer took ${p99} ms (p99)`] : [],
      failures,
    };
  } finally {
    for (const stop of world.stops.toReversed()) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface World {
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
  readonly stops: readonly (() => unknown)[];
}

async function startWorld(folder: string): Promise<World> {
  const network = new LoopbackNetwork();
  const time = new FakeTime(folder);
  const service = await DnsService.start(folder, [], {
    DEFAULT_NAMESERVERS: NAMESERVERS.join(),
    DNS_SOA_TIMERS: '3600,600,1209600,60',
  });
  const stops: (() => unknown)[] = [() => service.kill()];
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
  const [freshAt, warmAt] = [network.next(), network.next()];
  const fresh = await Resolver.start({ ...plan, endpoint: freshAt, keepsDenials: false });
  stops.push(() => fresh.stop());
  const warm = await Resolver.start({ ...plan, endpoint: warmAt });
  stops.push(() => warm.stop());
  return { service, sandbox, upperZones, knot, time, fresh, warm, stops };
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
