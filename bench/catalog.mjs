// Time from the registration of a domain to Knot's answer for it, with 100,000 zones in the catalog and with 1,000.
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseKinds } from './support/databases.mjs';
import { KNOT_MISSING, startKnot } from './support/knot.mjs';
import { percentile } from './support/numbers.mjs';
import { freePort, withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { createAdmin, createCaller, openAccount, startService } from './support/service.mjs';
import { insertDomains, insertZones, registerDomain } from './support/test-data.mjs';

const MANY = Number(process.env.BENCH_MEMBERS ?? 100_000);
const FEW = 1_000;
const DOMAINS = 100;
const PAUSE_MS = 100;
const AIM_MS = 300;
const RATIO_AIM = 1.5;
const LOADED_WITHIN_MS = 900_000;
const ASK_EVERY_MS = 1;
/** Until Knot has finished its background work. */
const SETTLE_MS = 3_000;

export function run() {
  if (KNOT_MISSING) {
    printLine(`SKIPPED: ${KNOT_MISSING}`);
    return [];
  }
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) {
      const few = await newDomains(workspace, kind, FEW);
      const many = await newDomains(workspace, kind, MANY);
      results.push(
        atMost(`new domain to Knot's answer, catalog of ${MANY} on ${kind.title}, p99`, many, AIM_MS, ' ms'),
        atMost(`the same, over that with ${FEW}`, many / few, RATIO_AIM),
      );
    }
    return results;
  });
}

/** Returns the 99th percentile in milliseconds. */
async function newDomains(workspace, kind, members) {
  const databaseUrl = await kind.createDatabase();
  const { accountId, key } = openAccount(databaseUrl);
  await insertDomains(databaseUrl, accountId, members);
  await insertZones(databaseUrl);
  const env = { DNS_LISTEN: `127.0.0.1:${await freePort()}` };
  const service = await startService(workspace, databaseUrl, env);
  const knot = await startKnot(
    workspace,
    createAdmin(databaseUrl, env),
    `members-${members}-${kind.title.toLowerCase()}`,
  );
  const began = performance.now();
  for (let index = 0; index < members; index += 1)
    while ((await knot.probe.serial(nameOf(index))) === undefined) {
      if (performance.now() - began > LOADED_WITHIN_MS) throw new Error('Knot did not load all zones in time');
      await sleep(50);
    }
  await sleep(SETTLE_MS);
  const call = createCaller(service, key);
  const times = [];
  for (let number = 0; number < DOMAINS; number += 1) {
    const name = `new-member-${number}.com`;
    await registerDomain(call, name);
    times.push(await knot.probe.waitForRecord(name, 'SOA', ASK_EVERY_MS));
    await sleep(PAUSE_MS);
  }
  await knot.stop();
  await service.stop();
  const [p50, p99] = [percentile(times, 50), percentile(times, 99)];
  printLine(
    `new domain to Knot's answer, catalog of ${members} on ${kind.title}: p50 ${p50.toFixed(0)} ms | p99 ${p99.toFixed(0)} ms`,
  );
  return p99;
}

function nameOf(index) {
  return `bench-${String(index).padStart(9, '0')}.com`;
}
