import type { TouchedNames } from '../../dns/dnssec/signatures/plan-signatures';
import type { ZoneChange } from './zone-repository';

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
