import { token } from '../inject';
import type { ZoneDelegation } from '../../../domain/dns/delegation/delegation';
import type { HostedName } from '../../../domain/dns/hosted-name';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { RecordSetSize } from '../../../domain/dns/records/name-tree';
import type { RecordType } from '../../../domain/dns/records/types/record-types';
import type { SigningState } from '../../../domain/dns/dnssec/signing-step';
import type { ZoneHead } from '../../../domain/dns/zone';
import type { ListPosition } from '../storage/page';
import type { ZoneVersion, RecordTouched, ZonePast } from './zone-repository';

export interface RecordFilter {
  readonly type?: RecordType | undefined;
  /** Owner name in relative form. */
  readonly name?: string | undefined;
}

/** Reads committed state. */
export interface RecordReader {
  /** Oldest first, starting after `after`. */
  page(domainId: string, filter: RecordFilter, limit: number, after?: ListPosition): Promise<readonly DnsRecordState[]>;
  /** Undefined if the zone has no such record. */
  record(domainId: string, recordId: string): Promise<DnsRecordState | undefined>;
  /** The addresses of a zone that ask for a PTR record. */
  withPtr(domainId: string): Promise<readonly DnsRecordState[]>;
  /** How many these are in some zones together. */
  countWithPtr(domainIds: readonly string[]): Promise<number>;
  /** Undefined if the zone does not exist. */
  find(domainId: string): Promise<ZoneHead | undefined>;
  /** With the domain's name and tags. Undefined also if the account has no such domain, or no longer. */
  findFor(
    accountId: string,
    domainId: string,
  ): Promise<(Pick<ZoneHead, 'version' | 'serial'> & Pick<HostedName, 'name' | 'tags'>) | undefined>;
  /** Of several zones, by their domain's id. */
  facts(domainIds: readonly string[]): Promise<ReadonlyMap<string, ZoneFacts>>;
}
export const RecordReader = token<RecordReader>('RecordReader');

export interface ZoneFacts extends Pick<ZoneHead, 'version' | 'serial' | 'recordCount'> {
  readonly signing: SigningState;
  /** Of a name without a registration, after its parent was asked. */
  readonly delegation?: Omit<ZoneDelegation, 'accountId' | 'domainId'> | undefined;
}

/** A list of versions shows the records of changes that touched at most so many. */
export const SMALL_CHANGE = 50;

export type LastChange = Pick<ZoneVersion, 'version' | 'at' | 'actor'>;

/** A past is good until `use` returns. Reads committed state. */
export interface ZoneHistory {
  /** Newest first, below version `before`. Versions of an account that had the name before are left out. */
  page(domainId: string, limit: number, before?: number): Promise<readonly ZoneVersion[]>;
  /** As `page`, with those: resolvers may still have what they published. */
  wholePage(domainId: string, limit: number, before?: number): Promise<readonly ZoneVersion[]>;
  /** The changes that led to each of `versions`, without those that touched more than `SMALL_CHANGE` records. */
  smallChanges(domainId: string, versions: readonly number[]): Promise<ReadonlyMap<number, readonly RecordTouched[]>>;
  /** The versions in which records of a zone were last changed, by record id, as far as the history has them. */
  lastChanges(domainId: string, recordIds: readonly string[]): Promise<ReadonlyMap<string, LastChange>>;
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

export interface RecordSearch {
  readonly type?: RecordType | undefined;
  /** What `recordMatcher` finds with this part. */
  readonly contains?: string | undefined;
}

/** A place in a list of records by name: what comes after it is the next page. */
export interface NamedPosition {
  readonly name: string;
  readonly id: string;
}

/** A zone's records as the dashboard lists them. Reads committed state. */
export interface RecordQueries {
  /** By name, those of one name oldest first, starting after `after`. */
  page(
    domainId: string,
    search: RecordSearch,
    limit: number,
    after?: NamedPosition,
  ): Promise<readonly DnsRecordState[]>;
  /** All records of several zones that match, in any order. Compares all of their records: pass few, or small zones. */
  among(
    domainIds: readonly string[],
    search: RecordSearch,
  ): Promise<readonly { readonly domainId: string; readonly record: DnsRecordState }[]>;
  /** How many records each name has of each type, by name and type, starting after `after`. */
  sets(
    domainId: string,
    limit: number,
    after?: Pick<RecordSetSize, 'name' | 'type'>,
  ): Promise<readonly RecordSetSize[]>;
  find(domainId: string, recordId: string): Promise<DnsRecordState | undefined>;
}
export const RecordQueries = token<RecordQueries>('RecordQueries');
