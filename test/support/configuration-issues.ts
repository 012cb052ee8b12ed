import { ConfigurationError, loadConfig } from '../../src/config';

export function issuesOf(env: NodeJS.ProcessEnv): ConfigurationError {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}
