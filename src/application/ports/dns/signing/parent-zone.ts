import { token } from '../../inject';
import type { DsRecord } from '../../../../domain/dns/ds-record';

/** The DS records of a name as its parent's nameservers serve them. */
export interface PublishedDsRecords {
  /** Those of each nameserver that answered, at least one. */
  readonly sets: readonly (readonly DsRecord[])[];
  /** Whether every nameserver of the parent answered: the others may serve former records. */
  readonly isComplete: boolean;
  /** The longest TTL of the records, in seconds; undefined if there are none. */
  readonly ttl: number | undefined;
}

/** Asks the nameservers of parent zones. */
export interface ParentZone {
  /** Undefined if no resolver is configured to find the nameservers, or none of them answers. Never fails. */
  queryDsRecords(name: string): Promise<PublishedDsRecords | undefined>;
}
export const ParentZone = token<ParentZone>('ParentZone');
