import type { ZoneChange } from '../../../domain/dns/zone-change';

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
