import 'reflect-metadata';
import { createContainer } from './container/container';
import { lockDatabase } from './infrastructure/persistence/database/lock-database';
import { runProgram } from './program';
import { serve } from './serve';

runProgram(async (config) => {
  const unlock = lockDatabase(config.database);
  const { container, close } = await createContainer(config);
  await serve(config, { container, close: () => close().finally(unlock) });
});
