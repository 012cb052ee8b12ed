import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { ZoneState } from './zone-publisher';

/** A zone that we serve: its domain is registered with us and not in redemption. */
export interface PublishedZone extends ZoneState {
  readonly accountId: string;
  /** The domain's nameservers; the NS RRset at the apex repeats them. */
  readonly nameservers: readonly string[];
}

/** One consistent snapshot of a zone. */
export interface ZoneSnapshot extends PublishedZone {
  /** All records, page by page, sorted by name and then by type. */
  records(): AsyncIterable<readonly DnsRecordState[]>;
  /** The NS records at the apex, which share an RRset with the delegation. */
  rootNameservers(): Promise<readonly DnsRecordState[]>;
}

/** One consistent snapshot of the list of all served zones. */
export interface CatalogSnapshot {
  readonly version: number;
  members(): AsyncIterable<readonly CatalogMember[]>;
}

/** A zone with the time of its last change, on the clock of the process that changed it. */
export interface ChangedZone extends ZoneState {
  readonly changedAt: Date;
}

export interface CatalogMember {
  readonly domainId: string;
  readonly zoneName: string;
}

/** Reads the committed state of the served zones. */
export interface PublishedZones {
  /** Undefined if no zone of that name is served. */
  find(zoneName: string): Promise<PublishedZone | undefined>;
  /** Calls `use` with the zone, or undefined if it is not served. The snapshot is valid until `use` settles. */
  withSnapshot<T>(zoneName: string, use: (zone: ZoneSnapshot | undefined) => Promise<T>): Promise<T>;
  /** Whether the zone has a record at `name`, in relative form, or below it (RFC 4592, section 2.2.2). */
  hasName(domainId: string, name: string): Promise<boolean>;
  withCatalog<T>(use: (catalog: CatalogSnapshot) => Promise<T>): Promise<T>;
  catalogVersion(): Promise<number>;
  /**
   * The current state of the zones changed at or after `time`, page by page, in order of the change. A zone that changes
   * during the iteration is repeated.
   */
  changedSince(time: Date): AsyncIterable<readonly ChangedZone[]>;
  /** Calls `listener` after each commit of this process that changes a delegation or the list of served zones. */
  onChange(listener: () => void): void;
}
export const PublishedZones = Symbol('PublishedZones');
