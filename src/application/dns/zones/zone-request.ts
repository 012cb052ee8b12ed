import type { Requester } from '../../../domain/access/actor';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import type { WritableType } from '../../../domain/dns/records/types/record-types';
import type { ZonePast } from '../../ports/dns/zone-history';
import type { ZoneChange } from '../../ports/dns/zone-repository';

export interface ZoneRequest extends Requester {
  readonly domainId: string;
  /** The versions of the zone that the caller expects; without any, every version is accepted. */
  readonly expectedVersions?: readonly number[] | undefined;
  /** Whether to wait until every secondary serves the change, for a limited time. */
  readonly waitsForPublication?: boolean;
}

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

export interface ZoneProposal {
  readonly change: ZoneChange;
  /** The path of a record in a request that names several: `create[3]`. */
  readonly placeOf?: (recordId: string) => string | undefined;
}

export interface ZoneDecision<T> extends ZoneProposal {
  readonly result: T;
}

/** Computes the change of a zone from its arguments only, because it can run more than once. */
export type Decide<T> = (zone: CurrentZone) => Promise<ZoneDecision<T>>;
