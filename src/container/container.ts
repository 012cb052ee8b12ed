import { hkdfSync, type KeyObject } from 'node:crypto';
import { Container } from 'inversify';
import type { Log } from '../application/ports/system';
import { ReplicaWatch } from '../application/shared/replica-watch';
import { ConfigurationError, type Config } from '../config';
import { AesSecretBox } from '../infrastructure/system/aes-secret-box';
import { loadSecretKey } from '../infrastructure/system/secret-key';
import { LimitsStore } from '../infrastructure/limits/limits-store';
import { sharedCallsOf } from './shared-calls';
import { createLogger, PinoLog } from '../infrastructure/system/pino-log';
import { SystemClock } from '../infrastructure/system/system-clock';
import { Database } from '../infrastructure/persistence/database/database';
import { opensDatabase, replaceProof } from '../infrastructure/persistence/sealing/secret-key-proof';
import { SqlRegistryValues } from '../infrastructure/persistence/registration/sql-registry-values';
import { SERVICE_CONTENT } from '../infrastructure/persistence/service-content';
import {
  openRegistries,
  type RegistryStatus,
  type RunningRegistries,
} from '../infrastructure/registry/routing/open-registries';
import { prepareRegistries } from '../infrastructure/registry/routing/prepare-registries';
import { IdentityProviders } from '../application/ports/access/authentication';
import { OpenIdProviders } from '../infrastructure/identity/openid-providers';
import { readProviders } from '../infrastructure/identity/read-providers';
import { dnsModule } from './dns-module';
import { limitsModule } from './limits-module';
import { mailModule } from './mail-module';
import { persistenceModule } from './persistence-module';
import { registryModule } from './registry-module';
import { systemModule } from './system-module';
import type { webModules } from './web-modules';

export interface RunningContainer {
  readonly container: Container;
  readonly database: Database;
  readonly registryStatuses: () => readonly RegistryStatus[];
  readonly shareRegistries: RunningRegistries['shareAmong'];
  /** The names of the migrations that were run to open the database. */
  readonly migrated: readonly string[];
  /** Closes everything. Other processes count this one until its sessions with registries are closed. */
  readonly close: () => Promise<void>;
}

export interface Opening {
  readonly secretKey?: KeyObject;
  /** Replaces a lost key by the configured one, which becomes the key of the database. */
  readonly replaceLostKey?: boolean;
  /** `webModules`, in a process that serves HTTP. */
  readonly serving?: typeof webModules;
}

/** Opens and migrates the database, connects the registry, and wires everything. @throws ConfigurationError, and then nothing is left open */
export async function createContainer(
  config: Config,
  { secretKey = loadSecretKey(config), replaceLostKey = false, serving = () => [] }: Opening = {},
): Promise<RunningContainer> {
  const openFiles: string[] = [];
  const providers = readProviders(config.oidcProvidersFile, process.env, (file) => void openFiles.push(file));
  const { registries, issues } = await prepareRegistries(config, process.env);
  if (issues.length > 0) throw new ConfigurationError(issues);
  const database = new Database(config.database, SERVICE_CONTENT);
  const migrated = await database.open();
  const log = new PinoLog(createLogger(config.logLevel));
  if (openFiles.length > 0)
    log.warn({ files: openFiles }, 'files with secrets of identity providers are readable by other users (chmod 600)');
  const secrets = new AesSecretBox(secretKey);
  const limitsStore = openLimitsStore(config, secretKey, log);
  const connecting = async () => {
    if (replaceLostKey) await database.transaction((manager) => replaceProof(secrets, manager));
    if (!(await opensDatabase(secrets, database))) throw otherKey(config);
    return openRegistries(
      registries,
      {
        clock: new SystemClock(),
        log,
        currency: config.currency,
        mainDatabase: config.database,
        storedFor: (name) => new SqlRegistryValues(database, name),
      },
      sharedCallsOf(config.database, database, limitsStore),
    );
  };
  const registry = await connecting().catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  // Injectable classes bind themselves, one instance each; the modules bind ports, settings and optional parts.
  const container = new Container({ autobind: true, defaultScope: 'Singleton' });
  container.load(
    systemModule(config, { secretKey, secrets }, log),
    limitsModule(config, limitsStore),
    persistenceModule(database),
    mailModule(config, secretKey, { sandbox: registry.sandbox !== undefined }),
    registryModule(registry),
    dnsModule(config),
    ...serving(config, secretKey, { sandbox: registry.sandbox !== undefined, providers }),
  );
  container.bind(IdentityProviders).toConstantValue(new OpenIdProviders(providers, log));
  return {
    container,
    database,
    registryStatuses: registry.statuses,
    shareRegistries: registry.shareAmong,
    migrated,
    close: async () => {
      await registry.close();
      await container.get(ReplicaWatch).stop();
      limitsStore?.close();
      await database.close();
      log.writeRepeated();
    },
  };
}

function openLimitsStore({ limitsStore: url }: Config, secretKey: KeyObject, log: Log): LimitsStore | undefined {
  if (url === undefined) return undefined;
  return new LimitsStore({ url, hashKey: Buffer.from(hkdfSync('sha256', secretKey, '', 'limits store', 32)) }, log);
}

function otherKey({ secretKey: source }: Config): ConfigurationError {
  const [variable, which] =
    source.kind === 'given' ? ['SECRET_KEY', 'is'] : ['SECRET_KEY_FILE', `(${source.file}) holds`];
  return new ConfigurationError([
    {
      path: variable,
      message: `${which} another key than the one that this database is sealed with: bring that back, or see docs/operations/key-rotation.md`,
    },
  ]);
}
