// Writes a second in signed zones against unsigned ones: new records at new names, which need four signatures each.
import { databaseKinds } from './support/databases.mjs';
import { median } from './support/numbers.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atLeast, printLine } from './support/results.mjs';
import { createCaller, openAccount, startService } from './support/service.mjs';
import { signZones } from './support/signed-zones.mjs';
import { registerDomain } from './support/test-data.mjs';

const WRITES_AIM = 0.8;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ROUND_MS = 3_000;
const WRITERS = 16;

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(await writes(workspace, kind));
    return results;
  });
}

/** Rounds alternate between signed and unsigned zones. */
async function writes(workspace, kind) {
  const databaseUrl = await kind.createDatabase();
  const { key } = openAccount(databaseUrl);
  const service = await startService(workspace, databaseUrl, { ZONE_HISTORY_MIB_PER_DAY: '0' });
  const call = createCaller(service, key);
  /** @type {Record<string, string[]>} */
  const zones = { signed: [], unsigned: [] };
  for (let index = 0; index < WRITERS; index += 1)
    for (const [how, ids] of Object.entries(zones)) ids.push(await registerDomain(call, `${how}-${index}.com`));
  await service.stop();
  signZones(databaseUrl, zones.signed);
  const again = await startService(workspace, databaseUrl, { ZONE_HISTORY_MIB_PER_DAY: '0' });
  const write = createCaller(again, key);
  const rates = { signed: [], unsigned: [] };
  // The first round warms up and does not count.
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [how, ids] of Object.entries(zones)) {
      const perSecond = await writesPerSecond(write, ids, round);
      if (round > 0) rates[how].push(perSecond);
    }
  await again.stop();
  const ratio = median(rates.signed.map((perSecond, round) => perSecond / rates.unsigned[round]));
  printLine(
    `writes on ${kind.title}: signed ${median(rates.signed).toFixed(0)}/s | unsigned ${median(rates.unsigned).toFixed(0)}/s`,
  );
  return atLeast(`writes in signed zones on ${kind.title}, of unsigned`, ratio, WRITES_AIM);
}

async function writesPerSecond(call, domainIds, round) {
  const began = performance.now();
  let count = 0;
  const work = async (domainId) => {
    for (let number = 0; performance.now() - began < ROUND_MS; number += 1) {
      const draft = { type: 'A', name: `h${round}-${number}`, content: '192.0.2.1' };
      await call('POST', `/domains/${domainId}/dns/records`, draft);
      count += 1;
    }
  };
  await Promise.all(domainIds.map(work));
  return count / ((performance.now() - began) / 1_000);
}
