import { setTimeout as sleep } from 'node:timers/promises';
import { RegistryUnavailable } from '../../ports/registry/registry-errors';

const ATTEMPTS = 3;

/** Repeats a query while the registry does not respond. @throws RegistryUnavailable after three attempts */
export async function retryQuery<T>(query: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await query();
    } catch (error) {
      if (!(error instanceof RegistryUnavailable) || attempt >= ATTEMPTS) throw error;
      await sleep(error.retryAfterSeconds * 1_000);
    }
  }
}
