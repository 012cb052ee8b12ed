// Webhooks: how fast 99 receivers get a backlog of events while the 100th hangs, against while it answers; and how long a change takes until
// its receiver has it, at 50 changes a second. The receivers are in this process. BENCH_DATABASE=MySQL leaves out SQLite.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseKinds } from './support/databases.mjs';
import { median } from './support/numbers.mjs';
import { freePort, withWorkspace } from './support/processes.mjs';
import { processorMsOf } from './support/processor-time.mjs';
import { atLeast, atMost, printLine } from './support/results.mjs';
import { createCaller, openAccount, startService } from './support/service.mjs';
import { copyAccount, registerDomain } from './support/test-data.mjs';

const ACCOUNTS = 5;
const WEBHOOKS_OF_ACCOUNT = 20;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CHANGES = Number(process.env.BENCH_CHANGES ?? 20);
/** Longer than a retry after a lost connection, and shorter than the second one. */
const RECEIVED_WITHIN_MS = 120_000;
const RATE = 50;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const SHARE_AIM = 0.9;
const LATENCY_AIM_MS = 1_000;
const HANGING = 'hanging';

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) {
      results.push(await shareWithHanging(workspace, kind));
      results.push(await latency(workspace, kind));
    }
    return results;
  });
}

/** Answers all requests but those that `hangs()` says. */
async function startReceiver(onEvent, hangs = (_url) => false) {
  const server = createServer((request, response) => {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      if (hangs(request.url)) return;
      onEvent(JSON.parse(Buffer.concat(pieces).toString()), request.url);
      response.writeHead(204).end();
    });
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A delivery that is lost would let the benchmark wait for ever. */
async function allReceived(list, count) {
  const deadline = performance.now() + RECEIVED_WITHIN_MS;
  while (list.length < count) {
    if (performance.now() > deadline) throw new Error(`only ${list.length} of ${count} deliveries have come`);
    await sleep(5);
  }
}

/** Rates to the other receivers, in turns with and without one that hangs. */
async function shareWithHanging(workspace, kind) {
  const service = await serviceWithWebhooks(workspace, kind);
  const rates = { none: [], one: [] };
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const how of Object.keys(rates)) {
      const rate = await service.drain(`${round}-${how}`, how === 'one');
      if (round > 0) rates[how].push(rate);
    }
  await service.stop();
  const share = median(rates.one.map((rate, round) => rate / rates.none[round]));
  printLine(
    `100 receivers on ${kind.title}: ${median(rates.none).toFixed(0)} deliveries a second to 99 | if the other one hangs: ${median(rates.one).toFixed(0)} | ratio ${share.toFixed(2)} | ${median(service.costs).toFixed(2)} ms of the processor each`,
  );
  return atLeast(`deliveries on ${kind.title} if one of 100 receivers hangs, of without it`, share, SHARE_AIM);
}

const isOther = (url) => !url.endsWith(HANGING);

/** 100 webhooks, of which one may hang. */
async function serviceWithWebhooks(workspace, kind) {
  const databaseUrl = await kind.createDatabase();
  const received = [];
  const costs = [];
  let hangs = false;
  const receiver = await startReceiver(
    ({ id }, url) => isOther(url) && received.push(id),
    (url) => hangs && !isOther(url),
  );
  const first = openAccount(databaseUrl);
  const keys = [first.key, ...(await copyAccount(databaseUrl, first, ACCOUNTS - 1))];
  const service = await startService(workspace, databaseUrl, { WEBHOOK_NETWORKS: '127.0.0.0/8' });
  const accounts = [];
  for (const [number, key] of keys.entries()) {
    const call = createCaller(service, key);
    const records = `/domains/${await registerDomain(call, `hooked-${number}.com`)}/dns/records`;
    const ids = [];
    for (let webhook = 0; webhook < WEBHOOKS_OF_ACCOUNT; webhook += 1) {
      const url = `${receiver.url}${number + webhook === 0 ? HANGING : webhook}`;
      ids.push((await call('POST', '/webhooks', { url, types: ['records.changed'] })).id);
    }
    accounts.push({ call, records, ids });
  }
  const each = (work) => Promise.all(accounts.map(work));
  const wanted = (ACCOUNTS * WEBHOOKS_OF_ACCOUNT - 1) * CHANGES;
  const used = () => [service.pid, ...kind.processes].reduce((sum, pid) => sum + processorMsOf(pid), 0);
  return {
    costs,
    /** Deliveries a second of a backlog, to the receivers that answer. */
    drain: async (round, isHanging) => {
      await each(async ({ call, records, ids }) => {
        for (const id of ids) await call('POST', `/webhooks/${id}/pause`);
        for (let change = 0; change < CHANGES; change += 1)
          await call('POST', records, { type: 'A', name: `h${round}-${change}`, content: '192.0.2.1' });
      });
      received.length = 0;
      hangs = isHanging;
      const before = used();
      const began = performance.now();
      await each(async ({ call, ids }) => {
        for (const id of ids) await call('POST', `/webhooks/${id}/resume`);
      });
      await allReceived(received, wanted);
      costs.push((used() - before) / wanted);
      return wanted / ((performance.now() - began) / 1_000);
    },
    stop: async () => {
      await service.stop();
      receiver.stop();
    },
  };
}

/** From the request of a change until its receiver has the event. */
async function latency(workspace, kind) {
  const databaseUrl = await kind.createDatabase();
  const { key } = openAccount(databaseUrl);
  const began = new Map();
  const waits = [];
  const receiver = await startReceiver(({ data }) => waits.push(performance.now() - began.get(data.added[0].name)));
  const service = await startService(workspace, databaseUrl, { WEBHOOK_NETWORKS: '127.0.0.0/8' });
  const call = createCaller(service, key);
  const records = `/domains/${await registerDomain(call, 'hooked.com')}/dns/records`;
  await call('POST', '/webhooks', { url: receiver.url, types: ['records.changed'] });
  const changes = [];
  for (let number = 0; number < RATE * SECONDS; number += 1) {
    const name = `h${number}`;
    began.set(name, performance.now());
    changes.push(call('POST', records, { type: 'A', name, content: '192.0.2.1' }));
    await sleep(1_000 / RATE);
  }
  await Promise.all(changes);
  await allReceived(waits, changes.length);
  await service.stop();
  receiver.stop();
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.floor(sorted.length * share)];
  printLine(
    `a change until its receiver has it on ${kind.title}: p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms`,
  );
  return atMost(`p99 of a change until its receiver has it on ${kind.title}`, at(0.99), LATENCY_AIM_MS, ' ms');
}
