import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../src/config';
import { Database } from '../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../src/infrastructure/persistence/service-content';
import { Client, type SentRequest, type Traffic } from '../crash/client';
import { SeededRandom } from '../crash/random';
import { checkConsistency, openAccount, waitForOperations } from '../crash/run-crash-campaign';
import { GALERA_MISSING, startGalera, type GaleraCluster } from '../support/databases/galera';
import { freePort } from '../support/free-port';
import { KNOT_MISSING, startKnot } from '../support/nameservers/knot';
import type { Nameserver } from '../support/nameservers/nameserver';
import { createCliAdmin } from '../support/nameservers/primary';
import { addressOf, build, startProcess, type ServiceProcess } from '../support/service/service-process';
import type { Campaign, CampaignResult } from './campaign';
import { HAPROXY_MISSING, startHaproxy } from './haproxy';

/**
 * Kills and suspends, one after another, the parts of an installation under load: three replicas behind HAProxy, each on its own
 * node of a Galera cluster, and two Knots. No acknowledged write may be lost, nothing may be bought twice, writes must go on while a
 * majority of the nodes lives, and both Knots must have the zones in the end.
 */
export const faultsCampaign: Campaign = { name: 'faults', unit: 'faults', ciSize: 20, fullSize: 140, run };

const CLIENTS = 4;
const TRAFFIC = { registrations: 0.15, renewals: 0.15, records: 0.15, hasAuthCodes: true };
/** They show whether writes go on: other changes wait for outcomes at the registry, as long as a killed process holds the operation. */
const RECORD_CLIENTS = 2;
const RECORDS_ONLY = { registrations: 0, renewals: 0, records: 1, hasAuthCodes: true };
const ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
/** Between faults, so that what was cut off has joined again and a majority always lives. */
const RECOVERY_MS = 3_000;
const DOWN_MS = 1_000;
/** RestartSec in ops/systemd. */
const RESTART_AFTER_MS = 2_000;
const MOST_STARTS = 5;
/** Longer than the cluster takes to exclude a node, and than the lease of an operation. */
const CUT_OFF_MS = 6_000;
const PAUSE_AFTER_KILL_MS = 5_000;
const PAUSE_AFTER_CUT_MS = 10_000;
const KNOT_WITHIN_MS = 60_000;

interface Replica {
  readonly settings: Record<string, string>;
  process: ServiceProcess;
}

interface Fault {
  readonly title: string;
  readonly longestPauseMs: number;
  readonly cause: () => Promise<void>;
}

interface Caused {
  readonly title: string;
  readonly longestPauseMs: number;
  readonly from: number;
  readonly until: number;
}

async function run(count: number, seed: number): Promise<CampaignResult> {
  const missing = GALERA_MISSING ?? KNOT_MISSING ?? HAPROXY_MISSING;
  if (missing !== undefined) throw new Error(missing);
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-faults-'));
  const stops: (() => unknown)[] = [];
  try {
    const cluster = await startGalera();
    stops.push(() => cluster.stop());
    const database = await cluster.createDatabase();
    const listens = await Promise.all(ADDRESSES.map(async (address) => `${address}:${await freePort()}`));
    const plans = await Promise.all(
      cluster.nodes.map(async (node, index) => settingsFor(node.url(database), listens[index] ?? '', await freePort())),
    );
    const [settings = {}] = plans;
    const apiKey = await openAccount(settings);
    const replicas: Replica[] = [];
    for (const plan of plans) {
      const replica = { settings: plan, process: startProcess(plan) };
      stops.push(() => replica.process.signal('SIGKILL'));
      await addressOf(replica.process);
      replicas.push(replica);
    }
    const knots: Nameserver[] = [];
    for (const name of ['knot-a', 'knot-b']) {
      const knot = await startKnot(createCliAdmin(settings), name, { primaries: listens });
      stops.push(() => knot.stop());
      knots.push(knot);
    }
    const front = await freePort();
    const proxy = await startHaproxy(
      folder,
      front,
      plans.map(({ PORT }) => Number(PORT)),
    );
    stops.push(() => proxy.kill('SIGKILL'));

    const random = new SeededRandom(seed);
    const clientsOf = (amount: number, label: string, traffic: Traffic) =>
      Array.from(
        { length: amount },
        (_each, index) => new Client(`${label}${index}`, [`http://127.0.0.1:${front}`], apiKey, random, traffic),
      );
    const clients = [...clientsOf(CLIENTS, 'f', TRAFFIC), ...clientsOf(RECORD_CLIENTS, 'r', RECORDS_ONLY)];
    let isRunning = true;
    const load = Promise.all(clients.map((client) => client.run(() => isRunning)));
    const caused = await causeAll(faultsOf(replicas, cluster, knots), count, random);
    isRunning = false;
    await load;
    await waitForOperations({ databaseUrl: settings['DATABASE_URL'] ?? '' });
    const requests = clients.flatMap((client) => client.requests);
    const behind = await differencesAtKnots(knots, requests, settings);
    for (const { process } of replicas) process.signal('SIGKILL');
    const report = await checkConsistency(settings, { databaseUrl: settings['DATABASE_URL'] ?? '' }, clients);
    const pauses = pausesIn(
      requests.flatMap(({ respondedAt, status = 0 }) => (respondedAt && status < 300 ? [respondedAt] : [])),
      caused,
    );
    const failures = [
      ...report.lost.map((each) => `LOST: ${each}`),
      ...report.double.map((each) => `DOUBLE: ${each}`),
      ...report.left.map((each) => `LEFT BEHIND: ${each}`),
      ...behind,
    ];
    if (failures.length > 0)
      for (const [index, { process }] of replicas.entries())
        writeFileSync(join(tmpdir(), `namewright-faults-${seed}-${index}.log`), process.stdout());
    return {
      summary: `${count} faults (${pauses.map(({ title, times, worstMs }) => `${times} × ${title}: longest pause ${(worstMs / 1_000).toFixed(1)} s`).join('; ')}); ${requests.length} requests, ${report.registrations} registrations, ${report.renewals} renewals: ${report.lost.length} lost, ${report.double.length} double, ${report.left.length} left behind, ${behind.length} differences at the Knots`,
      failures,
      missed: pauses
        .filter(({ worstMs, longestPauseMs }) => worstMs > longestPauseMs)
        .map(
          ({ title, worstMs, longestPauseMs }) =>
            `${title}: no successful write for ${worstMs} ms, more than ${longestPauseMs} ms`,
        ),
    };
  } finally {
    for (const stop of stops.toReversed()) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As systemd does: a service whose node has just come back ends at once, and is started again. */
async function startUnderSupervisor(replica: Replica): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    replica.process = startProcess(replica.settings);
    try {
      await addressOf(replica.process);
      return;
    } catch (error) {
      if (attempt === MOST_STARTS || !String(error).includes('WSREP has not yet prepared node')) throw error;
      await sleep(RESTART_AFTER_MS);
    }
  }
}

function settingsFor(databaseUrl: string, listen: string, port: number): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    NODE_ENV: 'test',
    PORT: String(port),
    DNS_LISTEN: listen,
    RATE_LIMIT_PER_MINUTE: '0',
    FAILED_AUTH_PER_MINUTE: '0',
    OPERATION_LEASE_MS: '1000',
  };
}

function faultsOf(
  replicas: readonly Replica[],
  { nodes }: GaleraCluster,
  knots: readonly Nameserver[],
): readonly Fault[] {
  let turn = 0;
  const next = <T>(all: readonly T[]): T => all[(turn += 1) % all.length] as T;
  return [
    {
      title: 'replica killed',
      longestPauseMs: PAUSE_AFTER_KILL_MS,
      cause: async () => {
        const replica = next(replicas);
        replica.process.signal('SIGKILL');
        await replica.process.ended;
        await sleep(DOWN_MS);
        await startUnderSupervisor(replica);
      },
    },
    {
      title: 'node killed',
      longestPauseMs: PAUSE_AFTER_KILL_MS,
      cause: async () => {
        const node = next(nodes);
        await node.kill();
        await sleep(DOWN_MS);
        await node.restart();
      },
    },
    {
      title: 'replica suspended',
      longestPauseMs: PAUSE_AFTER_CUT_MS,
      cause: async () => {
        const { process } = next(replicas);
        process.signal('SIGSTOP');
        await sleep(CUT_OFF_MS);
        process.signal('SIGCONT');
      },
    },
    {
      title: 'node suspended',
      longestPauseMs: PAUSE_AFTER_CUT_MS,
      cause: async () => {
        const node = next(nodes);
        node.freeze();
        await sleep(CUT_OFF_MS);
        node.thaw();
      },
    },
    {
      title: 'Knot killed',
      longestPauseMs: PAUSE_AFTER_KILL_MS,
      cause: async () => {
        const knot = next(knots);
        await knot.kill();
        await sleep(DOWN_MS);
        await knot.start();
      },
    },
  ];
}

/** Each kind as often as the others, in random order. */
async function causeAll(faults: readonly Fault[], count: number, random: SeededRandom): Promise<readonly Caused[]> {
  const caused: Caused[] = [];
  let round: Fault[] = [];
  for (let index = 0; index < count; index += 1) {
    if (round.length === 0) round = [...faults];
    const [{ title, longestPauseMs, cause }] = round.splice(random.between(0, round.length - 1), 1) as [Fault];
    const from = performance.now();
    await cause();
    await sleep(RECOVERY_MS);
    caused.push({ title, longestPauseMs, from, until: performance.now() });
  }
  return caused;
}

/** For each kind of fault, the longest time without a successful response that began or ended during one. */
function pausesIn(respondedAt: readonly number[], caused: readonly Caused[]) {
  const times = respondedAt.toSorted((left, right) => left - right);
  const kinds = new Map<string, { title: string; longestPauseMs: number; times: number; worstMs: number }>();
  for (const { title, longestPauseMs, from, until } of caused) {
    const during = [from, ...times.filter((time) => time > from && time < until), until];
    const worst = Math.max(...during.slice(1).map((time, index) => time - (during[index] ?? time)));
    const before = kinds.get(title);
    kinds.set(title, {
      title,
      longestPauseMs,
      times: (before?.times ?? 0) + 1,
      worstMs: Math.round(Math.max(before?.worstMs ?? 0, worst)),
    });
  }
  return [...kinds.values()];
}

/**
 * Compares the TXT records that clients have ever asked for, at both Knots, with those in the database, until they are equal or the
 * time is over.
 */
async function differencesAtKnots(
  knots: readonly Nameserver[],
  requests: readonly SentRequest[],
  settings: Record<string, string>,
): Promise<readonly string[]> {
  const asked = requests.flatMap(({ kind, name, body }) =>
    kind === 'record' ? [`${(body as { name: string }).name}.${name}`] : [],
  );
  const stored = await recordNames(settings);
  const questions = asked.map((name) => ({ name, type: 'TXT' }));
  for (const giveUpAt = Date.now() + KNOT_WITHIN_MS; ; await sleep(500)) {
    const differences: string[] = [];
    for (const knot of knots) {
      const served = await knot.queryRrsets(questions);
      for (const name of asked)
        if (served.has(`${name} TXT`) !== stored.has(name))
          differences.push(`${knot.plan.name}: ${name} is ${stored.has(name) ? 'missing' : 'served, but removed'}`);
    }
    if (differences.length === 0 || Date.now() > giveUpAt) return differences;
  }
}

/** The full names of all TXT records. */
async function recordNames(settings: Record<string, string>): Promise<ReadonlySet<string>> {
  const database = new Database(loadConfig(settings).database, SERVICE_CONTENT);
  await database.open();
  try {
    const rows = await database.query<{ zone: string; name: string }>(
      `SELECT domains.name AS zone, dns_records.name AS name FROM domains
       JOIN dns_records ON dns_records.domain_id = domains.id WHERE dns_records.type = 'TXT'`,
      [],
    );
    return new Set(rows.map(({ zone, name }) => `${name}.${zone}`));
  } finally {
    await database.close();
  }
}
