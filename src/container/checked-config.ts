import { ConfigurationError, readEnvironment, type Config } from '../config';
import { prepareRegistries } from '../infrastructure/registry/routing/prepare-registries';

/** The configuration that the environment gives. @throws ConfigurationError with its faults and those of the file of registries, before anything is opened */
export async function checkedConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const { config, faults } = readEnvironment(env);
  const { faults: faultsOfFile } = await prepareRegistries(config, env);
  if (faults.length + faultsOfFile.length > 0) throw new ConfigurationError([...faults, ...faultsOfFile]);
  return config;
}
