import 'reflect-metadata';
import { Log } from './application/ports/system/log';
import { Worker } from './application/worker';
import { ConfigurationError } from './config';
import { createContainer } from './container/container';
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
  const { container, close } = await createContainer(config);
  const log = container.get<Log>(Log);
  const worker = container.get(Worker);
  await worker.start();
  log.info({}, 'working');
  const alive = setInterval(() => undefined, 60_000);
  stopOnSignal(log, async () => {
    clearInterval(alive);
    await worker.stop();
    await close();
  });
});
