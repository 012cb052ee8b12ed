// Latency of a page of 100 events from the middle of a feed, with a million events and with ten thousand. BENCH_EVENTS sets the number,
// a million at most for each time that they are inserted.
import { databaseKinds } from './support/databases.mjs';
import { insertEvents } from './support/test-data.mjs';
import { loadAlternately, describeRuns, medianRatio } from './support/load.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { openAccount, startService } from './support/service.mjs';

const MANY = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const FEW = 10_000;
const PICKED = 500;
const PAGE = 100;
const AIM = 1.2;

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(await measure(workspace, kind));
    return results;
  });
}

async function measure(workspace, kind) {
  const many = await serviceWith(workspace, kind, MANY);
  const few = await serviceWith(workspace, kind, FEW);
  const rounds = await loadAlternately(many, few);
  const { ratio, spread } = medianRatio(rounds, 'p50');
  printLine(
    `a page of events on ${kind.title}: of ${MANY} ${describeRuns(rounds.map(({ first }) => first))} | of ${FEW} ${describeRuns(rounds.map(({ second }) => second))} | ratio of p50 ${ratio.toFixed(2)} (${spread})`,
  );
  await Promise.all([many.stop(), few.stop()]);
  return atMost(`p50 of a page of events on ${kind.title}, of ${MANY} over ${FEW}`, ratio, AIM);
}

async function serviceWith(workspace, { createDatabase }, count) {
  const databaseUrl = await createDatabase();
  const { accountId, key } = openAccount(databaseUrl);
  const feed = await insertEvents(databaseUrl, accountId, count);
  const requests = Array.from({ length: PICKED }, () => {
    const position = Math.floor(Math.random() * (count - PAGE)) + 1;
    return {
      method: 'GET',
      path: `/api/events?limit=${PAGE}&after=evt_${feed}${position.toString(36).padStart(8, '0')}`,
    };
  });
  return { ...(await startService(workspace, databaseUrl)), key, requests };
}
