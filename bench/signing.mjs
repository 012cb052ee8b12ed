// Signing of a zone of 100,000 RRsets, its AXFR, and writes a second in signed zones against unsigned ones.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { secondsToTransfer } from './support/axfr.mjs';
import { databaseKinds } from './support/databases.mjs';
import { median } from './support/numbers.mjs';
import { freePort, withWorkspace } from './support/processes.mjs';
import { atLeast, atMost, printLine } from './support/results.mjs';
import { createAdmin, createCaller, openAccount, settingsFor, startService } from './support/service.mjs';
import { insertDomains, insertedDomainId, insertRecords, insertZones, registerDomain } from './support/test-data.mjs';

const RRSETS = Number(process.env.BENCH_RRSETS ?? 100_000);
const SIGNING_AIM_S = 10;
const DELAY_AIM_MS = 50;
const PER_SECOND_AIM = 50_000;
const WRITES_AIM = 0.8;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ROUND_MS = 3_000;
const WRITERS = 16;
const ZONE = 'bench-000000000.com';

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace))
      results.push(...(await largeZone(workspace, kind)), await writes(workspace, kind));
    return results;
  });
}

/** In another process, whose event loop does nothing else. */
function sign(databaseUrl, domainIds) {
  const script = join(import.meta.dirname, 'support', 'sign-zones.mjs');
  const env = { ...process.env, ...settingsFor(databaseUrl) };
  const output = execFileSync(process.execPath, [script, ...domainIds], { env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return JSON.parse(output.trim().split('\n').at(-1));
}

async function largeZone(workspace, kind) {
  const databaseUrl = await kind.createDatabase();
  const { accountId } = openAccount(databaseUrl);
  await insertDomains(databaseUrl, accountId, 1);
  await insertZones(databaseUrl);
  await insertRecords(databaseUrl, RRSETS);
  const { seconds, delayMs } = sign(databaseUrl, [insertedDomainId(0)]);
  printLine(`signing ${RRSETS} RRsets on ${kind.title}: ${seconds.toFixed(1)} s | event loop ${delayMs.toFixed(0)} ms`);
  const port = await freePort();
  const env = { DNS_LISTEN: `127.0.0.1:${port}` };
  const admin = createAdmin(databaseUrl, env);
  const [algorithm, name, secret] = admin('dns', 'tsig', 'create', 'bench').split(':');
  admin('dns', 'secondary', 'add', 'bench', '127.0.0.1:9');
  const service = await startService(workspace, databaseUrl, env);
  const key = { algorithm, name, secret: Buffer.from(secret, 'base64') };
  const perSecond = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const transferred = await secondsToTransfer(port, key, ZONE);
    perSecond.push(transferred.records / transferred.seconds);
  }
  await service.stop();
  printLine(`AXFR of ${RRSETS} signed RRsets on ${kind.title}: ${median(perSecond).toFixed(0)} records/s`);
  return [
    atMost(`signing ${RRSETS} RRsets on ${kind.title}`, seconds, SIGNING_AIM_S, ' s'),
    atMost(`signing ${RRSETS} RRsets on ${kind.title}, event loop`, delayMs, DELAY_AIM_MS, ' ms'),
    atLeast(`AXFR of ${RRSETS} signed RRsets on ${kind.title}, records/s`, median(perSecond), PER_SECOND_AIM),
  ];
}

/** Rounds alternate between signed and unsigned zones. */
async function writes(workspace, kind) {
  const databaseUrl = await kind.createDatabase();
  const { key } = openAccount(databaseUrl);
  const service = await startService(workspace, databaseUrl, { ZONE_HISTORY_MIB_PER_DAY: '0' });
  const call = createCaller(service, key);
  const zones = { signed: [], unsigned: [] };
  for (let index = 0; index < WRITERS; index += 1)
    for (const [how, ids] of Object.entries(zones)) ids.push(await registerDomain(call, `${how}-${index}.com`));
  await service.stop();
  sign(databaseUrl, zones.signed);
  const again = await startService(workspace, databaseUrl, { ZONE_HISTORY_MIB_PER_DAY: '0' });
  const write = createCaller(again, key);
  const rates = { signed: [], unsigned: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [how, ids] of Object.entries(zones)) rates[how].push(await writesPerSecond(write, ids, round));
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
