import type { RegistryPort } from './registry-port';

/** What registries take at a time is shared between the accounts that ask at the same time: none waits for all that another has asked. */
export interface RegistryShares {
  /** All registries, asked on behalf of that account. */
  forAccount(accountId: string): RegistryPort;
}
export const RegistryShares = Symbol('RegistryShares');
