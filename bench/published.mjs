// Time from a 201 response to Knot's answer, for zones of 20 records, and at 50 changes a second in 10,000 zones.
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseKinds } from './support/databases.mjs';
import { addRecords, insertDomains, insertedDomainId, insertZones, registerDomain } from './support/test-data.mjs';
import { KNOT_MISSING, startKnot } from './support/knot.mjs';
import { percentile } from './support/numbers.mjs';
import { freePort, withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { createAdmin, createCaller, openAccount, startService } from './support/service.mjs';

const RECORDS = 20;
/** Enough zones that each changes less than once a second: Knot 3.2 defers a second change within a second. */
const TURNS = 30;
const CHANGES = 300;
const PAUSE_MS = 40;
const ONE_ZONE_AIM_MS = 100;
const ZONES = Number(process.env.BENCH_ZONES ?? 10_000);
const CHANGES_A_SECOND = 50;
const SECONDS = 20;
const MANY_ZONES_AIM_MS = 1_000;
const TAKE_UP_WITHIN_MS = 300_000;
/** Until background work has finished. */
const SETTLE_MS = 3_000;
/** The interval of queries to Knot, and so the resolution of the figures. */
const ASK_ONE_EVERY_MS = 1;
const ASK_MANY_EVERY_MS = 5;

export function run() {
  if (KNOT_MISSING) {
    printLine(`SKIPPED: ${KNOT_MISSING}`);
    return [];
  }
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) {
      results.push(await smallZones(workspace, kind), await manyZones(workspace, kind));
    }
    return results;
  });
}

/** @param {(databaseUrl: string, accountId: string) => Promise<void>} [fill] */
async function publishing(workspace, kind, name, fill) {
  const databaseUrl = await kind.createDatabase();
  const { accountId, key } = openAccount(databaseUrl);
  await fill?.(databaseUrl, accountId);
  const env = { DNS_LISTEN: `127.0.0.1:${await freePort()}` };
  const service = await startService(workspace, databaseUrl, env);
  const knot = await startKnot(workspace, createAdmin(databaseUrl, env), name);
  return { call: createCaller(service, key), probe: knot.probe, stop: async () => (await knot.stop(), service.stop()) };
}

async function smallZones(workspace, kind) {
  const { call, probe, stop } = await publishing(workspace, kind, `small-${kind.title.toLowerCase()}`);
  const ids = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    ids.push(await registerDomain(call, smallZone(turn)));
    await addRecords(call, ids[turn], RECORDS);
  }
  for (let turn = 0; turn < TURNS; turn += 1) await probe.waitForRecord(`h${RECORDS - 1}.${smallZone(turn)}`, 'A', 10);
  const times = [];
  await sleep(SETTLE_MS);
  for (let change = 0; change < CHANGES; change += 1) {
    const turn = change % TURNS;
    await call('POST', `/domains/${ids[turn]}/dns/records`, { type: 'A', name: `c${change}`, content: '192.0.2.1' });
    times.push(await probe.waitForRecord(`c${change}.${smallZone(turn)}`, 'A', ASK_ONE_EVERY_MS));
    await sleep(PAUSE_MS);
  }
  await stop();
  return report(
    `from 201 to Knot's answer, a zone of ${RECORDS} records on ${kind.title}`,
    times,
    ASK_ONE_EVERY_MS,
    ONE_ZONE_AIM_MS,
  );
}

function smallZone(turn) {
  return `bench-live-${turn}.com`;
}

async function manyZones(workspace, kind) {
  const fill = async (databaseUrl, accountId) => {
    await insertDomains(databaseUrl, accountId, ZONES);
    await insertZones(databaseUrl);
  };
  const began = performance.now();
  const { call, probe, stop } = await publishing(workspace, kind, `many-${kind.title.toLowerCase()}`, fill);
  for (let index = 0; index < ZONES; index += 1)
    while ((await probe.serial(nameOf(index))) === undefined) await waitFor(began);
  printLine(`${ZONES} zones loaded by Knot on ${kind.title} in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  await sleep(SETTLE_MS);
  const times = [];
  const pending = [];
  const start = performance.now();
  for (let change = 0; change < CHANGES_A_SECOND * SECONDS; change += 1) {
    await sleep(Math.max(0, start + (change * 1_000) / CHANGES_A_SECOND - performance.now()));
    pending.push(changed(call, probe, Math.floor(Math.random() * ZONES), change).then((time) => times.push(time)));
  }
  await Promise.all(pending);
  await stop();
  return report(
    `from 201 to Knot's answer, ${CHANGES_A_SECOND} changes a second in ${ZONES} zones on ${kind.title}`,
    times,
    ASK_MANY_EVERY_MS,
    MANY_ZONES_AIM_MS,
  );
}

async function changed(call, probe, index, change) {
  await call('POST', `/domains/${insertedDomainId(index)}/dns/records`, {
    type: 'A',
    name: `c${change}`,
    content: '192.0.2.1',
  });
  return probe.waitForRecord(`c${change}.${nameOf(index)}`, 'A', ASK_MANY_EVERY_MS);
}

async function waitFor(began) {
  if (performance.now() - began > TAKE_UP_WITHIN_MS) throw new Error('Knot did not load all zones in time');
  await sleep(50);
}

/** The name that `insertDomains` gives. */
function nameOf(index) {
  return `bench-${String(index).padStart(9, '0')}.com`;
}

function report(claim, times, resolutionMs, aimMs) {
  printLine(
    `${claim}: p50 ${percentile(times, 50).toFixed(1)} ms, p99 ${percentile(times, 99).toFixed(1)} ms, slowest ${Math.max(...times).toFixed(1)} ms, to within ${resolutionMs} ms and a tenth`,
  );
  return atMost(`${claim}, p99`, percentile(times, 99), aimMs, ' ms');
}
