// What the event log costs: the processor time of a service for each record that it creates, with the log and without it
// (support/without-events.cjs), in turns. Unlike the rate, it depends little on what else the machine does.
import { join } from 'node:path';
import { databaseKinds } from './support/databases.mjs';
import { median } from './support/numbers.mjs';
import { withWorkspace } from './support/processes.mjs';
import { costOfCreation } from './support/processor-time.mjs';
import { atMost, printLine } from './support/results.mjs';
import { createCaller, openAccount, settingsFor, startServer } from './support/service.mjs';
import { registerDomain } from './support/test-data.mjs';

const COST_AIM = 1.05;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const WRITERS = [1, 16];
const WITHOUT = ['--require', join(import.meta.dirname, 'support/without-events.cjs')];

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(...(await writes(workspace, kind)));
    return results;
  });
}

async function writes(workspace, kind) {
  const services = { with: await service(workspace, kind, []), without: await service(workspace, kind, WITHOUT) };
  const results = [];
  for (const writers of WRITERS) {
    const costs = { with: [], without: [] };
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [how, each] of Object.entries(services)) {
        const cost = await costOfCreation(each.pid, writers, (writer, number) =>
          each.create(`h${writers}-${round}-${writer}-${number}`),
        );
        if (round > 0) costs[how].push(cost);
      }
    const ratio = median(costs.with.map((cost, round) => cost / costs.without[round]));
    const what = `records created by ${writers} on ${kind.title}`;
    printLine(
      `${what}: with events ${median(costs.with).toFixed(2)} ms | without ${median(costs.without).toFixed(2)} ms of the processor`,
    );
    results.push(atMost(`${what}, processor time with events of without`, ratio, COST_AIM));
  }
  for (const { stop } of Object.values(services)) await stop();
  return results;
}

async function service(workspace, kind, args) {
  const databaseUrl = await kind.createDatabase();
  const { key } = openAccount(databaseUrl);
  const env = { ...settingsFor(databaseUrl), ZONE_HISTORY_MIB_PER_DAY: '0' };
  const started = await startServer(workspace, [...args, 'dist/main.js'], env, '/readyz');
  const call = createCaller(started, key);
  const records = `/domains/${await registerDomain(call, 'events.com')}/dns/records`;
  return {
    pid: started.pid,
    stop: () => started.stop(),
    create: (name) => call('POST', records, { type: 'A', name, content: '192.0.2.1' }),
  };
}
