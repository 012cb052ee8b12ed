import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../../src/config';
import { groupedBy } from '../../../src/domain/shared/grouped-by';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { Client, type SentRequest, type Traffic } from '../../crash/client';
import { SeededRandom } from '../../crash/random';
import { checkConsistency, openAccount, waitForOperations } from '../../crash/run-crash-campaign';
import { GALERA_MISSING, startGalera } from '../../support/databases/galera';
import { createNodeNetworks, nodeNetworksMissing } from '../../support/databases/node-networks';
import { freePort } from '../../support/free-port';
import { KNOT_MISSING, startKnot } from '../../support/nameservers/knot';
import type { Nameserver } from '../../support/nameservers/nameserver';
import { createCliAdmin } from '../../support/nameservers/primary';
import { addressOf, build, startProcess } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';
import { HAPROXY_MISSING, startHaproxy } from './haproxy';
import { causeAll, faultsOf, pausesIn, type Replica } from './injected-faults';

/**
 * Kills, suspends and, if network namespaces can be created, cuts off, one after another, the parts of an installation under load: three replicas behind HAProxy, each on its own
 * node of a Galera cluster, and two Knots. No acknowledged write may be lost, nothing may be bought twice, writes must go on while a
 * majority of the nodes lives, and both Knots must have the zones in the end.
 * CI causes each kind of fault once.
 */
export const faultsCampaign: Campaign = { name: 'faults', unit: 'faults', ciSize: 6, fullSize: 140, run };

const CLIENTS = 4;
const TRAFFIC = { registrations: 0.15, renewals: 0.15, records: 0.15, hasAuthCodes: true };
/** They show whether writes go on: other changes wait for outcomes at the registry, as long as a killed process holds the operation. */
const RECORD_CLIENTS = 2;
const RECORDS_ONLY = { registrations: 0, renewals: 0, records: 1, hasAuthCodes: true };
const ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
const KNOT_WITHIN_MS = 180_000;

async function run(count: number, seed: number): Promise<CampaignResult> {
  const missing = GALERA_MISSING ?? KNOT_MISSING ?? HAPROXY_MISSING;
  if (missing !== undefined) throw new Error(missing);
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-faults-'));
  const stops: (() => unknown)[] = [];
  try {
    const partitionsMissing = nodeNetworksMissing();
    if (partitionsMissing !== undefined) process.stdout.write(`faults: no node is cut off: ${partitionsMissing}\n`);
    const cluster = await startGalera(3, partitionsMissing === undefined ? createNodeNetworks(3) : undefined);
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
    const proxyPort = await freePort();
    const proxy = await startHaproxy(
      folder,
      proxyPort,
      plans.map(({ PORT }) => Number(PORT)),
    );
    stops.push(() => proxy.kill('SIGKILL'));

    const random = new SeededRandom(seed);
    const clientsOf = (amount: number, label: string, traffic: Traffic) =>
      Array.from(
        { length: amount },
        (_each, index) => new Client(`${label}${index}`, [`http://127.0.0.1:${proxyPort}`], apiKey, random, traffic),
      );
    const clients = [...clientsOf(CLIENTS, 'f', TRAFFIC), ...clientsOf(RECORD_CLIENTS, 'r', RECORDS_ONLY)];
    let isRunning = true;
    const load = Promise.all(clients.map((client) => client.run(() => isRunning)));
    const caused = await causeAll(faultsOf(replicas, cluster, knots), cluster, count, random);
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
      ...(report.registrations > 0 ? [] : ['no domain was registered']),
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

/**
 * Compares names and contents of the TXT records that clients have ever asked for, at both Knots, with those in the database, until they are equal or the
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
  for (const giveUpAt = Date.now() + KNOT_WITHIN_MS; ; await sleep(500)) {
    const differences = await differencesNow(knots, asked, settings).catch((error: unknown) => [String(error)]);
    if (differences.length === 0 || Date.now() > giveUpAt) return differences;
  }
}

async function differencesNow(
  knots: readonly Nameserver[],
  asked: readonly string[],
  settings: Record<string, string>,
): Promise<readonly string[]> {
  const stored = await storedTexts(settings);
  const questions = asked.map((name) => ({ name, type: 'TXT' }));
  const differences: string[] = [];
  for (const knot of knots) {
    const served = await knot.queryRrsets(questions);
    for (const name of asked) {
      const [theirs, ours] = [served.get(`${name} TXT`), stored.get(name)].map((set) => set?.join(' '));
      if (theirs !== ours)
        differences.push(`${knot.plan.name}: ${name} is ${theirs ?? 'missing'}, stored: ${ours ?? 'nothing'}`);
    }
  }
  return differences;
}

/** The contents of all TXT records by full name, sorted and as kdig prints them. */
async function storedTexts(settings: Record<string, string>): Promise<ReadonlyMap<string, readonly string[]>> {
  const database = new Database(loadConfig(settings).database, SERVICE_CONTENT);
  await database.open();
  try {
    const rows = await database.query<{ zone: string; name: string; content: string }>(
      `SELECT domains.name AS zone, dns_records.name AS name, dns_records.content AS content FROM domains
       JOIN dns_records ON dns_records.domain_id = domains.id WHERE dns_records.type = 'TXT'`,
      [],
    );
    const sets = groupedBy(rows, ({ zone, name }) => `${name}.${zone}`);
    return new Map([...sets].map(([name, set]) => [name, set.map(({ content }) => `"${content}"`).toSorted()]));
  } finally {
    await database.close();
  }
}
