import type { Requester } from '../../../domain/access/actor';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import type { WritableType } from '../../../domain/dns/records/types/record-types';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import type { ZonePast } from '../../ports/dns/zone-repository';
import type { ZoneState } from '../../ports/dns/published-zones';
import type { TransactionHook } from '../../ports/storage/unit-of-work';

export interface ZoneRequest extends Requester {
  readonly domainId: string;
  /** The versions of the zone that the caller expects; without any, every version is accepted. */
  readonly expectedVersions?: readonly number[] | undefined;
  /** Whether to wait until every secondary serves the change, for a limited time. */
  readonly waitsForPublication?: boolean;
}

/** The zone as the change finds it. */
export interface CurrentZone {
  /** Whose turn long work takes. */
  readonly accountId: string;
  readonly zoneName: string;
  readonly delegation: readonly string[];
  /** The record types that may be written. */
  readonly types: readonly WritableType[];
  /** @throws RecordNotFound */
  readonly record: (id: string) => Promise<DnsRecord>;
  /** The records of the zone with these ids, by id. */
  readonly records: (ids: readonly string[]) => Promise<ReadonlyMap<string, DnsRecord>>;
  /** All records of some owner names, in relative form. */
  readonly recordsAt: (names: readonly string[]) => Promise<readonly DnsRecord[]>;
  readonly past: () => Promise<ZonePast>;
}

export interface ZoneDecision<T> {
  readonly change: ZoneChange;
  /** The path of a record in a request that names several: `create[3]`. */
  readonly placeOf?: (recordId: string) => string | undefined;
  readonly result: T;
}

/** Computes the change of a zone from its arguments only, because it can run more than once. */
export type Decide<T> = (zone: CurrentZone) => Promise<ZoneDecision<T>>;

/** A requested change of one zone. */
export interface ZoneWriting<T> {
  readonly request: ZoneRequest;
  readonly decide: Decide<T>;
  readonly hook?: TransactionHook<Written<T>>;
}

export interface Written<T> {
  readonly result: T;
  /** The zone's version with this change. */
  readonly zoneVersion: number;
  /** Whether the records differ from before; otherwise the version is that of an earlier change. */
  readonly isChanged: boolean;
  /** Whether what nameservers serve differs, and not only comments. */
  readonly isServedChanged: boolean;
  /** The zone as it was published with this change. */
  readonly zone: ZoneState;
  /** About how many bytes the zone's history grew by. */
  readonly historyBytes: number;
  /** What the change made unusual that its records alone do not show. */
  readonly warnings: readonly string[];
  /** Whether every secondary serves it; undefined unless the request waits for that. */
  readonly published?: boolean;
}
