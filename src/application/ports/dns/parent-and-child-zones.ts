import { token } from '../inject';
import type { CdsScanState } from '../../../domain/dns/dnssec/cds-scan';
import type { ChildRecords } from '../../../domain/dns/dnssec/child-ds-records';
import type { DsRecord, DnsKey } from '../../../domain/dns/delegation/ds-record';
import type { NoticeResult } from '../../../domain/dns/dnssec/parent-notice';
import type { ZoneDelegation } from '../../../domain/dns/delegation/delegation';

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
