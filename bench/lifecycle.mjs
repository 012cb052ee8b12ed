// The cost of a lifecycle check if a thousand of a million domains are due, compared with a thousand of ten thousand: domains
// that are not due should cost nothing. Due domains are spread evenly, and the registry responds at once.
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LifecycleSync } from '#dist/application/lifecycle/lifecycle-sync.js';
import { loadConfig } from '#dist/config.js';
import { createContainer } from '#dist/container/container.js';
import { databaseKinds } from './support/databases.mjs';
import { insertDomains, insertedDomainId, makeDue } from './support/test-data.mjs';
import { measureAlternately, medianRatio } from './support/load.mjs';
import { median } from './support/numbers.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { openAccount, settingsFor } from './support/service.mjs';

const MANY = 1_000_000;
const FEW = 10_000;
const DUE = 1_000;
const AIM = 1.2;
const YEAR_MS = 365 * 86_400_000;

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(await measure(workspace, kind));
    return results;
  });
}

async function measure(workspace, kind) {
  const [many, few] = [await syncOf(workspace, kind, MANY), await syncOf(workspace, kind, FEW)];
  for (const sync of [many, few]) await sync.run();
  const rounds = await measureAlternately(many.run, few.run);
  await Promise.all([many.close(), few.close()]);
  const { ratio, spread } = medianRatio(rounds, 'each');
  const each = (which) => median(rounds.map((round) => round[which].each)).toFixed(2);
  printLine(
    `A domain that is due on ${kind.title}: ${each('first')} ms where ${DUE} of ${MANY} are | ${each('second')} ms where ${DUE} of ${FEW} are | ratio ${ratio.toFixed(2)} (${spread})`,
  );
  return atMost(`a domain that is due on ${kind.title}, among ${MANY} over among ${FEW}`, ratio, AIM);
}

/** A service without HTTP and with `count` domains; each measurement makes `DUE` of them due, evenly spread. */
async function syncOf({ folder }, { title, createDatabase }, count) {
  const databaseUrl = await createDatabase();
  const { accountId } = openAccount(databaseUrl);
  await insertDomains(databaseUrl, accountId, count);
  const registries = join(folder, `registries-${title}-${count}.json`);
  const fixed = {
    adapter: join(import.meta.dirname, 'support/fixed-registry.mjs'),
    settings: { expires: Date.now() + YEAR_MS, file: join(folder, `registry-${title}-${count}.db`) },
    tlds: ['com'],
  };
  writeFileSync(registries, JSON.stringify({ registries: { fixed } }));
  const env = { ...settingsFor(databaseUrl), REGISTRIES_FILE: registries, LOG_LEVEL: 'warn' };
  const { container, close } = await createContainer(loadConfig(env));
  const due = Array.from({ length: DUE }, (_each, index) => insertedDomainId((index * count) / DUE));
  const sync = container.get(LifecycleSync);
  return {
    close,
    /** Checks all due domains; returns the milliseconds per domain. */
    run: async () => {
      await makeDue(databaseUrl, due);
      const began = performance.now();
      await sync.runDue();
      return { each: (performance.now() - began) / DUE };
    },
  };
}
