// What a page of GET /api/zones costs, compared with one of GET /api/domains of the same million names, on the same service in turn:
// the processor time of the service, to which the database belongs on SQLite only.
import { databaseKinds } from './support/databases.mjs';
import { median } from './support/numbers.mjs';
import { withWorkspace } from './support/processes.mjs';
import { costOfCreation } from './support/processor-time.mjs';
import { atMost, printLine } from './support/results.mjs';
import { openAccount, startService } from './support/service.mjs';
import { insertDomains, insertSearchTerms, insertZones } from './support/test-data.mjs';

const AIM = 1.2;
const NAMES = Number(process.env.BENCH_NAMES ?? 1_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECOND = 1_000;
/** Domains are in the order of creation unless asked otherwise. */
const IN_ZONE_ORDER = '&sort=name';
const LISTS = {
  'no filter': { filter: '' },
  'a status': { filter: '&status=active' },
  'a part of the name': { filter: '&name=bench', order: IN_ZONE_ORDER },
  'a tag': { filter: '&tag=bench', order: IN_ZONE_ORDER },
};

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(...(await measure(workspace, kind)));
    return results;
  });
}

async function measure(workspace, { title: database, createDatabase }) {
  const databaseUrl = await createDatabase();
  const { accountId, key } = openAccount(databaseUrl);
  await insertDomains(databaseUrl, accountId, NAMES);
  await insertZones(databaseUrl);
  await insertSearchTerms(databaseUrl);
  const service = await startService(workspace, databaseUrl);
  const results = [];
  for (const [title, { filter, order = '' }] of Object.entries(LISTS)) {
    const read = (query) => reader(service, key, `/api/${query}`);
    const readers = {
      zones: read(`zones?limit=100${filter}`),
      domains: read(`domains?limit=100${filter}${order}`),
    };
    const costs = { zones: [], domains: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      // Code that both run is compiled in the turn of the first one.
      const turns = Object.entries(readers);
      for (const [list, next] of round % 2 === 0 ? turns : turns.toReversed()) {
        const cost = await costOfCreation(service.pid, 1, next, SECOND);
        if (round > 0) costs[list].push(cost);
      }
    }
    const ratio = median(costs.zones.map((cost, round) => cost / costs.domains[round]));
    printLine(
      `${NAMES} names on ${database}, ${title}: a page of zones ${median(costs.zones).toFixed(2)} ms | of domains ${median(costs.domains).toFixed(2)} ms of the processor`,
    );
    results.push(
      atMost(`processor time of a page of zones on ${database}, ${title}, ratio to one of domains`, ratio, AIM),
    );
  }
  await service.stop();
  return results;
}

/** Reads the next page with each call, and begins again after the last one. */
function reader({ url }, key, first) {
  let path = first;
  return async () => {
    const response = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${key}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.text();
    path = /<([^>]+)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? first;
  };
}
