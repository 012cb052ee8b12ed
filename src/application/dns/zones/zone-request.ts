import type { Requester } from '../../../domain/access/actor';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import type { ZoneState } from '../../ports/dns/publishing';
import type { CommitStore, TransactionHook } from '../../ports/storage/unit-of-work';
import type { CurrentZone } from './zone-loader';

export interface ZoneRequest extends Requester {
  readonly domainId: string;
  /** The versions of the zone that the caller expects; without any, every version is accepted. */
  readonly expectedVersions?: readonly number[] | undefined;
  /** The change makes the zone what its desired state says. */
  readonly isState?: boolean;
  /** A dry run is refused if the change needs a second person; by default only the change itself is. */
  readonly isPlanJudged?: boolean;
  /** Whether to wait until every secondary serves the change, for a limited time. */
  readonly waitsForPublication?: boolean;
}

/** The version that a zone must have; any if it is undefined. */
export function expecting(version: number | undefined): Pick<ZoneRequest, 'expectedVersions'> {
  return version === undefined ? {} : { expectedVersions: [version] };
}

export interface ZoneDecision<T> {
  readonly change: ZoneChange;
  /** The path of a record in a request that names several: `create[3]`. */
  readonly placeOf?: (recordId: string) => string | undefined;
  /** The records for which the request asks for a PTR record: without one, it is refused. */
  readonly asksForPtr?: readonly string[];
  /** The service changes what it keeps for zones below, which no one else may. */
  readonly keepsDelegations?: boolean;
  readonly result: T;
}

/** Computes the change of a zone from its arguments only, because it can run more than once. */
export type Decide<T> = (zone: CurrentZone) => Promise<ZoneDecision<T>>;

/** A requested change of one zone. */
export interface ZoneWriting<T> {
  readonly request: ZoneRequest;
  readonly decide: Decide<T>;
  readonly hook?: TransactionHook<Written<T>, CommitStore>;
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
  /** The reverse zones that were changed with it. */
  readonly reverseZones: readonly ZoneState[];
  /** About how many bytes the history of these zones grew by. */
  readonly historyBytes: number;
  /** What the change made unusual that its records alone do not show. */
  readonly warnings: readonly string[];
  /** Whether every secondary serves it; undefined unless the request waits for that. */
  readonly published?: boolean;
}
