// The longest event-loop task while a zone of 10,000 records moves to another account: when it is offered, and when that accepts.
// Once with records that have nothing to do with other zones, and once with addresses whose PTR records the former account keeps.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { databaseKinds } from './support/databases.mjs';
import { median } from './support/numbers.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { createCaller, openAccount, startService } from './support/service.mjs';

const RECORDS = Number(process.env.BENCH_RECORDS ?? 10_000);
const BATCH = 500;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const BLOCKED_AIM_MS = 50;
const PROBE = pathToFileURL(join(import.meta.dirname, 'support/loop-probe.mjs')).href;

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(...(await measure(workspace, kind)));
    return results;
  });
}

async function measure(workspace, { title, createDatabase }) {
  const databaseUrl = await createDatabase();
  const accounts = [openAccount(databaseUrl), openAccount(databaseUrl)];
  const probe = join(workspace.folder, 'probe.json');
  const env = { NODE_OPTIONS: `--import ${PROBE}`, LOOP_PROBE_FILE: probe };
  const service = await startService(workspace, databaseUrl, env);
  const [from, to] = accounts.map(({ key }) => createCaller(service, key));
  await from('POST', '/zones', { network: '10.0.0.0/16' });
  const results = [];
  for (const ptr of [false, true]) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await zoneWithRecords(from, `moves-${ptr}-${round}.example`, ptr);
      await blocked(service.pid, probe);
      const move = await from('POST', '/moves', { domain_id: id, account_id: accounts[1].accountId, reason: 'Sold' });
      const offered = await blocked(service.pid, probe);
      const began = performance.now();
      await to('POST', `/moves/${move.id}/accept`, {});
      const seconds = (performance.now() - began) / 1_000;
      rounds.push({ offered, accepted: await blocked(service.pid, probe), seconds });
    }
    const of = (name) => median(rounds.map((each) => each[name]));
    const what = `${RECORDS} records${ptr ? ' with PTR records' : ''} on ${title}`;
    printLine(
      `move of ${what}: event loop blocked ${of('offered').toFixed(0)} ms by the offer, ${of('accepted').toFixed(0)} ms by the acceptance, which took ${of('seconds').toFixed(2)} s`,
    );
    results.push(
      atMost(`offer of ${what}, event loop blocked`, of('offered'), BLOCKED_AIM_MS, ' ms'),
      atMost(`acceptance of ${what}, event loop blocked`, of('accepted'), BLOCKED_AIM_MS, ' ms'),
    );
  }
  await service.stop();
  return results;
}

async function zoneWithRecords(call, name, ptr) {
  const { id } = await call('POST', '/zones', { name });
  for (let from = 0; from < RECORDS; from += BATCH) {
    const create = Array.from({ length: Math.min(BATCH, RECORDS - from) }, (_, index) => ({
      type: 'A',
      name: `h${from + index}`,
      content: `10.0.${Math.floor((from + index) / 250)}.${((from + index) % 250) + 1}`,
      ptr,
    }));
    await call('POST', `/zones/${id}/dns/records/batch`, { create });
  }
  return id;
}

async function blocked(pid, probe) {
  rmSync(probe, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(probe)) await sleep(5);
  return JSON.parse(readFileSync(probe, 'utf8')).blockedMs;
}
