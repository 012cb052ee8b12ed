import { token } from '../inject';
import type { HealthState } from '../../../domain/health/health-check';
import type { HealthReport } from '../../../domain/health/health-report';

export interface DomainToCheck {
  readonly id: string;
  readonly accountId: string;
}

/** Reads committed state. */
export interface HealthReader {
  /** The last result. Undefined if the domain was never checked. */
  find(domainId: string): Promise<HealthReport | undefined>;
  /** The states of those of `domainIds` that were checked, by id. */
  statesOf(domainIds: readonly string[]): Promise<ReadonlyMap<string, HealthState>>;
  /** Live domains of all accounts that were checked last at `latest` or before, or never: these first, then the longest ago. */
  due(latest: Date, limit: number): Promise<readonly DomainToCheck[]>;
}
export const HealthReader = token<HealthReader>('HealthReader');

export interface CheckedDomain {
  readonly domainId: string;
  readonly report: HealthReport;
}

/** Within a unit of work. */
export interface HealthRepository {
  /** Replaces the results of these domains. Domains that were deleted meanwhile are left out. */
  save(checked: readonly CheckedDomain[]): Promise<void>;
  /** Counts a check that failed as one made at `at`, and leaves the last result as it is. */
  postpone(domainId: string, at: Date): Promise<void>;
}
