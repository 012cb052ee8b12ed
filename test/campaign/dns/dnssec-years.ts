import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordType } from 'dns-packet';
import { dsRecordOf } from '../../../src/domain/dns/delegation/ds-record';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { DNSSEC_STEPS } from '../../crash/killed-at-dnssec-step';
import { SeededRandom } from '../../crash/random';
import { INTERNET_MISSING } from '../../support/dnssec/upper-zones';
import { transfer } from '../../support/dnssec/tampered-secondary';
import { missing } from '../../support/nameservers/nameserver';
import { build } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';
import { startWorld, type World } from './dnssec-world';

/**
 * A domain with DNSSEC over years on the registry's clock: signature refreshes, key rollovers and kills. The service is killed after
 * each step of switching on, of every rollover, and of switching off, and at random times. After each of these, and every day,
 * unbound with empty caches and with those of the days before, and delv, validate from the root. Nine days
 * see one rollover and one refresh: signatures are renewed after 7 days.
 */
export const dnssecYearsCampaign: Campaign = { name: 'dnssec-years', unit: 'days', ciSize: 8, fullSize: 3_650, run };

const NAME = 'many-years.com';
const DAY_MS = 86_400_000;
const MEASURED = 50;
const VALIDATED_WITHIN_MS = 150;
/** At random; rollovers add theirs. */
const DAYS_PER_KILL = 60;
const DAYS_PER_ROLLOVER = 180;
const DAYS_PER_DELV = 10;
/** The longest TTL of an answer. */
const CACHES_MS = 3_600_000;
const POLL_INTERVAL_MS = 50;
/** Refreshed with seven days left; a service that was down is late by a day at most. */
const LEAST_VALID_DAYS = 5;
const GIVE_UP_AFTER_MS = 300_000;
const PROGRESS_EVERY_DAYS = 100;
const QUESTIONS: readonly (readonly [name: string, type: RecordType, rcode: string, answers: boolean])[] = [
  [`www.${NAME}`, 'A', 'NOERROR', true],
  [`any.wild.${NAME}`, 'A', 'NOERROR', true],
  [`missing.${NAME}`, 'A', 'NXDOMAIN', false],
  [`www.${NAME}`, 'MX', 'NOERROR', false],
  [NAME, 'DNSKEY', 'NOERROR', true],
];
const MISSING = INTERNET_MISSING ?? missing('delv');

type Report = Readonly<Record<string, unknown>>;
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
    await this.killAtEach(DNSSEC_STEPS.on, () => service.call('PUT', this.path, { enabled: true }));
    await this.until((report) => report['state'] === 'active');
    await this.advance(CACHES_MS);
    await this.check();
    await this.measure();
    for (let day = 0; day < days; day += 1) {
      if (day % DAYS_PER_ROLLOVER === 0) await this.rollOver();
      await this.advance(DAY_MS);
      await this.check();
      if (day % DAYS_PER_DELV === 0) await this.checkWithDelv();
      if (this.random.next() < 1 / DAYS_PER_KILL) await this.kill();
      await this.refreshed();
      await this.checkDsRecords();
      if (day % PROGRESS_EVERY_DAYS === 0) process.stderr.write(`${this.day}: ${this.summary}\n`);
    }
    await this.killAtEach(DNSSEC_STEPS.off, () => service.call('PUT', this.path, { enabled: false }));
    await this.until((report) => report['state'] === 'off');
    await this.check();
  }

  get summary(): string {
    return `${this.checks} answers validated, ${this.rollovers} key rollovers, ${this.kills} kills, ${this.failures.length} bogus or wrong`;
  }

  /** The times from 201 to a validated answer. */
  private async measure(): Promise<void> {
    const { service, fresh } = this.world;
    for (let index = 0; index < MEASURED; index += 1) {
      const name = `new-${index}`;
      const body = { type: 'A', name, content: '192.0.2.9', ttl: 300 };
      await service.call('POST', `/api/domains/${this.id}/dns/records`, body);
      const startedAt = performance.now();
      const checkTimeout = within(`a validated answer for ${name}`);
      while (!(await fresh.resolve(`${name}.${NAME}`)).answers.length) checkTimeout();
      this.latencies.push(performance.now() - startedAt);
      await sleep(POLL_INTERVAL_MS);
    }
  }

  private async rollOver(): Promise<void> {
    await this.killAtEach(DNSSEC_STEPS.rollover, () => this.world.service.call('POST', `${this.path}/roll`));
    await this.until((report) => report['rollover'] === false);
    this.rollovers += 1;
  }

  /** Kills the service after each step, starts it again for the next one, and checks in between. */
  private async killAtEach(steps: readonly string[], request: () => Promise<unknown>): Promise<void> {
    const { service } = this.world;
    for (const [at, step] of steps.entries()) {
      await service.kill();
      await service.restart(`${step} after`);
      // A killed service does not respond, and the next one continues.
      if (at === 0) await request().catch(() => undefined);
      const checkTimeout = within(`the step ${step}`);
      while (service.isRunning) {
        checkTimeout();
        const report = await service.call('GET', this.path).catch(() => undefined);
        if (report) await this.passTime(report);
      }
      this.kills += 1;
      await this.check();
      if (step.startsWith('DS')) await this.checkWithDelv();
    }
    await service.restart();
  }

  private async until(isReached: (report: Report) => boolean): Promise<void> {
    const checkTimeout = within('the next state of DNSSEC');
    for (;;) {
      const report = await this.world.service.call('GET', this.path);
      if (isReached(report)) return;
      if (report['state'] === 'error') throw new Error(`DNSSEC failed: ${JSON.stringify(report)}`);
      checkTimeout();
      await this.passTime(report);
    }
  }

  /** Moves the clocks if the service waits for a time. */
  private async passTime(report: Report): Promise<void> {
    const waitsMs = typeof report['until'] === 'string' ? Date.parse(report['until']) - this.now : 0;
    if (waitsMs <= 0) return sleep(POLL_INTERVAL_MS);
    await this.world.upperZones.publishedDsRecords(NAME, report['ds'] as Signers);
    await this.advance(Math.min(waitsMs, DAY_MS));
    await this.check();
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
    const { service, knot } = this.world;
    const checkTimeout = within('signatures that are refreshed');
    for (;;) {
      const lines = await transfer(NAME, service.dns, knot);
      const expiries = lines.flatMap((line) => /\sRRSIG\s+\S+ \d+ \d+ \d+ (\d{14}) /.exec(line)?.[1] ?? []);
      const first = expiries.toSorted()[0] ?? '';
      const at = Date.parse(first.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z'));
      if (at - this.now > LEAST_VALID_DAYS * DAY_MS) return;
      checkTimeout();
      await sleep(POLL_INTERVAL_MS);
    }
  }

  private get path(): string {
    return `/api/domains/${this.id}/dnssec`;
  }

  private get now(): number {
    return this.world.time.now().getTime();
  }

  private get day(): string {
    return this.world.time.now().toISOString();
  }

  private async advance(milliseconds: number): Promise<void> {
    const { sandbox, time, upperZones } = this.world;
    const now = await sandbox.sandbox.advance(milliseconds / DAY_MS);
    time.setAhead(now.getTime() - Date.now());
    await upperZones.publish();
  }

  /** Asks both resolvers. The one with empty caches must have a chain of trust if the registry has DS records. */
  private async check(): Promise<void> {
    const { fresh, warm, sandbox, upperZones } = this.world;
    const dsRecords = await sandbox.dsRecords(DomainName.fromState(NAME));
    await upperZones.publishedDsRecords(NAME, dsRecords);
    this.isSecure = dsRecords.length > 0;
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

  private async checkWithDelv(): Promise<void> {
    if (!this.isSecure) return;
    for (const name of [`www.${NAME}`, `any.wild.${NAME}`]) {
      const objection = await this.world.delv.objection(name, 'A');
      this.checks += 1;
      if (objection !== undefined) this.failures.push(`${this.day}: delv ${name}: ${objection}`);
    }
  }

  /** Compares the DS records at the registry with the keys in the zone. */
  private async checkDsRecords(): Promise<void> {
    const { sandbox, fresh } = this.world;
    const { answers } = await fresh.resolve(NAME, 'DNSKEY');
    const keys = answers.flatMap((answer) => (answer.type === 'DNSKEY' ? [answer.data] : []));
    const promised = keys.map(
      ({ flags, algorithm, key }) => dsRecordOf(NAME, { flags, algorithm, publicKey: key.toString('base64') }).digest,
    );
    const found = (await sandbox.dsRecords(DomainName.fromState(NAME))).map(({ digest }) => digest);
    if (found.toSorted().join() !== promised.toSorted().join())
      this.failures.push(`${this.day}: the registry has DS ${found.join()}, the zone has keys for ${promised.join()}`);
  }
}

/** Returns a function that throws after five minutes: a wait that does not end says which one it is. */
function within(what: string): () => void {
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
  return () => {
    if (Date.now() > giveUpAt) throw new Error(`waited too long for ${what}`);
  };
}

async function run(days: number, seed: number): Promise<CampaignResult> {
  if (MISSING !== undefined) throw new Error(MISSING);
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-dnssec-years-'));
  const world = await startWorld(folder);
  const years = new Years(world, new SeededRandom(seed));
  try {
    await years.run(days);
    const { failures, summary } = years;
    const sorted = years.latencies.toSorted((left, right) => left - right);
    const [p50, p99] = [0.5, 0.99].map((part) => Math.round(sorted[Math.floor(part * sorted.length)] ?? 0));
    return {
      summary: `${days} days, ${summary}; 201 to a validated answer: p50 ${p50} ms, p99 ${p99} ms`,
      missed: (p99 ?? 0) > VALIDATED_WITHIN_MS ? [`a validated answer took ${p99} ms (p99)`] : [],
      failures,
    };
  } finally {
    for (const stop of world.stops.toReversed()) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
