import { token } from '../inject';
import type { DomainName } from '../../../domain/shared/domain-name';

export interface RegistryCapacity {
  /** The registry's name in the registries file. */
  readonly registry: string;
  /** Concurrent calls to the registry from each process. Further calls wait. */
  readonly concurrency: number;
}

/** Which registry serves a name, so that calls waiting for one registry do not delay the others. */
export interface RegistryDirectory {
  /** Undefined if no registry serves the name's TLD (any more). */
  registryFor(name: DomainName): RegistryCapacity | undefined;
}
export const RegistryDirectory = token<RegistryDirectory>('RegistryDirectory');
