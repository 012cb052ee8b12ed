import { token } from '../inject';
import type { Actor } from '../../../domain/access/actor';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';

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

/** A list of versions shows the records of changes that touched at most so many. */
export const SMALL_CHANGE = 50;

/** A past is good until `use` returns. Reads committed state. */
export interface ZoneHistory {
  /** Newest first, below version `before`. */
  page(domainId: string, limit: number, before?: number): Promise<readonly ZoneVersion[]>;
  /** The changes that led to each of `versions`, without those that touched more than `SMALL_CHANGE` records. */
  smallChanges(domainId: string, versions: readonly number[]): Promise<ReadonlyMap<number, readonly RecordTouched[]>>;
  /**
   * Undefined if the zone does not exist. An account reads few pasts at a time, and the others wait, so `use` must not wait for
   * the reader of a response.
   */
  withPast<T>(
    { accountId, domainId }: ZoneOfAccount,
    use: (past: ZonePast & ZoneVersions) => Promise<T>,
  ): Promise<T | undefined>;
}
/** Whose read it is: the account is not compared with that of the domain. */
export interface ZoneOfAccount {
  readonly accountId: string;
  readonly domainId: string;
}
export const ZoneHistory = token<ZoneHistory>('ZoneHistory');

export interface ZoneVersions {
  /** Undefined if the version is no longer in the history. */
  find(version: number): Promise<ZoneVersion | undefined>;
  changesOf(version: number): Promise<readonly RecordTouched[]>;
}
