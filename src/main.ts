import 'reflect-metadata';
import { createContainer } from './container/container';
import { webModules } from './container/web-modules';
import { lockDatabase } from './infrastructure/persistence/database/mysql/lock-database';
import { loadSecretKey } from './infrastructure/system/secret-key';
import { runProgram } from './program';
import { serve } from './serve';

runProgram(async (config) => {
  const secretKey = loadSecretKey(config);
  const unlock = lockDatabase(config.database);
  const { close, ...running } = await createContainer(config, { secretKey, serving: webModules });
  await serve(config, { ...running, close: () => close().finally(unlock) });
});
