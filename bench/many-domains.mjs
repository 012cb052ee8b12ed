// The latency of GET by id, for domains picked at random, with a million domains in the database and with a thousand.
import { databaseKinds } from './support/databases.mjs';
import { insertDomains, insertedDomainId } from './support/filling.mjs';
import { alternately, inWords, ratioOf } from './support/load.mjs';
import { inWorkshop } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { openAccount, startService } from './support/service.mjs';

const MANY = 1_000_000;
const FEW = 1_000;
const PICKED = 500;
const AIM = 1.2;

export function run() {
  return inWorkshop(async (workshop) => {
    const results = [];
    for (const kind of await databaseKinds(workshop)) results.push(await measure(workshop, kind));
    return results;
  });
}

async function measure(workshop, kind) {
  const many = await serviceWith(workshop, kind, MANY);
  const few = await serviceWith(workshop, kind, FEW);
  const rounds = await alternately(many, few);
  const { ratio, spread } = ratioOf(rounds, 'p50');
  printLine(
    `GET by id on ${kind.title}: with ${MANY} domains ${inWords(rounds.map(({ first }) => first))} | with ${FEW} ${inWords(rounds.map(({ second }) => second))} | ratio of p50 ${ratio.toFixed(2)} (${spread})`,
  );
  await Promise.all([many.stop(), few.stop()]);
  return atMost(`p50 of GET by id on ${kind.title}, ${MANY} domains over ${FEW}`, ratio, AIM);
}

async function serviceWith(workshop, { createDatabase }, count) {
  const databaseUrl = await createDatabase();
  const { accountId, key } = openAccount(databaseUrl);
  await insertDomains(databaseUrl, accountId, count);
  const requests = Array.from({ length: PICKED }, () => ({
    method: 'GET',
    path: `/api/domains/${insertedDomainId(Math.floor(Math.random() * count))}`,
  }));
  return { ...(await startService(workshop, databaseUrl)), key, requests };
}
