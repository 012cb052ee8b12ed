// Signing of a zone of 100,000 RRsets, each with its own name, so that the zone gets 200,000 signatures; and its AXFR.
import { transferZone } from './support/axfr.mjs';
import { databaseKinds } from './support/databases.mjs';
import { median } from './support/numbers.mjs';
import { freePort, withWorkspace } from './support/processes.mjs';
import { atLeast, atMost, printLine } from './support/results.mjs';
import { createAdmin, openAccount, startService } from './support/service.mjs';
import { signZones } from './support/signed-zones.mjs';
import { insertDomains, insertedDomainId, insertRecords, insertZones } from './support/test-data.mjs';

const RRSETS = Number(process.env.BENCH_RRSETS ?? 100_000);
const SIGNING_AIM_S = 10;
const TASK_AIM_MS = 50;
const PER_SECOND_AIM = 50_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ZONE = 'bench-000000000.com';

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(...(await largeZone(workspace, kind)));
    return results;
  });
}

async function largeZone(workspace, kind) {
  const databaseUrl = await kind.createDatabase();
  const { accountId } = openAccount(databaseUrl);
  await insertDomains(databaseUrl, accountId, 1);
  await insertZones(databaseUrl);
  await insertRecords(databaseUrl, RRSETS);
  const { seconds, longestMs } = signZones(databaseUrl, [insertedDomainId(0)]);
  printLine(
    `signing ${RRSETS} RRsets on ${kind.title}: ${seconds.toFixed(1)} s | longest event-loop task ${longestMs.toFixed(0)} ms`,
  );
  const port = await freePort();
  const env = { DNS_LISTEN: `127.0.0.1:${port}` };
  const admin = createAdmin(databaseUrl, env);
  const [algorithm, name, secret] = admin('dns', 'tsig', 'create', 'bench').split(':');
  admin('dns', 'secondary', 'add', 'bench', '127.0.0.1:9');
  const service = await startService(workspace, databaseUrl, env);
  const key = { algorithm, name, secret: Buffer.from(secret, 'base64') };
  const perSecond = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const transferred = await transferZone(port, key, ZONE);
    perSecond.push(transferred.records / transferred.seconds);
  }
  await service.stop();
  printLine(`AXFR of ${RRSETS} signed RRsets on ${kind.title}: ${median(perSecond).toFixed(0)} records/s`);
  return [
    atMost(`signing ${RRSETS} RRsets on ${kind.title}`, seconds, SIGNING_AIM_S, ' s'),
    atMost(`signing ${RRSETS} RRsets on ${kind.title}, longest event-loop task`, longestMs, TASK_AIM_MS, ' ms'),
    atLeast(`AXFR of ${RRSETS} signed RRsets on ${kind.title}, records/s`, median(perSecond), PER_SECOND_AIM),
  ];
}
