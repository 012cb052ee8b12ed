import type { KeyObject } from 'node:crypto';
import { Container } from 'inversify';
import { ConfigurationError, type Config } from '../config';
import { AesSecretBox } from '../infrastructure/system/aes-secret-box';
import { loadSecretKey } from '../infrastructure/system/secret-key';
import { createLogger, PinoLog } from '../infrastructure/system/pino-log';
import { SystemClock } from '../infrastructure/system/system-clock';
import { Database } from '../infrastructure/persistence/database/database';
import { opensDatabase, replaceProof } from '../infrastructure/persistence/sealing/secret-key-proof';
import { SERVICE_CONTENT } from '../infrastructure/persistence/service-content';
import { openRegistries } from '../infrastructure/registry/routing/open-registries';
import { prepareRegistries } from '../infrastructure/registry/routing/prepare-registries';
import { compatModule } from './compat-module';
import { dashboardModule } from './dashboard-module';
import { dnsModule } from './dns-module';
import { httpModule } from './http-module';
import { persistenceModule } from './persistence-module';
import { registryModule } from './registry-module';
import { systemModule } from './system-module';

export interface RunningContainer {
  readonly container: Container;
  readonly database: Database;
  /** The names of the migrations that were run to open the database. */
  readonly migrated: readonly string[];
  /** Closes what was opened: the registry's connections first, then the database. */
  readonly close: () => Promise<void>;
}

export interface Opening {
  readonly secretKey?: KeyObject;
  /** Replaces a lost key by the configured one, which becomes the key of the database. */
  readonly replaceLostKey?: boolean;
}

/** Opens and migrates the database, connects the registry, and wires everything. @throws ConfigurationError, and then nothing is left open */
export async function createContainer(
  config: Config,
  { secretKey = loadSecretKey(config), replaceLostKey = false }: Opening = {},
): Promise<RunningContainer> {
  const { registries, issues } = await prepareRegistries(config, process.env);
  if (issues.length > 0) throw new ConfigurationError(issues);
  const database = new Database(config.database, SERVICE_CONTENT);
  const migrated = await database.open();
  const log = new PinoLog(createLogger(config.logLevel));
  const secrets = new AesSecretBox(secretKey);
  const connecting = async () => {
    if (replaceLostKey) await database.transaction((manager) => replaceProof(secrets, manager));
    if (!(await opensDatabase(secrets, database))) throw otherKey(config);
    return openRegistries(registries, {
      clock: new SystemClock(),
      log,
      currency: config.currency,
      mainDatabase: config.database,
    });
  };
  const registry = await connecting().catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  // Injectable classes bind themselves, one instance each; the modules bind ports, settings and what is optional.
  const container = new Container({ autobind: true, defaultScope: 'Singleton' });
  container.load(
    systemModule(config, { secretKey, secrets }, log),
    persistenceModule(database),
    registryModule(registry),
    dnsModule(config),
    httpModule(config),
    compatModule(config),
    dashboardModule(config, secretKey, { sandbox: registry.sandbox !== undefined }),
  );
  return {
    container,
    database,
    migrated,
    close: async () => {
      await registry.close();
      await database.close();
      log.writeRepeated();
    },
  };
}

function otherKey({ secretKey: source }: Config): ConfigurationError {
  const [variable, which] =
    source.kind === 'given' ? ['SECRET_KEY', 'is'] : ['SECRET_KEY_FILE', `(${source.file}) holds`];
  return new ConfigurationError([
    {
      path: variable,
      message: `${which} another key than the one that this database is sealed with: bring that back, or see "Key rotation" in docs/operations.md`,
    },
  ]);
}
