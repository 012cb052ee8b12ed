import { setTimeout as sleep } from 'node:timers/promises';
import { NameserverClient } from '../../../src/infrastructure/nameserver/nameserver-client';
import { SeededRandom } from '../../crash/random';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql } from '../../support/databases/mariadb';
import { freePort } from '../../support/free-port';
import { KNOT_MISSING, startKnot } from '../../support/nameservers/knot';
import type { Nameserver } from '../../support/nameservers/nameserver';
import { createCliAdmin } from '../../support/nameservers/primary';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';
import { hourWithoutSecondary } from './hour-away';

/**
 * Kills one of two replicas repeatedly while Knot transfers zones from both, and measures publication. Then other secondaries are away
 * for an hour.
 */
export const replicasCampaign: Campaign = { name: 'replicas', unit: 'kills', ciSize: 2, fullSize: 40, run };

/** Few, so that each zone changes several times a second. */
const ZONES = 6;
const WRITE_EVERY_MS = 50;
const CHANGES_WITH_BOTH = 40;
const AIM_WITH_BOTH_MS = 100;
/** The share of changes with both replicas running that may miss the aim. */
const LATE_SHARE = 0.05;
const AIM_WITH_ONE_MS = 5_000;
const GIVE_UP_AFTER_MS = 180_000;
const POLL_EVERY_MS = 2;
/** Longer than the other replica needs to take over the lease. */
const DOWN_MS = 3_000;
const ADDRESSES = ['127.0.0.1', '127.0.0.2'] as const;
const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};

interface Replica {
  readonly settings: Record<string, string>;
  process: ServiceProcess;
  url: string;
}

interface Change {
  readonly kind: 'record' | 'new domain';
  readonly what: string;
  readonly ms: number;
}

class Replicas {
  private readonly random: SeededRandom;
  private readonly dns = new NameserverClient(1_000);
  private readonly pending = new Set<Promise<void>>();
  private readonly zones: { readonly id: string; readonly name: string }[] = [];
  private serial = 0;
  private key = '';
  private done: Change[] = [];

  constructor(
    private readonly replicas: readonly [Replica, Replica],
    private readonly knot: Nameserver,
    seed: number,
  ) {
    this.random = new SeededRandom(seed);
  }

  async prepare(key: string): Promise<void> {
    this.key = key;
    for (let index = 0; index < ZONES; index += 1)
      this.zones.push(await this.register(this.replicas[index % 2] as Replica));
    await this.collect();
  }

  /** Changes records and registers domains at both replicas in turn. */
  async withBoth(count: number): Promise<readonly Change[]> {
    for (let index = 0; index < count; index += 1) {
      const replica = this.replicas[index % 2] as Replica;
      if (index % 10 < 8) await this.write(replica);
      else await this.register(replica);
      await this.settled();
      await sleep(WRITE_EVERY_MS);
    }
    return this.collect();
  }

  /** Kills and restarts one replica during writes to both. */
  async kill(replica: Replica): Promise<readonly Change[]> {
    const before = this.random.between(0, 500);
    const over = new AbortController();
    const writing = (async () => {
      for (let index = 0; !over.signal.aborted; index += 1) {
        const target = this.replicas[index % 2] as Replica;
        await (index % 20 < 18 ? this.write(target) : this.register(target)).catch(() => undefined);
        await sleep(WRITE_EVERY_MS);
      }
    })();
    await sleep(before);
    replica.process.signal('SIGKILL');
    await replica.process.ended;
    await sleep(DOWN_MS);
    replica.process = startProcess(replica.settings);
    replica.url = await addressOf(replica.process);
    await sleep(before);
    over.abort();
    await writing;
    const changes = await this.collect();
    if (changes.length === 0) throw new Error('both replicas rejected every change while one was killed');
    return changes;
  }

  get allZones(): readonly { readonly id: string; readonly name: string }[] {
    return this.zones;
  }

  close(): void {
    this.dns.close();
  }

  private async register(replica: Replica): Promise<{ readonly id: string; readonly name: string }> {
    const name = `replicated-${(this.serial += 1)}.com`;
    const { body } = await this.call(replica, 'POST', '/api/domains', { name, contacts: { registrant: REGISTRANT } });
    const id = String(body['id']);
    for (;;) {
      const { status } = (await this.call(replica, 'GET', `/api/domains/${id}`)).body;
      if (status === 'active') break;
      if (status !== 'pending') throw new Error(`${name} is ${String(status)}`);
      await sleep(5);
    }
    this.follow('new domain', name, name, 1);
    return { id, name };
  }

  private async write(replica: Replica): Promise<void> {
    const zone = this.zones[(this.serial += 1) % ZONES];
    if (!zone) return;
    const { headers } = await this.call(replica, 'POST', `/api/domains/${zone.id}/dns/records`, {
      type: 'A',
      name: `h${this.serial}`,
      content: '192.0.2.1',
    });
    this.follow('record', `h${this.serial} of ${zone.name}`, zone.name, Number(headers.get('zone-version')));
  }

  /** Measures the time until Knot serves the version, in the background. */
  private follow(kind: Change['kind'], what: string, zoneName: string, version: number): void {
    const startedAt = performance.now();
    const endpoint = { address: '127.0.0.1', port: this.knot.plan.port };
    const following = (async () => {
      for (;;) {
        const answer = await this.dns.querySerial({ endpoint, zoneName, fromTxtRecord: false });
        const ms = performance.now() - startedAt;
        if ((answer.kind === 'serves' && answer.serial >= version) || ms > GIVE_UP_AFTER_MS)
          return void this.done.push({ kind, what, ms });
        await sleep(POLL_EVERY_MS);
      }
    })().finally(() => this.pending.delete(following));
    this.pending.add(following);
  }

  private async settled(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  private async collect(): Promise<readonly Change[]> {
    await this.settled();
    const { done } = this;
    this.done = [];
    return done;
  }

  private async call(
    { url }: Replica,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly headers: Headers; readonly body: Record<string, unknown> }> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return { headers: response.headers, body: (await response.json()) as Record<string, unknown> };
  }
}

async function run(kills: number, seed: number): Promise<CampaignResult> {
  const missing = PRIVATE_MYSQL_MISSING ?? KNOT_MISSING;
  if (missing !== undefined) throw new Error(missing);
  build();
  const mysql = await startPrivateMysql();
  const stops: (() => unknown)[] = [() => mysql.stop()];
  try {
    const shared = {
      DATABASE_URL: await mysql.createDatabase(),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      OPERATION_LEASE_MS: '2000',
    };
    const listens = await Promise.all(ADDRESSES.map(async (address) => `${address}:${await freePort()}`));
    const start = async (index: 0 | 1): Promise<Replica> => {
      const settings = { ...shared, DNS_LISTEN: listens[index] ?? '' };
      const process = startProcess(settings);
      const replica = { settings, process, url: await addressOf(process) };
      stops.push(() => replica.process.signal('SIGKILL'));
      return replica;
    };
    const one = await start(0);
    const key = await firstKeyOf(one.process);
    const other = await start(1);
    const knot = await startKnot(createCliAdmin(one.settings), 'knot', { primaries: listens });
    stops.push(() => knot.stop());
    const replicas = new Replicas([one, other], knot, seed);
    stops.push(() => replicas.close());
    await replicas.prepare(key);
    const withBoth = await replicas.withBoth(CHANGES_WITH_BOTH);
    const withOne: Change[] = [];
    for (let kill = 0; kill < kills; kill += 1) withOne.push(...(await replicas.kill(kill % 2 === 0 ? one : other)));
    for (const { process } of [one, other]) {
      process.signal('SIGKILL');
      await process.ended;
    }
    const settings = [one.settings, other.settings] as const;
    const wrong = await hourWithoutSecondary({ settings, key, primaries: listens, knot, zones: replicas.allZones });
    const records = withBoth.filter(({ kind }) => kind === 'record');
    const newDomains = withBoth.filter(({ kind }) => kind === 'new domain');
    return {
      summary: `${kills} kills; with both live: records ${figures(records)}; new domains ${figures(newDomains)}; while either one was killed and started again: ${figures(withOne)}`,
      failures: [
        ...tooLate([...withBoth, ...withOne], GIVE_UP_AFTER_MS, 'or never'),
        ...wrong.map((each) => `in an hour without a secondary: ${each}`),
      ],
      missed: [
        ...moreThan(LATE_SHARE * withBoth.length, tooLate(withBoth, AIM_WITH_BOTH_MS, 'with both replicas live')),
        ...tooLate(withOne, AIM_WITH_ONE_MS, 'while a replica was killed'),
      ],
    };
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

function figures(changes: readonly Change[]): string {
  const times = changes.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0);
  return `${times.length} changes, to Knot in ${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${at(1)} ms (worst)`;
}

function moreThan(allowed: number, late: readonly string[]): readonly string[] {
  return late.length > allowed ? late : [];
}

function tooLate(changes: readonly Change[], aimMs: number, when: string): readonly string[] {
  return changes
    .filter(({ ms }) => ms > aimMs)
    .map(
      ({ kind, what, ms }) =>
        `${kind} ${what} reached Knot after ${Math.round(ms)} ms, ${when}; the aim is ${aimMs} ms`,
    );
}
