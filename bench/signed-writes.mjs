// Writes a second in signed zones against unsigned ones: new records at new names, which need four signatures each, and records that change, which need two.
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
    for (const kind of await databaseKinds(workspace)) results.push(...(await writes(workspace, kind)));
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
  const caller = createCaller(again, key);
  const results = [];
  for (const { title, write } of await writesTo(caller, [...zones.signed, ...zones.unsigned])) {
    const rates = { signed: [], unsigned: [] };
    // The first round warms up and does not count.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [how, ids] of Object.entries(zones)) {
        const perSecond = await writesPerSecond(ids, (domainId, number) => write(domainId, `${round}-${number}`));
        if (round > 0) rates[how].push(perSecond);
      }
    const ratio = median(rates.signed.map((perSecond, round) => perSecond / rates.unsigned[round]));
    printLine(
      `${title} on ${kind.title}: signed ${median(rates.signed).toFixed(0)}/s | unsigned ${median(rates.unsigned).toFixed(0)}/s`,
    );
    results.push(atLeast(`${title} in signed zones on ${kind.title}, of unsigned`, ratio, WRITES_AIM));
  }
  await again.stop();
  return results;
}

/** A record of each zone is made to be changed. */
async function writesTo(call, domainIds) {
  const recordIds = new Map();
  for (const domainId of domainIds) {
    const draft = { type: 'TXT', name: 'changed', content: 'at first' };
    recordIds.set(domainId, (await call('POST', `/domains/${domainId}/dns/records`, draft)).id);
  }
  return [
    {
      title: 'new records',
      write: (domainId, id) =>
        call('POST', `/domains/${domainId}/dns/records`, { type: 'A', name: `h${id}`, content: '192.0.2.1' }),
    },
    {
      title: 'changed records',
      write: (domainId, id) =>
        call('PUT', `/domains/${domainId}/dns/records/${recordIds.get(domainId)}`, { content: `in ${id}` }),
    },
  ];
}

async function writesPerSecond(domainIds, write) {
  const began = performance.now();
  let count = 0;
  const work = async (domainId) => {
    for (let number = 0; performance.now() - began < ROUND_MS; number += 1) {
      await write(domainId, number);
      count += 1;
    }
  };
  await Promise.all(domainIds.map(work));
  return count / ((performance.now() - began) / 1_000);
}
