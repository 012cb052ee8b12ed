// Plans for 1,000 zones of ten records, as a repository has them: many in one request, against one in a request.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { databaseKinds } from './support/databases.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { createCaller, openAccount, startService } from './support/service.mjs';

const ZONES = 1_000;
const RECORDS = 10;
const TOGETHER = 100;
/** As the command line sends them. */
const AT_ONCE = 4;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const RATIO_AIM = 0.7;
const SECONDS_AIM = 10;
const BLOCKED_AIM_MS = 50;
const PROBE = pathToFileURL(join(import.meta.dirname, 'support/loop-probe.mjs')).href;

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const { title, createDatabase } of await databaseKinds(workspace))
      results.push(...(await measure(workspace, title, await createDatabase())));
    return results;
  });
}

async function measure(workspace, title, databaseUrl) {
  const { key } = openAccount(databaseUrl);
  const probe = join(workspace.folder, 'probe.json');
  const env = { NODE_OPTIONS: `--import ${PROBE}`, LOOP_PROBE_FILE: probe };
  const service = await startService(workspace, databaseUrl, env);
  const call = createCaller(service, key);
  const states = Array.from({ length: ZONES }, (_, index) => ({
    name: `zone-${index}.example`,
    state: stateOf(index),
  }));
  await pooled(states, async ({ name, state }) => {
    await call('POST', '/zones', { name });
    await call('PUT', `/zones/by-name/${name}/state`, state);
  });
  const lists = Array.from({ length: ZONES / TOGETHER }, (_, index) =>
    states.slice(index * TOGETHER, (index + 1) * TOGETHER),
  );
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await blocked(service.pid, probe);
    const together = await seconds(() => pooled(lists, (list) => planTogether(call, list)));
    const blockedMs = await blocked(service.pid, probe);
    const alone = await seconds(() =>
      pooled(states, ({ name, state }) => call('PUT', `/zones/by-name/${name}/state?dry_run=true`, state)),
    );
    rounds.push({ together, blockedMs, ratio: together / alone });
  }
  await service.stop();
  const least = (name) => Math.min(...rounds.map((each) => each[name]));
  const [ratio, together, blockedMs] = [least('ratio'), least('together'), least('blockedMs')];
  printLine(
    `${ZONES} zones on ${title}: ${together.toFixed(2)} s by ${TOGETHER}, ${ratio.toFixed(2)} of those one by one, event loop blocked ${blockedMs.toFixed(0)} ms`,
  );
  return [
    atMost(`plans of ${ZONES} zones on ${title}, by ${TOGETHER} over one by one`, ratio, RATIO_AIM),
    atMost(`plans of ${ZONES} zones on ${title}`, together, SECONDS_AIM, ' s'),
    atMost(`plans of ${TOGETHER} zones on ${title}, event loop blocked`, blockedMs, BLOCKED_AIM_MS, ' ms'),
  ];
}

function stateOf(zone) {
  const records = Array.from({ length: RECORDS }, (_, index) => ({
    name: `h${index}`,
    type: 'A',
    content: `192.0.2.${((zone + index) % 250) + 1}`,
  }));
  return { managed_by: 'git', records };
}

async function planTogether(call, states) {
  for (let rest = states; rest.length > 0;) {
    const { plans } = await call('POST', '/states/plan', { states: rest });
    const wrong = plans.find(({ plan }) => !plan?.empty);
    if (wrong) throw new Error(`the plan of ${wrong.name} is not empty`);
    rest = rest.slice(plans.length);
  }
}

async function pooled(items, work) {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}

async function seconds(work) {
  const since = performance.now();
  await work();
  return (performance.now() - since) / 1_000;
}

async function blocked(pid, probe) {
  rmSync(probe, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(probe)) await sleep(5);
  return JSON.parse(readFileSync(probe, 'utf8')).blockedMs;
}
