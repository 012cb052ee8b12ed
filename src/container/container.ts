import { Container } from 'inversify';
import type { Config } from '../config';
import { loadSecretKey } from '../infrastructure/system/secret-key';
import { createLogger, PinoLog } from '../infrastructure/system/pino-log';
import { SystemClock } from '../infrastructure/system/system-clock';
import { Database } from '../infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../infrastructure/persistence/service-content';
import { openRegistries } from '../infrastructure/registry/routing/open-registries';
import { applicationModule } from './application-module';
import { dashboardModule } from './dashboard-module';
import { dnsModule } from './dns-module';
import { httpModule } from './http-module';
import { persistenceModule } from './persistence-module';
import { registryModule } from './registry-module';
import { sandboxModule } from './sandbox-module';
import { systemModule } from './system-module';

export interface RunningContainer {
  readonly container: Container;
  readonly database: Database;
  /** Closes what was opened: the registry's connections first, then the database. */
  readonly close: () => Promise<void>;
}

/** Opens and migrates the database, connects the registry, and wires everything. @throws ConfigurationError, and then nothing is left open */
export async function createContainer(config: Config, secretKey = loadSecretKey(config)): Promise<RunningContainer> {
  const database = new Database(config.database, SERVICE_CONTENT);
  await database.open();
  const log = new PinoLog(createLogger(config.logLevel));
  const registry = await openRegistries(config, { clock: new SystemClock(), log, env: process.env }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(systemModule(config, secretKey, log), persistenceModule(database), registryModule(registry), applicationModule(), dnsModule(config), httpModule(config), dashboardModule(config, secretKey, { sandbox: registry.sandbox !== undefined }));
  if (registry.sandbox) container.load(sandboxModule());
  return {
    container,
    database,
    close: async () => {
      await registry.close();
      await database.close();
    },
  };
}
