/** What differs between a registry and the service. */
export type DifferenceKind =
  /** Our account at the registry holds the name, and no account here has it. */
  | 'missing here'
  /** An account here has the name, and our account at the registry does not hold it. */
  | 'missing there'
  | 'status'
  | 'expiry'
  | 'lock'
  | 'nameservers';

/** A difference between a registry's data about a name and ours. */
export interface Difference {
  readonly name: string;
  readonly kind: DifferenceKind;
  /** Null if no account here has the name. */
  readonly accountId: string | null;
  readonly domainId: string | null;
  /** Our value and the registry's, as people read them. */
  readonly ours: string;
  readonly theirs: string;
}

/** The latest comparison of the service with a registry. */
export interface Reconciliation {
  /** The registry's name in the registries file. */
  readonly registry: string;
  readonly finishedAt: Date;
  /** How many domains were compared. */
  readonly compared: number;
  /** Whether the registry lists its names. If not, names that are missing here are not found. */
  readonly listed: boolean;
  /** How many differences were left. */
  readonly differences: number;
}

/** Differences kept for each registry. */
export const MAX_DIFFERENCES = 1_000;
