import { token } from '../inject';
import type { Actor } from '../../../domain/access/actor';
import type { DnsRecord, DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { ZoneHead } from '../../../domain/dns/zone';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import type { ZoneDiscovery } from './templates-and-domain-connect';

/** Reads committed state; each call sees a different moment. Equal versions before and after mean that the zone did not change. */
export interface ZoneReader {
  /** Does not lock. Undefined if the zone does not exist. */
  find(domainId: string): Promise<ZoneHead | undefined>;
  /** Those of `ids` that are the zone's. */
  findRecords(domainId: string, ids: readonly string[]): Promise<readonly DnsRecord[]>;
  /** What each zone, by its domain's id, has at some names. */
  recordsAt(places: readonly ZonePlaces[]): Promise<ReadonlyMap<string, readonly DnsRecord[]>>;
  /** The names with records below a relative name. */
  namesBelow(domainId: string, name: string): Promise<readonly string[]>;
  /** Whether DNSSEC is on for the zone, or is being switched on or off. */
  isSigned(domainId: string): Promise<boolean>;
  past(zone: ZoneHead): Promise<ZonePast>;
  /** Computes ahead what `apply` needs for a change of many records, so that a transaction is not open meanwhile. */
  prepare(change: ZoneChange): Promise<void>;
}
export const ZoneReader = token<ZoneReader>('ZoneReader');

/** Within a unit of work. A zone has one writer at a time, and the writer sees every record as committed. */
export interface ZoneRepository extends Omit<ZoneReader, 'find'> {
  /** Begins past the version and the serial of every earlier zone of that name: nameservers that remember one take up no lower serial. */
  create(domainId: string, by: ZoneWrite['by']): Promise<void>;
  /** Locks the zone for the rest of the unit of work. */
  lock(domainId: string): Promise<ZoneHead | undefined>;
  /** Locks those of these zones that no other transaction holds, by their domain's id. It does not wait. */
  lockFree(domainIds: readonly string[]): Promise<ReadonlyMap<string, ZoneHead>>;
  /**
   * Makes the signatures of what `apply` is to write, before the first write of the unit of work: reads are faster until then, and the
   * signatures are written together with the records. Optional, and does nothing for unsigned zones.
   */
  signAhead(writes: readonly ZoneWrite[]): Promise<void>;
  /**
   * Writes changes in their order, raises the version of their zone by one each, and the serial if what is served changes, and keeps
   * them in the zone's history. Several changes of one zone have the `zone` as the change before leaves it. Returns the zones as each change leaves them.
   * @throws RecordConflict for an identical record.
   */
  apply(writes: readonly ZoneWrite[]): Promise<readonly ZoneHead[]>;
  /**
   * Raises the zone's serial alone by one: the published zone changed, its records did not. Waits until the zone is free.
   * @param touched what the signatures of a signed zone have to follow, besides the SOA record and the apex
   */
  raiseSerial(domainId: string, touched?: SerialRaise): Promise<void>;
  /** As in this unit of work; undefined if the zone's name is gone. */
  findDiscovery(domainId: string): Promise<ZoneDiscovery | undefined>;
  /** Serves a locked zone with this discovery record, or without; raises the serial, not the version. */
  setDiscovery(domainId: string, discovery: string | null): Promise<void>;
  /** Whether service providers may ask to change the zone. */
  setConnects(domainId: string, connects: boolean): Promise<void>;
  /** Raises the version of the list of served zones by one, and keeps the change for its history. */
  changeCatalog(change: CatalogChange): Promise<void>;
  /** Sets when these records were last confirmed. Does not raise the version. */
  confirm(domainId: string, recordIds: readonly string[], at: Date): Promise<void>;
}

/** A zone that is listed from now on, or no longer. */
export interface CatalogChange {
  readonly domainId: string;
  readonly zoneName: string;
  readonly isMember: boolean;
  readonly at: Date;
}

/** Why the serial rises. */
export interface SerialRaise {
  /** Relative names with other published records than before. */
  readonly names?: readonly string[];
  /** The whole zone is signed again, or not signed any longer. */
  readonly isWhole?: boolean;
  /** Derived RRsets that get new signatures, as `name type`. */
  readonly expiring?: readonly string[];
}

export interface ZonePlaces {
  readonly domainId: string;
  /** Owner names in relative form. */
  readonly names: readonly string[];
}

export interface ZoneWrite {
  readonly zone: ZoneHead;
  /** Changes no record if only the delegation changes. */
  readonly change: ZoneChange;
  readonly by: Pick<ZoneVersion, 'actor' | 'at'>;
  /** The domain's nameservers until now, if the delegation changes, or whether the zone is served. */
  readonly nameserversBefore?: readonly string[];
  /** The zone's records before the first of the writes, at names that have been read. */
  readonly stored?: ReadonlyMap<string, readonly DnsRecord[]>;
}

/** A version of a zone, with the number of records that its change touched; zero if the delegation changed and no record repeats it. */
export interface ZoneVersion {
  readonly version: number;
  readonly at: Date;
  readonly actor: Actor;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** The domain's nameservers until then, if the delegation may have changed; undefined if only records did. */
  readonly nameserversBefore: readonly string[] | undefined;
}

/** A record that a change touched: `before` is null if it was added, `after` is null if it was removed. */
export interface RecordTouched {
  readonly before: DnsRecordState | null;
  readonly after: DnsRecordState | null;
}

/** A zone at one moment, with as much of its past as is kept: changes, and not copies. */
export interface ZonePast {
  readonly version: number;
  readonly serial: number;
  /** The oldest version that the kept changes lead back to. */
  readonly oldestVersion: number;
  /** All records, oldest first. */
  records(): Promise<readonly DnsRecordState[]>;
  /** What the versions after `version` did, newest first, in pieces; within one version each record is touched once. */
  changesAfter(version: number): AsyncIterable<readonly RecordTouched[]>;
  /** The domain's nameservers at a version; undefined if they have not changed since. */
  nameserversAt(version: number): Promise<readonly string[] | undefined>;
}

/** What changed in a zone since it was last signed. */
export interface TouchedNames {
  /** Relative names with other records than before. The SOA record changes with every change. */
  readonly names: ReadonlySet<string>;
  /** Those that became a delegation or DNAME or no longer are one, which concerns the names below them, too. */
  readonly cuts: ReadonlySet<string>;
}

/** What a unit of work changed in one zone, as its signatures have to follow. */
export interface TouchedZone extends TouchedNames {
  /** The zone has to be signed completely, or is not signed any longer. */
  readonly isWhole: boolean;
  /** Derived RRsets that get new signatures although they do not change, as `name type`. */
  readonly expiring: ReadonlySet<string>;
  /** Of its records, in their order. */
  readonly changes: readonly ZoneChange[];
}

/** Signatures that were made before the changes are written. */
export interface PlannedSignatures {
  readonly domainId: string;
  readonly changes: readonly ZoneChange[];
  readonly write: () => Promise<void>;
}
