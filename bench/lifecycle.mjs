// What it costs to look at a domain whose time has come, where a thousand of a million are due, and a thousand of ten
// thousand: what is not due should cost nothing. Those that are due lie on pages of their own in both. The registry
// answers at once.
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LifecycleSync } from '../dist/application/lifecycle/lifecycle-sync.js';
import { loadConfig } from '../dist/config.js';
import { createContainer } from '../dist/container/container.js';
import { databaseKinds } from './support/databases.mjs';
import { insertDomains, insertedDomainId, makeDue } from './support/filling.mjs';
import { inTurn, ratioOf } from './support/load.mjs';
import { median } from './support/numbers.mjs';
import { inWorkshop } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { openAccount, settingsOf } from './support/service.mjs';

const MANY = 1_000_000;
const FEW = 10_000;
const DUE = 1_000;
const AIM = 1.2;
const YEAR_MS = 365 * 86_400_000;

export function run() {
  return inWorkshop(async (workshop) => {
    const results = [];
    for (const kind of await databaseKinds(workshop)) results.push(await measure(workshop, kind));
    return results;
  });
}

async function measure(workshop, kind) {
  const [many, few] = [await syncOf(workshop, kind, MANY), await syncOf(workshop, kind, FEW)];
  for (const sync of [many, few]) await sync.look();
  const rounds = await inTurn(many.look, few.look);
  await Promise.all([many.close(), few.close()]);
  const { ratio, spread } = ratioOf(rounds, 'each');
  const each = (which) => median(rounds.map((round) => round[which].each)).toFixed(2);
  printLine(
    `A domain that is due on ${kind.title}: ${each('first')} ms where ${DUE} of ${MANY} are | ${each('second')} ms where ${DUE} of ${FEW} are | ratio ${ratio.toFixed(2)} (${spread})`,
  );
  return atMost(`a domain that is due on ${kind.title}, among ${MANY} over among ${FEW}`, ratio, AIM);
}

/** A service without its HTTP, over `count` domains of which `DUE`, evenly spread, are made due for every measurement. */
async function syncOf({ folder }, { title, createDatabase }, count) {
  const databaseUrl = await createDatabase();
  const { accountId } = openAccount(databaseUrl);
  await insertDomains(databaseUrl, accountId, count);
  const registries = join(folder, `registries-${title}-${count}.json`);
  const standing = {
    adapter: join(import.meta.dirname, 'support/standing-registry.mjs'),
    settings: { expires: Date.now() + YEAR_MS, file: join(folder, `registry-${title}-${count}.db`) },
    tlds: ['com'],
  };
  writeFileSync(registries, JSON.stringify({ registries: { standing } }));
  const env = { ...settingsOf(databaseUrl), REGISTRIES_FILE: registries, LOG_LEVEL: 'warn' };
  const { container, close } = await createContainer(loadConfig(env));
  const due = Array.from({ length: DUE }, (_each, index) => insertedDomainId((index * count) / DUE));
  const sync = container.get(LifecycleSync);
  return {
    close,
    /** Everything that is due; answers the milliseconds for each. */
    look: async () => {
      await makeDue(databaseUrl, due);
      const began = performance.now();
      await sync.settle();
      return { each: (performance.now() - began) / DUE };
    },
  };
}
