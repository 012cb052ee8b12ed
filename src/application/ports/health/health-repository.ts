import type { HealthState } from '../../../domain/health/health-check';
import type { HealthReport } from '../../../domain/health/health-report';

/** A live domain in the order in which the background checks walk through them. */
export interface DomainToCheck {
  readonly id: string;
  readonly accountId: string;
  /** Null if it was never checked. */
  readonly checkedAt: Date | null;
}

/** Reads committed state. */
export interface HealthReader {
  /** The last result. Undefined if the domain was never checked. */
  find(domainId: string): Promise<HealthReport | undefined>;
  /** The states of those of `domainIds` that were checked, by id. */
  statesOf(domainIds: readonly string[]): Promise<ReadonlyMap<string, HealthState>>;
  /** Domains of all accounts that are neither deleted nor transferred, in order of their ids, starting after `afterId`. */
  walk(limit: number, afterId?: string): Promise<readonly DomainToCheck[]>;
}
export const HealthReader = Symbol('HealthReader');

export interface CheckedDomain {
  readonly domainId: string;
  readonly report: HealthReport;
}

/** Within a unit of work. */
export interface HealthRepository {
  /** Replaces the results of these domains. Domains that were deleted meanwhile are left out. */
  save(checked: readonly CheckedDomain[]): Promise<void>;
}
