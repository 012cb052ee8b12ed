import 'reflect-metadata';
import { Log } from './application/ports/system';
import { ReplicaWatch } from './application/shared/replica-watch';
import { BackgroundWorker } from './application/worker/background-worker';
import { ConfigurationError } from './config';
import { createContainer } from './container/container';
import { startMonitoring } from './container/monitoring';
import { runProgram, stopOnSignal } from './program';

/** Runs background work in a separate process that shares the database with web processes. */
runProgram(async (config) => {
  if (config.database.kind === 'sqlite')
    throw new ConfigurationError([
      {
        path: 'DATABASE_URL',
        message: 'must be MySQL for a separate worker; with SQLite, one process does everything',
      },
    ]);
  const { close, ...running } = await createContainer(config);
  const { container } = running;
  const log = container.get(Log);
  const worker = container.get(BackgroundWorker);
  let isStopping = false;
  const monitoring = await startMonitoring(config, running, () => isStopping);
  const replicas = container.get(ReplicaWatch);
  replicas.start({ isWorker: true, onCount: running.shareRegistries });
  await worker.start();
  log.info({}, 'working');
  const alive = setInterval(() => undefined, 60_000);
  stopOnSignal(log, async () => {
    isStopping = true;
    clearInterval(alive);
    await worker.stop();
    await monitoring.close();
    await close();
  });
});
