// What a secondary transfers for one change: a record in a signed zone of 10,000 records, and a domain in a catalog of 100,000.
import { transferZone } from './support/axfr.mjs';
import { databaseKinds } from './support/databases.mjs';
import { freePort, withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { createAdmin, createCaller, openAccount, startService } from './support/service.mjs';
import { signZones } from './support/signed-zones.mjs';
import { insertDomains, insertedDomainId, insertRecords, insertZones, registerDomain } from './support/test-data.mjs';

const RECORDS = 10_000;
const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 100_000);
const ZONE_AIM_OCTETS = 4_096;
const CATALOG_AIM_OCTETS = 2_048;
const ZONE = 'bench-000000000.com';
const CATALOG = 'catalog.namewright.invalid';

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(...(await increments(workspace, kind)));
    return results;
  });
}

async function increments(workspace, kind) {
  const databaseUrl = await kind.createDatabase();
  const { accountId, key: apiKey } = openAccount(databaseUrl);
  await insertDomains(databaseUrl, accountId, MEMBERS);
  await insertZones(databaseUrl);
  await insertRecords(databaseUrl, RECORDS);
  signZones(databaseUrl, [insertedDomainId(0)]);
  const port = await freePort();
  const env = { DNS_LISTEN: `127.0.0.1:${port}` };
  const admin = createAdmin(databaseUrl, env);
  const [algorithm, name, secret] = admin('dns', 'tsig', 'create', 'bench').split(':');
  admin('dns', 'secondary', 'add', 'bench', '127.0.0.1:9');
  const service = await startService(workspace, databaseUrl, env);
  const call = createCaller(service, apiKey);
  const key = { algorithm, name, secret: Buffer.from(secret, 'base64') };
  const record = { type: 'A', name: 'host-000005000x', content: '192.0.2.1' };
  const ofZone = await increment(port, key, ZONE, () =>
    call('POST', `/domains/${insertedDomainId(0)}/dns/records`, record),
  );
  // The catalog's first difference begins after a change that its history has.
  await registerDomain(call, 'bench-first-member.com');
  const ofCatalog = await increment(port, key, CATALOG, () => registerDomain(call, 'bench-new-member.com'));
  await service.stop();
  printLine(
    `a record in a signed zone of ${RECORDS} on ${kind.title}: ${ofZone.records} records, ${ofZone.octets} octets | a domain in a catalog of ${MEMBERS}: ${ofCatalog.records} records, ${ofCatalog.octets} octets`,
  );
  return [
    atMost(`IXFR of a record in a signed zone of ${RECORDS} on ${kind.title}, octets`, ofZone.octets, ZONE_AIM_OCTETS),
    atMost(
      `IXFR of a domain in a catalog of ${MEMBERS} on ${kind.title}, octets`,
      ofCatalog.octets,
      CATALOG_AIM_OCTETS,
    ),
  ];
}

/** The difference that `change` makes. */
async function increment(port, key, zone, change) {
  const { serial } = await transferZone(port, key, zone);
  await change();
  return transferZone(port, key, zone, serial);
}
