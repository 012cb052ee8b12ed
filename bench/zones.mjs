// The cost of creating a zone of a name without a registration, compared with that of a record, on the same service in turn:
// the processor time of the service, for one client, and for several, whose changes of records share commits.
import { databaseKinds } from './support/databases.mjs';
import { median } from './support/numbers.mjs';
import { withWorkspace } from './support/processes.mjs';
import { costOfCreation } from './support/processor-time.mjs';
import { atMost, printLine } from './support/results.mjs';
import { createCaller, openAccount, startService } from './support/service.mjs';
import { registerDomain } from './support/test-data.mjs';

const AIM = 1.2;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const CLIENTS = [1, 8];
let created = 0;

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(...(await measure(workspace, kind)));
    return results;
  });
}

async function measure(workspace, { title, createDatabase }) {
  const databaseUrl = await createDatabase();
  const { key } = openAccount(databaseUrl);
  const service = await startService(workspace, databaseUrl);
  const call = createCaller(service, key);
  const records = `/domains/${await registerDomain(call, 'bench-zones.com')}/dns/records`;
  const creations = {
    zone: () => call('POST', '/zones', { name: `zone-${(created += 1)}.example` }),
    record: () => call('POST', records, { type: 'A', name: `h${(created += 1)}`, content: '192.0.2.1' }),
  };
  const results = [];
  for (const clients of CLIENTS) {
    const costs = { zone: [], record: [] };
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [what, create] of Object.entries(creations)) {
        const cost = await costOfCreation(service.pid, clients, create);
        if (round > 0) costs[what].push(cost);
      }
    const ratio = median(costs.zone.map((cost, round) => cost / costs.record[round]));
    const what = `${clients} client${clients === 1 ? '' : 's'} on ${title}`;
    printLine(
      `${what}: a zone ${median(costs.zone).toFixed(2)} ms | a record ${median(costs.record).toFixed(2)} ms of the processor`,
    );
    results.push(atMost(`processor time of creating a zone, ${what}, ratio to a record`, ratio, AIM));
  }
  await service.stop();
  return results;
}
