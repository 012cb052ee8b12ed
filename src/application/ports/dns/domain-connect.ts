import { token } from '../inject';
import type { Actor } from '../../../domain/access/actor';
import type { AppliedInstance } from '../../../domain/domain-connect/applied-instance';

/** What lists have of a template. */
export interface ListedConnectTemplate {
  readonly providerId: string;
  readonly serviceId: string;
  readonly providerName: string;
  readonly serviceName: string;
  /** Whether requests must be signed. */
  readonly isSigned: boolean;
  readonly templateVersion: number | null;
  /** SHA-256 of the text, in hexadecimal. */
  readonly digest: string;
  readonly changedAt: Date;
}

export interface StoredConnectTemplate extends ListedConnectTemplate {
  /** JSON, as the operator gave it. */
  readonly template: string;
}

/** Reads committed state. */
export interface ConnectTemplateReader {
  find(providerId: string, serviceId: string): Promise<StoredConnectTemplate | undefined>;
  /** By provider and service. */
  all(): Promise<readonly ListedConnectTemplate[]>;
  /** Whether the operator has switched a provider on or off; undefined if neither. */
  choice(providerId: string): Promise<boolean | undefined>;
  choices(): Promise<ReadonlyMap<string, boolean>>;
}
export const ConnectTemplateReader = token<ConnectTemplateReader>('ConnectTemplateReader');

/** Within a unit of work. */
export interface ConnectTemplateRepository {
  /** In place of those with the same provider and service. */
  put(templates: readonly StoredConnectTemplate[]): Promise<void>;
  choose(providerId: string, isOn: boolean, at: Date): Promise<void>;
}

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
