import { token } from '../inject';
import type { DelegationState } from '../../../domain/dns/delegation';

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
