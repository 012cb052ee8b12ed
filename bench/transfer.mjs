// AXFR of a zone of 100,000 records: records per second, and memory above idle.
import { transferZone } from './support/axfr.mjs';
import { databaseKinds } from './support/databases.mjs';
import { insertDomains, insertRecords, insertZones } from './support/test-data.mjs';
import { watchMemory } from './support/memory.mjs';
import { median } from './support/numbers.mjs';
import { freePort, withWorkspace } from './support/processes.mjs';
import { atLeast, atMost, printLine } from './support/results.mjs';
import { createAdmin, openAccount, startService } from './support/service.mjs';

const RECORDS = 100_000;
/** Two SOA records and two NS records at the apex. */
const EXTRA_RECORDS = 4;
const ROUNDS = 5;
const PER_SECOND_AIM = 20_000;
const MEMORY_AIM_MIB = 128;
const ZONE = 'bench-000000000.com';

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) {
      const databaseUrl = await kind.createDatabase();
      const { accountId } = openAccount(databaseUrl);
      await insertDomains(databaseUrl, accountId, 1);
      await insertZones(databaseUrl);
      await insertRecords(databaseUrl, RECORDS);
      const port = await freePort();
      const env = { DNS_LISTEN: `127.0.0.1:${port}` };
      const admin = createAdmin(databaseUrl, env);
      const [algorithm, name, secret] = admin('dns', 'tsig', 'create', 'bench').split(':');
      admin('dns', 'secondary', 'add', 'bench', '127.0.0.1:9');
      const service = await startService(workspace, databaseUrl, env);
      results.push(
        ...(await measured(kind, service, port, { algorithm, name, secret: Buffer.from(secret, 'base64') })),
      );
      await service.stop();
    }
    return results;
  });
}

async function measured({ title }, { pid }, port, key) {
  const memory = await watchMemory(pid);
  const seconds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const transferred = await transferZone(port, key, ZONE);
    if (transferred.records !== RECORDS + EXTRA_RECORDS) throw new Error(`${transferred.records} records were sent`);
    seconds.push(transferred.seconds);
  }
  const { idle, peak } = memory.stop();
  const perSecond = RECORDS / median(seconds);
  printLine(
    `AXFR of ${RECORDS} records on ${title}: ${perSecond.toFixed(0)} records/s | memory ${idle.toFixed(0)} MiB idle, ${peak.toFixed(0)} MiB at most`,
  );
  return [
    atLeast(`AXFR of ${RECORDS} records on ${title}, records/s`, perSecond, PER_SECOND_AIM),
    atMost(`AXFR of ${RECORDS} records on ${title}, more memory`, peak - idle, MEMORY_AIM_MIB, ' MiB'),
  ];
}
