import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { ZoneState } from './zone-publisher';

/** A zone that is served: its domain is registered with us and has not lapsed. */
export interface PublishedZone extends ZoneState {
  /** The domain's delegation, which the zone's own NS records repeat. */
  readonly nameservers: readonly string[];
}

/** One zone as it was at one moment, however long the reading takes. */
export interface ZoneSnapshot extends PublishedZone {
  /** The records, ordered by name and then by type. */
  records(): AsyncIterable<readonly DnsRecordState[]>;
  /** The records of type NS at the root, which belong into one set with the delegation. */
  rootNameservers(): Promise<readonly DnsRecordState[]>;
}

/** The list of all zones that are served, as it was at one moment. */
export interface CatalogSnapshot {
  readonly version: number;
  members(): AsyncIterable<readonly CatalogMember[]>;
}

/** A zone with the time of its last change, by the clock of the process that changed it. */
export interface ChangedZone extends ZoneState {
  readonly changedAt: Date;
}

export interface CatalogMember {
  readonly domainId: string;
  readonly zoneName: string;
}

/** Reads committed state of what is served to the world. */
export interface PublishedZones {
  /** Undefined where no zone of that name is served. */
  find(zoneName: string): Promise<PublishedZone | undefined>;
  /** Gives `use` the zone, or undefined. A snapshot is good until `use` returns. */
  withSnapshot<T>(zoneName: string, use: (zone: ZoneSnapshot | undefined) => Promise<T>): Promise<T>;
  withCatalog<T>(use: (catalog: CatalogSnapshot) => Promise<T>): Promise<T>;
  catalogVersion(): Promise<number>;
  /** The zones changed at or after `time` as they are now, by the time of the change, page by page. A zone that changes meanwhile comes again. */
  changedSince(time: Date): AsyncIterable<readonly ChangedZone[]>;
  /** Calls `listener` after each commit of this process that changed a delegation or which zones are served. */
  onChange(listener: () => void): void;
}
export const PublishedZones = Symbol('PublishedZones');
