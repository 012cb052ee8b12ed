import type { HostedName } from '../../../domain/dns/hosted-name';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { RecordType } from '../../../domain/dns/records/types/record-types';
import type { DerivedRrset } from './signing-repository';
import { token } from '../inject';
import type { Secondary } from '../../../domain/dns/secondaries/secondary';
import type { TsigAlgorithm, TsigKey } from '../../../domain/dns/secondaries/tsig-key';
import type { FoundZone } from './other-nameservers';

/** A zone that we serve: its domain is registered with us and not in redemption. */
export interface PublishedZone extends ZoneState {
  readonly accountId: string;
  /** The domain's nameservers; the NS RRset at the apex repeats them. */
  readonly nameservers: readonly string[];
  /** The text of its discovery record, which is not among its records; absent: it has none. */
  readonly discovery?: string | undefined;
}

/** One consistent snapshot of a zone. */
export interface ZoneSnapshot extends PublishedZone {
  /** All records, page by page, sorted by name and then by type. */
  records(): AsyncIterable<readonly DnsRecordState[]>;
  /** The NS records at the apex, which share an RRset with the delegation. */
  rootNameservers(): Promise<readonly DnsRecordState[]>;
  readonly recordCount: number;
  /**
   * What leads from the version with this SOA serial to the current one. Undefined if the stored history does not tell, or if the
   * history is much longer than the zone. @param names RRsets at these names are returned even if they did not change
   */
  differenceFrom(serial: number, names: readonly string[]): Promise<ZoneDifference | undefined>;
  /** What signing adds to the zone, page by page; undefined if the zone is not signed. The SOA record that was signed comes separately. */
  readonly signed?: {
    soa(): Promise<DerivedRrset>;
    derived(): AsyncIterable<readonly DerivedRrset[]>;
  };
}

/** A zone at an earlier version, as far as it differs. */
export interface ZoneDifference {
  /** The domain's nameservers then. */
  readonly nameservers: readonly string[];
  /** Among them may be RRsets that did not change. In place of ALIAS records are their addresses. */
  readonly rrsets: readonly RrsetChange[];
  /** What signing changed; empty if the zone was and is not signed. */
  readonly derived: readonly PublishedDerivedChange[];
}

/** Of a derived RRset, what is published. */
export type PublishedDerived = Pick<DerivedRrset, 'name' | 'type' | 'ttl' | 'rdata' | 'signatures' | 'chainKey'>;

/** A derived RRset at an earlier version and at the present one; null if it did not or does not exist. */
export interface PublishedDerivedChange {
  readonly before: PublishedDerived | null;
  readonly after: PublishedDerived | null;
}

/** The records of one name and type at an earlier version and at the present one. */
export interface RrsetChange {
  readonly name: string;
  readonly type: RecordType;
  readonly before: readonly DnsRecordState[];
  readonly after: readonly DnsRecordState[];
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

/** What leads from an earlier version of the list of served zones to the current one. */
export interface CatalogDifference {
  /** The current version. */
  readonly version: number;
  readonly removed: readonly CatalogMember[];
  readonly added: readonly CatalogMember[];
}

/** Reads the committed state of the served zones. */
export interface PublishedZones {
  /** Undefined if no zone of that name is served. */
  find(zoneName: string): Promise<(PublishedZone & Pick<HostedName, 'tags'>) | undefined>;
  /**
   * Calls `use` with the zone, or undefined if it is not served. The snapshot is valid until `use` settles.
   * @param accountId of a customer who reads: customers' snapshots do not delay publication
   */
  withSnapshot<T>(
    zoneName: string,
    use: (zone: ZoneSnapshot | undefined) => Promise<T>,
    accountId?: string,
  ): Promise<T>;
  /** Whether the zone has a record at `name`, in relative form, or below it (RFC 4592, section 2.2.2). */
  hasName(domainId: string, name: string): Promise<boolean>;
  withCatalog<T>(use: (catalog: CatalogSnapshot) => Promise<T>): Promise<T>;
  catalogVersion(): Promise<number>;
  /**
   * What leads from the version with this SOA serial to the current one. Undefined if the stored history does not tell, or if the
   * catalog has fewer members than the difference.
   */
  catalogDifference(serial: number): Promise<CatalogDifference | undefined>;
  /**
   * The current state of the zones changed at or after `time`, page by page, in order of the change. A zone that changes
   * during the iteration is repeated.
   */
  changedSince(time: Date): AsyncIterable<readonly ChangedZone[]>;
  /** Calls `listener` after each commit of this process that changes a delegation or the list of served zones. */
  onChange(listener: () => void): void;
}
export const PublishedZones = token<PublishedZones>('PublishedZones');

/** A zone as it has just been committed. */
export interface ZoneState {
  readonly domainId: string;
  readonly zoneName: string;
  /** Of the SOA record, without its wrap-around. */
  readonly serial: number;
}

/** A secondary's answer to a query for a zone's serial. */
export type SecondaryAnswer =
  | {
      readonly kind: 'serves';
      readonly serial: number;
      /** When this process first saw the secondary serve this serial. */
      readonly since: Date;
    }
  /** The secondary responds, but not for this zone: it does not have it yet, or refuses. */
  | { readonly kind: 'unknown_zone' }
  | { readonly kind: 'unreachable' };

export interface SecondaryReport {
  readonly secondary: string;
  readonly answer: SecondaryAnswer;
}

/** Publishes zones to the secondaries that serve them to the public. */
export interface ZonePublisher {
  /** Sends NOTIFY for a committed change, in the background, until every secondary serves it. Returns at once. */
  notifySecondaries(zone: ZoneState): void;
  /** Asks every secondary for its serial of the zone. Empty without secondaries. Never fails: a timeout is `unreachable`. */
  querySecondaries(zone: ZoneState): Promise<readonly SecondaryReport[]>;
}
export const ZonePublisher = token<ZonePublisher>('ZonePublisher');

/** A zone whose present serial has no event yet. */
export interface UnrecordedZone extends ZoneState {
  readonly accountId: string;
  readonly version: number;
}

/** Reads committed state. */
export interface ZonePublicationReader {
  /**
   * Those of the zones that are served, have changed since the feed of their account is read with `zone.published`, and of whose serial
   * that feed has no event.
   */
  unrecorded(zoneNames: readonly string[]): Promise<readonly UnrecordedZone[]>;
}
export const ZonePublicationReader = token<ZonePublicationReader>('ZonePublicationReader');

/** Within a unit of work: the latest serial of each zone that has an event. */
export interface ZonePublicationRepository {
  /** Stores the serials that are later than the stored ones, and returns their zones. Of processes that do it at once, one gets each. */
  advance<Z extends Pick<ZoneState, 'domainId' | 'serial'>>(zones: readonly Z[]): Promise<readonly Z[]>;
}

/** A TSIG key without its secret. */
export interface TsigKeyFacts {
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

export interface KnownTsigKey extends TsigKey {
  /** A secondary uses the key; requests signed with an unused key are refused. */
  readonly isInUse: boolean;
}

/** The secondaries and their TSIG keys. Each call is one transaction; secrets are encrypted at rest. */
export interface SecondaryDirectory {
  /** All keys, sorted by name. */
  keys(): Promise<readonly TsigKeyFacts[]>;
  /** Undefined for an unknown or revoked key. */
  findKey(name: string): Promise<KnownTsigKey | undefined>;
  /** @throws ValidationError if a key of that name has ever existed */
  addKey(key: TsigKey, now: Date): Promise<void>;
  /** Takes effect with the next message. Revoking again keeps the first time. @throws ValidationError for an unknown key */
  revokeKey(name: string, now: Date): Promise<void>;
  /** All secondaries, sorted by name. */
  all(): Promise<readonly Secondary[]>;
  /**
   * Adding the first signing secondary raises the version of every zone, because each zone then has one more record.
   * @throws ValidationError if a secondary of that name exists
   */
  add(secondary: Secondary): Promise<void>;
  /** Removing the last signing secondary raises every version, too. @throws ValidationError for an unknown secondary */
  remove(name: string): Promise<void>;
  /** The secondary serves every change made before this time. The epoch for a new or unknown secondary. */
  caughtUpTo(name: string): Promise<Date>;
  /** Stores `time` for `caughtUpTo` if it is later than the stored time. */
  keepCaughtUpTo(name: string, time: Date): Promise<void>;
  /** Raises the versions and serials of all zones and the version of the catalog by `step`. */
  raiseVersions(step: number): Promise<void>;
  /** The time of the last change of any zone; undefined without zones. */
  latestChange(): Promise<Date | undefined>;
}
export const SecondaryDirectory = token<SecondaryDirectory>('SecondaryDirectory');

export interface TsigSecrets {
  /** 32 random bytes. */
  next(): Buffer;
}
export const TsigSecrets = token<TsigSecrets>('TsigSecrets');

/** What a secondary of ours serves. */
export interface SecondaryZones {
  /** The zones in the secondary's copy of the catalog (RFC 9432), by AXFR. @throws ZoneSourceFailed */
  members(secondary: Secondary, key: TsigKey | undefined): Promise<readonly string[]>;
  /** The SOA serial; undefined if the secondary does not serve the zone. */
  serial(secondary: Secondary, zoneName: string): Promise<number | 'no response' | undefined>;
  /** Whether it serves other records than we do; transfers the whole zone. The SOA record is not compared. @throws ZoneSourceFailed */
  differs(secondary: Secondary, zoneName: string, key: TsigKey | undefined): Promise<boolean>;
  /** By AXFR. @throws ZoneSourceFailed */
  zone(secondary: Secondary, zoneName: string, key: TsigKey | undefined): Promise<FoundZone>;
}
export const SecondaryZones = token<SecondaryZones>('SecondaryZones');
