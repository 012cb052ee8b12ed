import { token } from '../inject';
import type { Actor } from '../../../domain/access/actor';
import type { AppliedInstance } from '../../../domain/domain-connect/applied-instance';

/** A service that a person connected to a domain. */
export interface ConnectedService extends AppliedInstance {
  readonly accountId: string;
  readonly domainId: string;
  readonly providerName: string;
  readonly serviceName: string;
  /** Null: all groups of the template. */
  readonly groups: readonly string[] | null;
  /** Of the zone, after the service was connected. */
  readonly zoneVersion: number;
  readonly connectedBy: Actor;
  readonly connectedAt: Date;
}

/** Reads committed state. */
export interface ConnectedServiceReader {
  /** Oldest first. */
  ofDomain(accountId: string, domainId: string): Promise<readonly ConnectedService[]>;
}
export const ConnectedServiceReader = token<ConnectedServiceReader>('ConnectedServiceReader');

/** Within a unit of work that has locked the zone. */
export interface ConnectedServiceRepository extends ConnectedServiceReader {
  add(service: ConnectedService): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
}
