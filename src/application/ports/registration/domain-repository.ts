import { token } from '../inject';
import type { HealthState } from '../../../domain/health/health-check';
import type { DomainTerm } from '../../../domain/portfolio/domain-terms';
import type { Domain, DomainState } from '../../../domain/registration/domain';
import type { DomainName } from '../../../domain/shared/domain-name';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import type { ListPosition } from '../storage/list-position';
import type { Page } from '../storage/page';

/** The domain has one of the terms; with `not`, it has none. */
export interface TermCondition {
  readonly anyOf: readonly DomainTerm[];
  readonly not?: boolean;
}

export interface DomainFilter {
  readonly status?: DomainStatus | undefined;
  /** Several; `status` if it is one. */
  readonly statuses?: readonly DomainStatus[] | undefined;
  /** Part of a name in its ASCII or its Unicode form, as `foldNamePart` returns it. */
  readonly nameContains?: string | undefined;
  /** Conditions that all hold. */
  readonly terms?: readonly TermCondition[] | undefined;
  /** Only domains whose last health check had this result. */
  readonly health?: HealthState | undefined;
  /** Only domains that expire then or later. */
  readonly expiresFrom?: Date | undefined;
  /** Only domains that expire before. */
  readonly expiresBefore?: Date | undefined;
  /** Only domains that were changed then or later. */
  readonly updatedSince?: Date | undefined;
  /** Only domains with these names, in A-labels. Few. */
  readonly names?: readonly string[] | undefined;
}

/** A domain, as far as it takes to find it and its registry. */
export type NamedDomain = Pick<DomainState, 'id' | 'name'>;
export type OwnedDomain = Pick<DomainState, 'id' | 'name' | 'accountId'>;

/** A domain as lists show it: an account's whole list passes through memory, and contacts are most of a domain. */
export type ListedDomain = Pick<
  DomainState,
  'id' | 'name' | 'status' | 'expiresAt' | 'autoRenew' | 'transferLocked' | 'nameservers' | 'tags' | 'createdAt'
>;

export interface WantedDomain {
  readonly accountId: string;
  readonly domainId: string;
}

/** Reads committed state. Never returns deleted domains. */
export interface DomainReader {
  find(accountId: string, id: string): Promise<Domain | undefined>;
  /** The live domain of that name, otherwise the last one that was transferred out. */
  findByName(accountId: string, name: DomainName): Promise<Domain | undefined>;
  /** Oldest first, starting after `after`. */
  page(
    accountId: string,
    filter: DomainFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<Page<ListedDomain, ListPosition>>;
  /** Also finds a deleted domain, so that the operation that deleted it can report it. */
  findEvenGone(accountId: string, id: string): Promise<Domain | undefined>;
  /** The domains of all accounts that are due at `now`, longest waiting first. */
  due(now: Date, limit: number): Promise<readonly NamedDomain[]>;
  /** The live domains of all accounts among `names`, in any order: for work that no caller has requested. */
  liveAmong(names: readonly string[]): Promise<readonly DomainState[]>;
  /** The live domains of all accounts in order of their ids, starting after `afterId`. */
  livePage(limit: number, afterId?: string): Promise<readonly DomainState[]>;
  /** Those of `hosts` that live domains of any account have as nameservers. */
  nameserversAmong(hosts: readonly string[]): Promise<readonly string[]>;
  /** When the next domain is due. */
  nextDueAt(): Promise<Date | undefined>;
}
export const DomainReader = token<DomainReader>('DomainReader');

/** Within a unit of work. */
export interface DomainRepository extends Pick<DomainReader, 'nameserversAmong'> {
  /**
   * Each of `wanted`, in that order, as committed and not locked; those that are gone or another account's are undefined.
   * A caller that has locked the zone can rely on the delegation and on whether the domain is served: `raisePublishedVersions` waits for the zone.
   */
  findEach(wanted: readonly WantedDomain[]): Promise<readonly (Domain | undefined)[]>;
  /** Locks the domain for the rest of the unit of work. */
  lock(accountId: string, id: string): Promise<Domain | undefined>;
  /** Locks the domain, regardless of the account: for work that no caller has requested. */
  lockAny(id: string): Promise<Domain | undefined>;
  /** Locks the live domain of that name. Undefined if there is none. */
  lockByName(name: DomainName): Promise<Domain | undefined>;
  /** Locks a domain, even a deleted one, to run its operations. Undefined if another transaction has locked it. */
  lockIfFree(id: string): Promise<Domain | undefined>;
  /** @throws DomainUnavailable if a live domain has that name. */
  add(domain: Domain): Promise<void>;
  /** A change of the delegation, or of whether the zone is served, also needs `raisePublishedVersions`. */
  save(domain: Domain): Promise<void>;
}
