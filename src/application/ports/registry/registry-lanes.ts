import type { DomainName } from '../../../domain/registration/domain-name';

export interface RegistryLane {
  /** The operator's name for the registry. */
  readonly registry: string;
  /** Calls that it takes at one time from each process; what is beyond them waits before it. */
  readonly concurrency: number;
}

/** Which registry a name is asked of: what one of them leaves waiting must not keep from the others. */
export interface RegistryLanes {
  /** Undefined where no registry serves the name's TLD (any more). */
  laneOf(name: DomainName): RegistryLane | undefined;
}
export const RegistryLanes = Symbol('RegistryLanes');
