import type { DomainName } from '../../domain/registration/domain-name';

export interface RegistryLane {
  /** The operator's name for the registry. */
  readonly registry: string;
  /** Calls under way there at one time, for each process. */
  readonly concurrency: number;
}

/** Which registry a name is asked of: what one of them leaves waiting must not keep from the others. */
export interface RegistryLanes {
  /** Undefined where no registry serves the name's TLD (any more). */
  laneOf(name: DomainName): RegistryLane | undefined;
}
export const RegistryLanes = Symbol('RegistryLanes');
