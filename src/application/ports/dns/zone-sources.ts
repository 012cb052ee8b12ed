import { token } from '../inject';
import type { DnsKey } from '../../../domain/dns/delegation/ds-record';
import type { TsigKey } from '../../../domain/dns/secondaries/tsig-key';
import type { DelegationState } from '../../../domain/dns/delegation/delegation';

/**
 * Reads zones that other nameservers serve. Connects to public addresses only, unless the operator allows others. Few zones are
 * read at a time, of an account and of all: `ZoneSourceFailed` for more.
 */
export interface ZoneSources {
  /** By AXFR (RFC 5936). @throws ZoneSourceFailed */
  transfer(request: ZoneTransferRequest, accountId: string): Promise<FoundZone>;
  /**
   * Asks for the usual names and types. Finds no other names, so the result may be incomplete.
   * @throws ZoneSourceFailed if no nameserver responds
   */
  lookUp(zoneName: string, nameservers: readonly string[], accountId: string): Promise<FoundZone>;
  /** Which of the nameservers answer authoritatively for the zone, and the zone's TTLs in seconds there. */
  check(zoneName: string, nameservers: readonly string[], accountId: string): Promise<readonly NameserverCheck[]>;
  /** The keys of the zone at each nameserver, and those that prove its DNSKEY records (RFC 4035 section 5.2). */
  keys(zoneName: string, nameservers: readonly string[], accountId: string): Promise<readonly NameserverKeys[]>;
}
export const ZoneSources = token<ZoneSources>('ZoneSources');

export interface ZoneTransferRequest {
  readonly zoneName: string;
  /** Host name or IP address; the port only for addresses that the operator allows. */
  readonly nameserver: string;
  readonly tsig?: TsigKey | undefined;
}

export interface FoundZone {
  /** RFC 1035, section 5.1. */
  readonly zoneFile: string;
  /** How many records of types that this service does not have were left out, by type. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** A zone file that can be imported as it is. */
export interface ImportableZone extends FoundZone {
  /** What the nameservers serve and this service refuses, with the reason: `mx.example.com. MX 0 _a.example.com.: MX content is invalid…`. */
  readonly leftOut: readonly string[];
}

export interface NameserverCheck {
  readonly nameserver: string;
  readonly state: 'answers' | 'not authoritative' | 'does not answer';
  /** Of the NS records and of negative answers, in seconds; null unless it answers. */
  readonly delegationTtl: number | null;
  readonly negativeTtl: number | null;
}

export interface NameserverKeys {
  readonly nameserver: string;
  /** Undefined without an authoritative answer. */
  readonly served: ServedKeys | undefined;
}

export interface ServedKeys {
  readonly keys: readonly DnsKey[];
  /** Those of `keys` that have a valid signature over the DNSKEY records. */
  readonly signing: readonly DnsKey[];
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
