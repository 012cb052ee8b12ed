// Requests per second of CPU time with one, two and three replicas on one MariaDB, each under the same load: if it does not fall, throughput
// is linear in cores. Requests per second of the clock would show how many cores this machine has: replicas, database and load share them.
// As many installations with a database each share nothing but this machine, so they show what of a loss is the machine's.
import { readFileSync, readdirSync } from 'node:fs';
import autocannon from 'autocannon';
import { createConnection } from 'mysql2/promise';
import { databaseKinds } from './support/databases.mjs';
import { residentMib } from './support/memory.mjs';
import { median } from './support/numbers.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atLeast, printLine } from './support/results.mjs';
import { createCaller, openAccount, startService } from './support/service.mjs';
import { addRecords, registerDomain } from './support/test-data.mjs';

const REPLICAS = [1, 2, 3];
/** Of each replica. */
const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 12);
/** Requests a second for each replica: less than it can serve, or requests would queue, share more commits, and cost less. 0: as many as possible. */
const RATE = Number(process.env.BENCH_RATE ?? 40);
/** Changes of one zone by several replicas wait for each other: so many that they rarely meet. */
const DOMAINS = 400;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
/** Each replica compiles its code for itself. */
const WARM_UP_SECONDS = 4;
const AIM = 0.9;
let written = 0;

const records = (id) => `/api/domains/${id}/dns/records`;

export function run() {
  return withWorkspace(async (workspace) => {
    const [, mysql] = await databaseKinds(workspace);
    if (!mysql) return [];
    const databaseUrl = await mysql.createDatabase();
    const shared = await openInstallation(workspace, databaseUrl, REPLICAS.length);
    const separate = shared.slice(0, 1);
    while (separate.length < REPLICAS.length)
      separate.push(...(await openInstallation(workspace, await mysql.createDatabase(), 1)));
    const results = [];
    const server = await openServer(databaseUrl);
    for (const one of CASES) results.push(...(await measure(one, { shared, separate }, server)));
    await server.close();
    await Promise.all([...new Set([...shared, ...separate])].map(({ stop }) => stop()));
    return results;
  });
}

/** Starts `count` services on that database. Returns each with what requests need. */
async function openInstallation(workspace, databaseUrl, count) {
  const { key } = openAccount(databaseUrl);
  const env = { DNS_LISTEN: 'off', HEALTH_CHECKS_PER_MINUTE: '0', LOG_LEVEL: 'warn' };
  const services = [];
  while (services.length < count) services.push(await startService(workspace, databaseUrl, env));
  const call = createCaller(services[0], key);
  const ids = [];
  for (let index = 0; index < DOMAINS; index += 1) ids.push(await registerDomain(call, `bench-replica-${index}.com`));
  await addRecords(call, ids[0], 20);
  return services.map((service) => ({ ...service, key, ids }));
}

const CASES = [
  { title: 'GET …/dns/records (20)', requestsOf: (ids) => [{ method: 'GET', path: records(ids[0]) }] },
  {
    title: 'POST …/dns/records',
    requestsOf: (ids) =>
      ids.map((id) => ({ method: 'POST', path: records(id), setupRequest: (each) => withNewRecord(each, ids) })),
  },
];

async function measure({ title, requestsOf }, { shared, separate }, server) {
  for (const service of new Set([...shared, ...separate])) await load([service], requestsOf, WARM_UP_SECONDS, server);
  const kinds = { replicas: shared, 'installations with a database each': separate };
  const figures = [];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const count of REPLICAS)
      for (const [kind, services] of Object.entries(kinds))
        if (count > 1 || services === shared)
          figures.push({ kind, count, ...(await load(services.slice(0, count), requestsOf, SECONDS, server)) });
  const middle = (kind, count, field) =>
    median(figures.filter((each) => each.kind === kind && each.count === count).map((each) => each[field]));
  for (const kind of Object.keys(kinds))
    for (const count of REPLICAS.filter((each) =>
      figures.some((figure) => figure.kind === kind && figure.count === each),
    ))
      printLine(
        `${title}, ${count} ${kind}: ${middle(kind, count, 'perCpuSecond').toFixed(0)} requests a second of CPU, ${middle(kind, count, 'perSecond').toFixed(0)} a second, ${middle(kind, count, 'residentMib').toFixed(0)} MiB each; a request: ${middle(kind, count, 'databaseMs').toFixed(2)} ms of the database's CPU, ${middle(kind, count, 'commits').toFixed(2)} commits, ${middle(kind, count, 'lockWaits').toFixed(2)} waits for a row`,
      );
  const [replicas, installations] = Object.keys(kinds);
  const ratio = (count, kind, base) => middle(replicas, count, 'perCpuSecond') / middle(kind, base, 'perCpuSecond');
  return REPLICAS.slice(1).flatMap((count) => [
    atLeast(`${title} per second of CPU, ${count} replicas over 1`, ratio(count, replicas, 1), AIM),
    atLeast(
      `${title} per second of CPU, ${count} replicas over ${count} ${installations}`,
      ratio(count, installations, count),
      AIM,
    ),
  ]);
}

/** Loads all services at once. CPU time is that of the services, without the database server. */
async function load(services, requestsOf, seconds, server) {
  const before = services.map(({ pid }) => cpuSeconds(pid));
  const serverBefore = await server.figures();
  const pace = RATE > 0 ? { overallRate: RATE } : {};
  const outcomes = await Promise.all(
    services.map(({ url, key, ids }) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return autocannon({
        url,
        connections: CONNECTIONS,
        duration: seconds,
        headers,
        requests: requestsOf(ids),
        ...pace,
      });
    }),
  );
  const cpu = services.reduce((sum, { pid }, index) => sum + cpuSeconds(pid) - before[index], 0);
  const serverAfter = await server.figures();
  const failed = outcomes.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0);
  if (failed > 0) throw new Error(`${failed} requests failed`);
  const count = outcomes.reduce((sum, outcome) => sum + outcome['2xx'], 0);
  return {
    perCpuSecond: count / cpu,
    perSecond: count / seconds,
    residentMib: services.reduce((sum, { pid }) => sum + residentMib(pid), 0) / services.length,
    databaseMs: ((serverAfter.cpu - serverBefore.cpu) * 1_000) / count,
    commits: (serverAfter.commits - serverBefore.commits) / count,
    lockWaits: (serverAfter.lockWaits - serverBefore.lockWaits) / count,
  };
}

/** Totals of the database server, which must run on this machine. */
async function openServer(url) {
  const connection = await createConnection(url);
  const rows = async (sql) => /** @type {any[]} */ ((await connection.query(sql))[0]);
  const [{ file }] = await rows('SELECT @@pid_file AS file');
  const pid = Number(readFileSync(file, 'utf8'));
  const status = async (name) => Number((await rows(`SHOW GLOBAL STATUS LIKE '${name}'`))[0].Value);
  return {
    figures: async () => ({
      cpu: cpuSeconds(pid),
      commits: await status('Com_commit'),
      lockWaits: await status('Innodb_row_lock_waits'),
    }),
    close: () => connection.end(),
  };
}

/** Of all threads of a process, in nanoseconds from the scheduler: /proc/PID/stat counts hundredths of a second, too coarse for a few. */
function cpuSeconds(pid) {
  const seconds = readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadSeconds(pid, thread), 0);
  if (seconds === 0) throw new Error('This kernel has no /proc/PID/schedstat');
  return seconds;
}

/** Those of a thread that has ended are lost. */
function threadSeconds(pid, thread) {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return 0;
  }
}

/** In a random zone: connections that took the zones in turn would all change the same one. */
function withNewRecord(request, ids) {
  const body = JSON.stringify({ type: 'A', name: `new-${(written += 1)}`, content: '192.0.2.1' });
  return { ...request, path: records(ids[Math.floor(Math.random() * ids.length)]), body };
}
