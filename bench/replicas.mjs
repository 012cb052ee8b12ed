// Requests per second of CPU time with one, two and three replicas on one MariaDB, each under the same load: if it does not fall, throughput
// is linear in cores. Requests per second of the clock would show how many cores this machine has: replicas, database and load share them.
import { readFileSync } from 'node:fs';
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
/** Of Linux on every common architecture: /proc counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
let written = 0;

const records = (id) => `/api/domains/${id}/dns/records`;

export function run() {
  return withWorkspace(async (workspace) => {
    const [, mysql] = await databaseKinds(workspace);
    if (!mysql) return [];
    const databaseUrl = await mysql.createDatabase();
    const { key } = openAccount(databaseUrl);
    const env = { DNS_LISTEN: 'off', HEALTH_CHECKS_PER_MINUTE: '0', LOG_LEVEL: 'warn' };
    const services = [];
    for (const _ of REPLICAS) services.push(await startService(workspace, databaseUrl, env));
    const call = createCaller(services[0], key);
    const ids = [];
    for (let index = 0; index < DOMAINS; index += 1) ids.push(await registerDomain(call, `bench-replica-${index}.com`));
    await addRecords(call, ids[0], 20);
    const results = [];
    const server = await openServer(databaseUrl);
    for (const { title, requests } of casesOf(ids))
      results.push(...(await measure({ title, requests }, services, key, server)));
    await server.close();
    await Promise.all(services.map(({ stop }) => stop()));
    return results;
  });
}

function casesOf(ids) {
  return [
    { title: 'GET …/dns/records (20)', requests: [{ method: 'GET', path: records(ids[0]) }] },
    {
      title: 'POST …/dns/records',
      requests: ids.map((id) => ({
        method: 'POST',
        path: records(id),
        setupRequest: (each) => withNewRecord(each, ids),
      })),
    },
  ];
}

async function measure({ title, requests }, services, key, server) {
  for (const service of services) await load([service], key, requests, WARM_UP_SECONDS, server);
  /** @type {any} */
  const rounds = Object.fromEntries(REPLICAS.map((count) => [count, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const count of REPLICAS)
      rounds[count].push(await load(services.slice(0, count), key, requests, SECONDS, server));
  const middle = (count, field) => median(rounds[count].map((each) => each[field]));
  for (const count of REPLICAS)
    printLine(
      `${title}, ${count} replicas: ${middle(count, 'perCpuSecond').toFixed(0)} requests a second of CPU, ${middle(count, 'perSecond').toFixed(0)} a second, ${middle(count, 'residentMib').toFixed(0)} MiB each; a request: ${middle(count, 'databaseMs').toFixed(2)} ms of the database's CPU, ${middle(count, 'commits').toFixed(2)} commits, ${middle(count, 'lockWaits').toFixed(2)} waits for a row`,
    );
  return REPLICAS.slice(1).map((count) =>
    atLeast(
      `${title} per second of CPU, ${count} replicas over 1`,
      middle(count, 'perCpuSecond') / middle(1, 'perCpuSecond'),
      AIM,
    ),
  );
}

/** Loads all services at once. CPU time is that of the services, without the database server. */
async function load(services, key, requests, seconds, server) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const before = services.map(({ pid }) => cpuSeconds(pid));
  const serverBefore = await server.figures();
  const pace = RATE > 0 ? { overallRate: RATE } : {};
  const outcomes = await Promise.all(
    services.map(({ url }) =>
      autocannon({ url, connections: CONNECTIONS, duration: seconds, headers, requests, ...pace }),
    ),
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

/** User and system time of a process, all threads. */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** In a random zone: connections that took the zones in turn would all change the same one. */
function withNewRecord(request, ids) {
  const body = JSON.stringify({ type: 'A', name: `new-${(written += 1)}`, content: '192.0.2.1' });
  return { ...request, path: records(ids[Math.floor(Math.random() * ids.length)]), body };
}
