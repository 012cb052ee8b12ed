// The CPU time that metrics add to a request: one service, in this process, measured in turn with and without them.
import 'reflect-metadata';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { addObserver } from '#dist/application/shared/observation.js';
import { loadConfig } from '#dist/config.js';
import { createContainer } from '#dist/container/container.js';
import { createApp } from '#dist/http/app.js';
import { createHttpServer } from '#dist/http/server/http-server.js';
import { ProcessMetrics } from '#dist/infrastructure/monitoring/process-metrics.js';
import { median } from './support/numbers.mjs';
import { withWorkspace } from './support/processes.mjs';
import { processorMs } from './support/processor-time.mjs';
import { atMost, printLine } from './support/results.mjs';
import { openAccount, settingsFor } from './support/service.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 60);
const REQUESTS = 200;
const AIM_PERCENT = 2;

export function run() {
  return withWorkspace(async (workspace) => {
    const databaseUrl = `sqlite:${join(workspace.folder, 'metrics', 'service.db')}`;
    const { key } = openAccount(databaseUrl);
    const config = loadConfig({ ...settingsFor(databaseUrl), LOG_LEVEL: 'warn', DNS_LISTEN: 'off' });
    const { container, close } = await createContainer(config);
    const server = createHttpServer(createApp(container, () => false));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = fork(new URL('support/request-client.mjs', import.meta.url).pathname, [
      `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/api/domains`,
      key,
    ]);
    const metrics = new ProcessMetrics(new Registry());
    const measure = async (isOn) => {
      const remove = isOn ? addObserver(metrics) : () => undefined;
      const before = processorMs();
      client.send(REQUESTS);
      const [outcome] = await once(client, 'message');
      if (outcome !== 'done') throw new Error(`a request of the benchmark failed: ${outcome}`);
      const ms = processorMs() - before;
      remove();
      return ms / REQUESTS;
    };
    const rounds = [];
    try {
      for (let round = 0; round < 10; round += 1) await measure(round % 2 === 0);
      for (let round = 0; round < ROUNDS; round += 1) {
        const first = await measure(round % 2 === 0);
        const second = await measure(round % 2 !== 0);
        rounds.push(round % 2 === 0 ? { on: first, off: second } : { on: second, off: first });
      }
    } finally {
      client.kill();
      server.close();
      await close();
    }
    const off = median(rounds.map((each) => each.off));
    const percent = 100 * (median(rounds.map((each) => each.on / each.off)) - 1);
    printLine(`GET /api/domains on SQLite: ${off.toFixed(3)} ms of CPU a request; metrics add ${percent.toFixed(1)} %`);
    return [atMost('CPU of metrics in a request', percent, AIM_PERCENT, ' %')];
  });
}
