// What a page of 100 events from the middle of a feed takes of the processor, with a million events and with ten thousand, in turns: of the
// service, and of the database if it is started here. The pages are 500 that were read before. BENCH_EVENTS sets the number, BENCH_DATABASE=MySQL leaves out SQLite.
import { databaseKinds } from './support/databases.mjs';
import { insertEvents } from './support/test-data.mjs';
import { median } from './support/numbers.mjs';
import { withWorkspace } from './support/processes.mjs';
import { costOfCreation } from './support/processor-time.mjs';
import { atMost, printLine } from './support/results.mjs';
import { createCaller, openAccount, startService } from './support/service.mjs';

const MANY = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const FEW = 10_000;
const PICKED = 500;
const PAGE = 100;
const AIM = 1.2;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(await measure(workspace, kind));
    return results;
  });
}

async function measure(workspace, kind) {
  const feeds = { many: await serviceWith(workspace, kind, MANY), few: await serviceWith(workspace, kind, FEW) };
  const costs = { many: [], few: [] };
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [how, { pid, read }] of Object.entries(feeds)) {
      const cost = await costOfCreation([pid, ...kind.processes], 1, read);
      if (round > 0) costs[how].push(cost);
    }
  for (const { stop } of Object.values(feeds)) await stop();
  const ratio = median(costs.many.map((cost, round) => cost / costs.few[round]));
  printLine(
    `a page of events on ${kind.title}: of ${MANY} ${median(costs.many).toFixed(2)} ms | of ${FEW} ${median(costs.few).toFixed(2)} ms of the processor`,
  );
  return atMost(`processor time of a page of events on ${kind.title}, of ${MANY} over ${FEW}`, ratio, AIM);
}

async function serviceWith(workspace, { createDatabase }, count) {
  const databaseUrl = await createDatabase();
  const { accountId, key } = openAccount(databaseUrl);
  const feed = await insertEvents(databaseUrl, accountId, count);
  const service = await startService(workspace, databaseUrl);
  const call = createCaller(service, key);
  const paths = Array.from({ length: PICKED }, () => {
    const position = Math.floor(Math.random() * (count - PAGE)) + 1;
    return `/events?limit=${PAGE}&after=evt_${feed}${position.toString(36).padStart(8, '0')}`;
  });
  for (const path of paths) await call('GET', path);
  let next = 0;
  return { ...service, read: () => call('GET', paths[(next += 1) % PICKED]) };
}
