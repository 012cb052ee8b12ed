// Requests per second and latency of three operations, against a floor that does the same SQL on the same schema for the
// same answer with bare Express and the raw driver, on each database.
import { databaseKinds } from './support/databases.mjs';
import { addRecords, registerDomain } from './support/filling.mjs';
import { alternately, inWords, ratioOf } from './support/load.mjs';
import { inWorkshop } from './support/processes.mjs';
import { atLeast, printLine } from './support/results.mjs';
import { caller, openAccount, startServer, startService } from './support/service.mjs';

const RECORDS = 20;
const CASES = [
  {
    title: 'GET /api/domains/{id}',
    aim: 0.7,
    requests: ({ full }) => [{ method: 'GET', path: `/api/domains/${full}` }],
  },
  {
    title: `GET …/dns/records (${RECORDS})`,
    aim: 0.7,
    requests: ({ full }) => [{ method: 'GET', path: `/api/domains/${full}/dns/records` }],
  },
  {
    title: 'POST …/dns/records',
    aim: 0.6,
    requests: ({ empty }) => [
      { method: 'POST', path: `/api/domains/${empty}/dns/records`, setupRequest: withNewRecord },
    ],
  },
];
let written = 0;

export function run() {
  return inWorkshop(async (workshop) => {
    const results = [];
    for (const kind of await databaseKinds(workshop)) results.push(...(await measure(workshop, kind)));
    return results;
  });
}

async function measure(workshop, { title: database, createDatabase }) {
  const service = await filledService(workshop, await createDatabase());
  const model = await filledService(workshop, await createDatabase());
  await model.stop();
  const floor = {
    ...model,
    ...(await startServer(
      workshop,
      ['bench/support/floor.mjs'],
      { NODE_ENV: 'production', DATABASE_URL: model.databaseUrl },
      '/readyz',
    )),
  };
  const results = [];
  for (const { title, aim, requests } of CASES) {
    await assertSameAnswer({ ...service, requests: requests(service) }, { ...floor, requests: requests(floor) });
    const rounds = await alternately(
      { ...service, requests: requests(service) },
      { ...floor, requests: requests(floor) },
    );
    const { ratio, spread } = ratioOf(rounds, 'perSecond');
    printLine(
      `${title} on ${database}: service ${inWords(rounds.map(({ first }) => first))} | floor ${inWords(rounds.map(({ second }) => second))} | ratio ${ratio.toFixed(2)} (${spread})`,
    );
    results.push(atLeast(`${title} on ${database}, of the floor`, ratio, aim));
  }
  await Promise.all([service.stop(), floor.stop()]);
  return results;
}

/** The floor must answer what the service answers: the same fields with values of the same types. */
async function assertSameAnswer(...servers) {
  const [answered, expected] = await Promise.all(servers.map(shapeOfAnswer));
  if (answered !== expected) throw new Error(`the floor answers ${expected} where the service answers ${answered}`);
}

async function shapeOfAnswer({ url, key, requests: [{ setupRequest = (request) => request, ...request }] }) {
  const { method, path, body } = setupRequest(request);
  const answer = await fetch(url + path, {
    method,
    body,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  return JSON.stringify(await answer.json(), (_field, value) => (typeof value === 'object' ? value : typeof value));
}

/** A service whose account has a domain with records and one without. */
async function filledService(workshop, databaseUrl) {
  const { key } = openAccount(databaseUrl);
  const service = await startService(workshop, databaseUrl);
  const call = caller(service, key);
  const full = await registerDomain(call, 'bench-read.com');
  const empty = await registerDomain(call, 'bench-write.com');
  await addRecords(call, full, RECORDS);
  return { ...service, databaseUrl, key, full, empty };
}

function withNewRecord(request) {
  return { ...request, body: JSON.stringify({ type: 'A', name: `h${(written += 1)}`, content: '192.0.2.1' }) };
}
