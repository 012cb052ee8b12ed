import { ConfigurationError, readEnvironment, type Config } from '../config';
import { prepareRegistries } from '../infrastructure/registry/routing/prepare-registries';

/** The configuration that the environment gives. @throws ConfigurationError with its issues and those of the file of registries, before anything is opened */
export async function checkedConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const { config, issues } = readEnvironment(env);
  const { issues: registryIssues } = await prepareRegistries(config, env);
  if (issues.length + registryIssues.length > 0) throw new ConfigurationError([...issues, ...registryIssues]);
  return config;
}
