// Health of 1,000 domains at the default rate: how long it takes, and what it costs the API. The API of a service that checks is
// compared with that of one that does not. Needs port 53 of a loopback address.
import { Worker } from 'node:worker_threads';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseKinds } from './support/databases.mjs';
import { describeRuns, loadAlternately, medianRatio } from './support/load.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atLeast, atMost, printLine } from './support/results.mjs';
import { createCaller, openAccount, startService } from './support/service.mjs';
import { DELEGATION, insertDomains, insertedDomainId, insertZones } from './support/test-data.mjs';

const DOMAINS = Number(process.env.BENCH_DOMAINS ?? 1_000);
const SECONDS_AIM = 120;
const RATIO_AIM = 0.95;
const POLL_MS = 250;
const ADDRESS = '127.77.0.1';

export async function run() {
  const dns = new Worker(join(import.meta.dirname, 'support', 'any-dns.mjs'), {
    workerData: { address: ADDRESS, nameservers: DELEGATION },
  });
  const started = await new Promise((resolve) => dns.once('message', resolve));
  if (started !== 'listening') throw new Error(`${ADDRESS}:53: ${started}`);
  try {
    return await withWorkspace(async (workspace) => {
      const results = [];
      for (const kind of await databaseKinds(workspace)) results.push(...(await measure(workspace, kind)));
      return results;
    });
  } finally {
    await dns.terminate();
  }
}

async function measure(workspace, kind) {
  const [checking, idle] = await Promise.all([
    prepare(workspace, kind, {}),
    prepare(workspace, kind, { HEALTH_CHECKS_PER_MINUTE: '0' }),
  ]);
  const checked = async (index) => (await checking.call('GET', `/domains/${insertedDomainId(index)}/health`)).state;
  const until = async (index) => {
    while ((await checked(index)) === null) await sleep(POLL_MS);
    return performance.now();
  };
  const first = await until(0);
  const rounds = await loadAlternately(checking, idle);
  const isStillChecking = (await checked(DOMAINS - 1)) === null;
  const seconds = ((await until(DOMAINS - 1)) - first) / 1_000;
  await Promise.all([checking.stop(), idle.stop()]);
  if (!isStillChecking)
    throw new Error('the checks ended before the measurement: raise BENCH_DOMAINS or lower BENCH_ROUNDS');
  const { ratio, spread } = medianRatio(rounds, 'perSecond');
  printLine(`reads on ${kind.title}, while checking: ${describeRuns(rounds.map((round) => round.first))}`);
  printLine(`reads on ${kind.title}, otherwise: ${describeRuns(rounds.map((round) => round.second))}`);
  printLine(`ratio on ${kind.title}: ${ratio.toFixed(3)} (${spread}); ${DOMAINS} domains in ${seconds.toFixed(0)} s`);
  return [
    atMost(`health of ${DOMAINS} domains on ${kind.title}`, seconds, SECONDS_AIM, ' s'),
    atLeast(`API reads while checking on ${kind.title}, of otherwise`, ratio, RATIO_AIM),
  ];
}

async function prepare(workspace, kind, settings) {
  const databaseUrl = await kind.createDatabase();
  const { accountId, key } = openAccount(databaseUrl);
  await insertDomains(databaseUrl, accountId, DOMAINS);
  await insertZones(databaseUrl);
  const env = {
    HEALTH_RESOLVER: ADDRESS,
    HEALTH_NETWORKS: '127.0.0.0/8',
    ...settings,
  };
  const service = await startService(workspace, databaseUrl, env);
  const requests = [{ method: 'GET', path: `/api/domains/${insertedDomainId(7)}` }];
  return { ...service, key, requests, call: createCaller(service, key) };
}
