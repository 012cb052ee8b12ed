import { token } from '../inject';
import type { RegistryPort } from './registry-port';

/** Shares each registry's capacity fairly between accounts. */
export interface AccountRegistries {
  /** All registries behind one port whose calls count for the account. */
  forAccount(accountId: string): RegistryPort;
}
export const AccountRegistries = token<AccountRegistries>('AccountRegistries');
