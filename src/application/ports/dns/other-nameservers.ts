import type { DnsKey, DsRecord } from '../../../domain/dns/delegation/ds-record';
import type { TsigKey } from '../../../domain/dns/secondaries/tsig-key';
import type { ZoneDelegation } from '../../../domain/dns/delegation/delegation';
import { token } from '../inject';
import type { CdsScanState } from '../../../domain/dns/dnssec/parent/cds-scan';
import type { ChildRecords } from '../../../domain/dns/dnssec/parent/child-ds-records';
import type { NoticeResult } from '../../../domain/dns/dnssec/parent/parent-notice';

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

/** The DS records of a name as its parent's nameservers serve them. */
export interface PublishedDsRecords {
  /** Those of each nameserver that answered, at least one. */
  readonly sets: readonly (readonly DsRecord[])[];
  /** Whether every nameserver of the parent answered: the others may serve former records. */
  readonly isComplete: boolean;
  /** The longest TTL of the records, in seconds; undefined if there are none. */
  readonly ttl: number | undefined;
}

/** Asks the nameservers of parent zones. */
export interface ParentZone {
  /** Undefined if no resolver is configured to find the nameservers, or none of them answers. Never fails. */
  queryDsRecords(name: string): Promise<PublishedDsRecords | undefined>;
}
export const ParentZone = token<ParentZone>('ParentZone');

/**
 * Reads what zones of other nameservers ask their parent for. Connects to public addresses only, unless the operator allows others.
 * What a nameserver can send is limited in time and size. Never fails.
 */
export interface ChildZones {
  /** The DNSKEY, CDS and CDNSKEY records at each nameserver, over TCP, with the keys that prove them at present. */
  read(zoneName: string, nameservers: readonly string[]): Promise<readonly ChildAnswer[]>;
  /** What the operator of each nameserver publishes for the zone under its own signed name (RFC 9615). */
  signals(zoneName: string, nameservers: readonly string[]): Promise<readonly ChildSignal[]>;
}
export const ChildZones = token<ChildZones>('ChildZones');

export interface ChildAnswer {
  readonly nameserver: string;
  /** Undefined without complete authoritative answers. */
  readonly records: ChildRecords | undefined;
}

export interface ChildSignal {
  readonly nameserver: string;
  /** Undefined if no resolver has validated an answer. */
  readonly signal: { readonly cds: readonly DsRecord[]; readonly cdnskeys: readonly DnsKey[] } | undefined;
}

/** A domain that may have to be scanned. */
export interface ScanCandidate {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly nameservers: readonly string[];
}

/** Reads committed state. */
export interface CdsScanReader {
  /** A served domain by its name, if this service does not sign its zone. */
  candidate(name: string): Promise<ScanCandidate | undefined>;
  /** The last scan of a domain. */
  find(domainId: string): Promise<CdsScanState | undefined>;
  /**
   * Served domains of all accounts after the id `after`, in order of their ids. Those whose zone this service signs and those whose
   * next scan is not due at `now` are left out.
   */
  candidates(now: Date, after: string, limit: number): Promise<readonly ScanCandidate[]>;
}
export const CdsScanReader = token<CdsScanReader>('CdsScanReader');

/** Within a unit of work. */
export interface CdsScanRepository {
  save(scan: CdsScanState): Promise<void>;
}

/** The NS records of a name as its parent's nameservers serve them. */
export interface PublishedDelegation {
  /** The host names at each nameserver that answered, at least one; none where the name is not delegated. */
  readonly sets: readonly (readonly string[])[];
  /** Whether every nameserver of the parent answered. */
  readonly isComplete: boolean;
  /** The longest TTL of the records, in seconds; undefined if there are none. */
  readonly ttl: number | undefined;
}

/**
 * Who changes the DS records of a zone at its parent when it reads the zone's CDS records (RFC 7344), or when a person tells it to.
 * What a nameserver can send is limited in time and size. Never fails.
 */
export interface ParentalAgent {
  /** As the parent's nameservers serve them. Undefined if none of them can be asked now. */
  queryDsRecords(name: string): Promise<PublishedDsRecords | undefined>;
  /** The nameservers to which the parent delegates the name, as its own serve them. Undefined if none of these can be asked now. */
  queryDelegation(name: string): Promise<PublishedDelegation | undefined>;
  /**
   * Finds the receiver (RFC 9859, section 4.1) and sends it NOTIFY, which only hastens what the parent does in any case. Send it when
   * every nameserver serves the records. A repetition changes nothing.
   */
  notify(name: string, type: 'CDS' | 'CSYNC'): Promise<NoticeResult>;
}
export const ParentalAgent = token<ParentalAgent>('ParentalAgent');

/** What the nameservers of a parent zone say of a name. */
export type DelegationAnswer =
  | { readonly kind: 'delegated'; readonly nameservers: readonly string[] }
  /** `parents`: the nameservers that said so; they answer for the name themselves. */
  | { readonly kind: 'none'; readonly parents: readonly string[] }
  /** None of them answers, or they disagree. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The texts of a name at one nameserver. */
export interface TextAnswer {
  readonly nameserver: string;
  /** Undefined without an authoritative answer. */
  readonly texts: readonly string[] | undefined;
}

/**
 * Asks nameservers themselves, over TCP: neither a cache nor a spoofed packet answers. Connects to public addresses only, unless the
 * operator allows others. What a nameserver can send is limited in time and size. Never fails.
 */
export interface ParentDelegations {
  /** What all answering nameservers of the closest zone above say alike. */
  find(name: string): Promise<DelegationAnswer>;
  /** The TXT records of a full name at each of these nameservers. */
  texts(name: string, nameservers: readonly string[]): Promise<readonly TextAnswer[]>;
}
export const ParentDelegations = token<ParentDelegations>('ParentDelegations');

/** Within a unit of work. */
export interface ZoneDelegationRepository {
  find(domainId: string): Promise<ZoneDelegation | undefined>;
  save(delegation: ZoneDelegation): Promise<void>;
  /** The zone is as one whose parent was never asked. */
  forget(domainId: string): Promise<void>;
}
