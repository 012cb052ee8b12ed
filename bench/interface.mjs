// Requests per second and latency of three operations on each database, compared with a baseline (support/baseline.mjs).
import { databaseKinds } from './support/databases.mjs';
import { addRecords, registerDomain } from './support/test-data.mjs';
import { loadAlternately, describeRuns, medianRatio } from './support/load.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atLeast, printLine } from './support/results.mjs';
import { createCaller, openAccount, startServer, startService } from './support/service.mjs';

const RECORDS = 20;
/** Reads below these have lost the allocation rules of docs/decisions/0011. */
const READ_AIMS = { SQLite: 1, MySQL: 0.9 };
const CASES = [
  {
    title: 'GET /api/domains/{id}',
    aims: READ_AIMS,
    requests: ({ full }) => [{ method: 'GET', path: `/api/domains/${full}` }],
  },
  {
    title: `GET …/dns/records (${RECORDS})`,
    aims: READ_AIMS,
    requests: ({ full }) => [{ method: 'GET', path: `/api/domains/${full}/dns/records` }],
  },
  {
    title: 'POST …/dns/records',
    aims: { SQLite: 0.6, MySQL: 0.6 },
    requests: ({ empty }) => [
      { method: 'POST', path: `/api/domains/${empty}/dns/records`, setupRequest: withNewRecord },
    ],
  },
];
let written = 0;

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(...(await measure(workspace, kind)));
    return results;
  });
}

async function measure(workspace, { title: database, createDatabase }) {
  const service = await filledService(workspace, await createDatabase());
  const model = await filledService(workspace, await createDatabase());
  await model.stop();
  const baseline = {
    ...model,
    ...(await startServer(
      workspace,
      ['bench/support/baseline.mjs'],
      { NODE_ENV: 'production', DATABASE_URL: model.databaseUrl },
      '/readyz',
    )),
  };
  const results = [];
  for (const { title, aims, requests } of CASES) {
    const aim = aims[database];
    await assertSameResponse(
      { ...service, requests: requests(service) },
      { ...baseline, requests: requests(baseline) },
    );
    const rounds = await loadAlternately(
      { ...service, requests: requests(service) },
      { ...baseline, requests: requests(baseline) },
    );
    const { ratio, spread } = medianRatio(rounds, 'perSecond');
    printLine(
      `${title} on ${database}: service ${describeRuns(rounds.map(({ first }) => first))} | baseline ${describeRuns(rounds.map(({ second }) => second))} | ratio ${ratio.toFixed(2)} (${spread})`,
    );
    results.push(atLeast(`${title} on ${database}, ratio to the baseline`, ratio, aim));
  }
  await Promise.all([service.stop(), baseline.stop()]);
  return results;
}

/** Checks that the baseline sends the same fields with values of the same types. */
async function assertSameResponse(...servers) {
  const [answered, expected] = await Promise.all(servers.map(readResponseShape));
  if (answered !== expected)
    throw new Error(`the responses differ: the baseline sends ${expected}, the service sends ${answered}`);
}

async function readResponseShape({ url, key, requests: [{ setupRequest = (request) => request, ...request }] }) {
  const { method, path, body } = setupRequest(request);
  const response = await fetch(url + path, {
    method,
    body,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  return JSON.stringify(await response.json(), (_field, value) => (typeof value === 'object' ? value : typeof value));
}

/** Starts a service with one domain with records and one without. */
async function filledService(workspace, databaseUrl) {
  const { key } = openAccount(databaseUrl);
  const service = await startService(workspace, databaseUrl);
  const call = createCaller(service, key);
  const full = await registerDomain(call, 'bench-read.com');
  const empty = await registerDomain(call, 'bench-write.com');
  await addRecords(call, full, RECORDS);
  return { ...service, databaseUrl, key, full, empty };
}

function withNewRecord(request) {
  return { ...request, body: JSON.stringify({ type: 'A', name: `h${(written += 1)}`, content: '192.0.2.1' }) };
}
