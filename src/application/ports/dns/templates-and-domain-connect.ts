import type { AccountTemplate } from '../../../domain/dns/templates/record-template';
import type { Actor } from '../../../domain/access/actor';
import type { AppliedInstance } from '../../../domain/domain-connect/applied-instance';
import { token } from '../inject';
import type { DelegationState } from '../../../domain/dns/delegation/delegation';

/** Reads committed state. */
export interface TemplateReader {
  /** By name. */
  ofAccount(accountId: string): Promise<readonly AccountTemplate[]>;
  find(accountId: string, id: string): Promise<AccountTemplate | undefined>;
}
export const TemplateReader = token<TemplateReader>('TemplateReader');

/** Within a unit of work. */
export interface TemplateRepository {
  find(accountId: string, id: string): Promise<AccountTemplate | undefined>;
  /** How many the account has. The account must be locked for the number to stay true. */
  count(accountId: string): Promise<number>;
  add(template: AccountTemplate): Promise<void>;
  save(template: AccountTemplate): Promise<void>;
  remove(id: string): Promise<void>;
}

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

/** What decides whether service providers find a zone. */
export interface ZoneDiscovery {
  readonly domainId: string;
  readonly accountId: string;
  readonly zoneName: string;
  /** Whether service providers may ask to change the zone. */
  readonly connects: boolean;
  /** The text of the discovery record that it is served with. */
  readonly discovery: string | null;
  readonly isServed: boolean;
  /** Of a registered name: those that the registry delegates to. */
  readonly nameservers: readonly string[];
  /** Of a name without a registration: what its parent said last; null if it was not asked. Undefined for a registered one. */
  readonly delegation: DelegationState | null | undefined;
}

/** Reads committed state. */
export interface ZoneDiscoveryReader {
  find(domainId: string): Promise<ZoneDiscovery | undefined>;
  /** Of live zones with a discovery record or, unless `onlyDiscovered`, that may be connected: by id, after `after`. */
  page(
    limit: number,
    options: { readonly onlyDiscovered: boolean; readonly after: string },
  ): Promise<readonly ZoneDiscovery[]>;
}
export const ZoneDiscoveryReader = token<ZoneDiscoveryReader>('ZoneDiscoveryReader');
