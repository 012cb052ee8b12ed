import type { RegistryPort } from './registry-port';

/** What one registry has to tell us: `poll` and `acknowledge` as `RegistryPort` says, of this registry alone. */
export interface RegistryQueue extends Pick<RegistryPort, 'poll' | 'acknowledge'> {
  /** The operator's name for the registry. */
  readonly registry: string;
}

/** The registries one by one: a message that one of them cannot get rid of must not keep those of the others. */
export interface RegistryQueues {
  queues(): readonly RegistryQueue[];
}
export const RegistryQueues = Symbol('RegistryQueues');
