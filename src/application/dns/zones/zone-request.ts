import type { Requester } from '../../../domain/access/actor';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import type { ZonePast } from '../../ports/dns/zone-history';
import type { ZoneProposal } from './zone-draft';

export interface ZoneRequest extends Requester {
  readonly domainId: string;
  /** The versions of the zone that the caller would have changed; any where there are none. */
  readonly expectedVersions?: readonly number[] | undefined;
  /** Whether to return only when every secondary has the change, or it has taken too long. */
  readonly waitsForPublication?: boolean;
}

export interface CurrentZone {
  readonly zoneName: string;
  readonly delegation: readonly string[];
  /** @throws RecordNotFound */
  readonly record: (id: string) => Promise<DnsRecord>;
  /** Those of `ids` that are the zone's, by their id. */
  readonly records: (ids: readonly string[]) => Promise<ReadonlyMap<string, DnsRecord>>;
  readonly past: () => Promise<ZonePast>;
}

export interface ZoneDecision<T> extends ZoneProposal {
  readonly result: T;
}

/** Computes the change of a zone from its arguments only, because it can be called more than once. */
export type Decide<T> = (zone: CurrentZone) => Promise<ZoneDecision<T>>;
