import { token } from '../inject';
import type { HealthState } from '../../../domain/health/health-check';
import type { HealthReport } from '../../../domain/health/health-report';
import type { ServerAnswer } from '../../../domain/health/judge-nameservers';
import type { Lookup, LookupType } from '../../../domain/health/lookup';

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

export interface HealthChange {
  readonly accountId: string;
  readonly domain: { readonly id: string; readonly name: string };
  /** Null if the domain was never checked. */
  readonly before: HealthState | null;
  readonly after: HealthReport;
}

/** Within a unit of work. */
export interface HealthRepository {
  /** Replaces the results of these domains, and returns what they were. Domains that were deleted meanwhile are left out. */
  save(checked: readonly CheckedDomain[]): Promise<readonly HealthChange[]>;
  /** Counts a check that failed as one made at `at`, and leaves the last result as it is. */
  postpone(domainId: string, at: Date): Promise<void>;
}

export interface LookupQuestion {
  /** In lower case without the trailing dot. */
  readonly name: string;
  readonly type: LookupType;
  /** Asks for the answer even if it is not valid (the CD bit, RFC 4035 section 3.2.2). */
  readonly withoutValidation?: boolean;
}

/**
 * Asks the configured resolvers and nameservers for the checks of domains, nothing else. Each call is bounded in time, in octets
 * and in the number of records, and never throws. At most some calls run at a time; others wait.
 */
export interface DnsProbe {
  /** Asks the resolvers, the next one if one does not respond. */
  resolve(question: LookupQuestion): Promise<Lookup>;
  /** Asks the nameserver at an address for the SOA record of a zone, without recursion. Only for addresses that `mayAsk`. */
  querySoa(
    zoneName: string,
    address: string,
  ): Promise<Extract<ServerAnswer, { kind: 'serves' | 'lame' | 'unreachable' | 'unknown' }>>;
  /** Whether an address is public, or in a network that the operator allows. */
  mayAsk(address: string): boolean;
}
export const DnsProbe = token<DnsProbe>('DnsProbe');
