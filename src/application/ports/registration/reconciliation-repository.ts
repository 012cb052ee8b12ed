import { token } from '../inject';
import type { Difference, Reconciliation } from '../../../domain/registrar/reconciliation';

/** Reads committed state. */
export interface ReconciliationReader {
  /** The latest of each registry, in order of their names. */
  latest(): Promise<readonly Reconciliation[]>;
  /** Differences of the account's domains, and names missing here at `registries`, in order of their names. */
  differences(accountId: string, registries: readonly string[], limit: number): Promise<readonly FoundDifference[]>;
}
export const ReconciliationReader = token<ReconciliationReader>('ReconciliationReader');

export interface FoundDifference extends Difference {
  readonly registry: string;
}

/** Within a unit of work. */
export interface ReconciliationRepository {
  /** Replaces the registry's latest reconciliation and its differences. */
  replace(reconciliation: Reconciliation, differences: readonly Difference[]): Promise<void>;
}
