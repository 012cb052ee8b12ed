// Latency of GET by id for random domains, with a million domains in the database and with a thousand.
import { databaseKinds } from './support/databases.mjs';
import { insertDomains, insertedDomainId } from './support/test-data.mjs';
import { loadAlternately, describeRuns, medianRatio } from './support/load.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { openAccount, startService } from './support/service.mjs';

const MANY = 1_000_000;
const FEW = 1_000;
const PICKED = 500;
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
    `GET by id on ${kind.title}: with ${MANY} domains ${describeRuns(rounds.map(({ first }) => first))} | with ${FEW} ${describeRuns(rounds.map(({ second }) => second))} | ratio of p50 ${ratio.toFixed(2)} (${spread})`,
  );
  await Promise.all([many.stop(), few.stop()]);
  return atMost(`p50 of GET by id on ${kind.title}, ${MANY} domains over ${FEW}`, ratio, AIM);
}

async function serviceWith(workspace, { createDatabase }, count) {
  const databaseUrl = await createDatabase();
  const { accountId, key } = openAccount(databaseUrl);
  await insertDomains(databaseUrl, accountId, count);
  const requests = Array.from({ length: PICKED }, () => ({
    method: 'GET',
    path: `/api/domains/${insertedDomainId(Math.floor(Math.random() * count))}`,
  }));
  return { ...(await startService(workspace, databaseUrl)), key, requests };
}
