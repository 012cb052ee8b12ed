// Writes a second in signed zones against unsigned ones: new records at new names, which need four signatures each, and records that
// change, which need two. Simultaneous writes of one zone share the signature of its SOA record.
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
/** Zones that the writers change together. */
const SPREADS = { 'one zone': 1, 'a zone for each writer': WRITERS };

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
  for (const [where, count] of Object.entries(SPREADS)) {
    const writers = {
      signed: await writersOf(caller, zones.signed.slice(0, count)),
      unsigned: await writersOf(caller, zones.unsigned.slice(0, count)),
    };
    for (const what of ['new records', 'changed records']) {
      const { ratio, signed, unsigned } = await compared(writers, what);
      printLine(
        `${what} in ${where} on ${kind.title}: signed ${signed.toFixed(0)}/s | unsigned ${unsigned.toFixed(0)}/s`,
      );
      results.push(atLeast(`${what} in ${where} on ${kind.title}, signed of unsigned`, ratio, WRITES_AIM));
    }
  }
  await again.stop();
  return results;
}

/** A record is made for each writer, which it changes. */
async function writersOf(call, domainIds) {
  const writers = [];
  for (let index = 0; index < WRITERS; index += 1) {
    const records = `/domains/${domainIds[index % domainIds.length]}/dns/records`;
    const draft = { type: 'TXT', name: `changed-${domainIds.length}-${index}`, content: 'at first' };
    const { id } = await call('POST', records, draft);
    writers.push({
      'new records': (number) =>
        call('POST', records, { type: 'A', name: `h${domainIds.length}-${index}-${number}`, content: '192.0.2.1' }),
      'changed records': (number) => call('PUT', `${records}/${id}`, { content: `in ${number}` }),
    });
  }
  return writers;
}

/** The first round warms up and does not count. */
async function compared(writers, what) {
  const rates = { signed: [], unsigned: [] };
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [how, each] of Object.entries(writers)) {
      const perSecond = await writesPerSecond(each, (writer, number) => writer[what](`${round}-${number}`));
      if (round > 0) rates[how].push(perSecond);
    }
  const ratio = median(rates.signed.map((perSecond, round) => perSecond / rates.unsigned[round]));
  return { ratio, signed: median(rates.signed), unsigned: median(rates.unsigned) };
}

async function writesPerSecond(writers, write) {
  const began = performance.now();
  let count = 0;
  const work = async (writer) => {
    for (let number = 0; performance.now() - began < ROUND_MS; number += 1) {
      await write(writer, number);
      count += 1;
    }
  };
  await Promise.all(writers.map(work));
  return count / ((performance.now() - began) / 1_000);
}
