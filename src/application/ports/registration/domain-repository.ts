import type { Domain, DomainState } from '../../../domain/registration/domain';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import type { ListPosition } from '../storage/list-position';

export interface DomainFilter {
  readonly status?: DomainStatus | undefined;
  /** Part of a name in its ASCII or its Unicode form, as `foldNamePart` returns it. */
  readonly nameContains?: string | undefined;
}

/** A domain, as far as it takes to find it and its registry. */
export type NamedDomain = Pick<DomainState, 'id' | 'name'>;

/** A domain as lists show it: an account's whole list passes through memory, and contacts are most of a domain. */
export type ListedDomain = Pick<
  DomainState,
  'id' | 'name' | 'status' | 'expiresAt' | 'autoRenew' | 'transferLocked' | 'nameservers' | 'createdAt'
>;

export interface WantedDomain {
  readonly accountId: string;
  readonly domainId: string;
}

/** Reads committed state. Domains that are gone are never answered. */
export interface DomainReader {
  find(accountId: string, id: string): Promise<Domain | undefined>;
  /** The domain of that name that lives; failing that, the last one that was transferred out. */
  findByName(accountId: string, name: DomainName): Promise<Domain | undefined>;
  /** Oldest first, starting after `after`. */
  page(accountId: string, filter: DomainFilter, limit: number, after?: ListPosition): Promise<readonly ListedDomain[]>;
  /** One that is gone, too: for what ended its life to be told. */
  findEvenGone(accountId: string, id: string): Promise<Domain | undefined>;
  /** Of all accounts those that are to be looked at by now, those that wait longest first. */
  due(now: Date, limit: number): Promise<readonly NamedDomain[]>;
  /** When one is to be looked at next. */
  nextDueAt(): Promise<Date | undefined>;
}
export const DomainReader = Symbol('DomainReader');

/** Within a unit of work. */
export interface DomainRepository {
  /**
   * Each of `wanted`, in that order, as committed and not locked; those that are gone or another account's are undefined.
   * Whoever has the zone locked can rely on the delegation and on whether the domain is served: `save` waits for the zone.
   */
  findEach(wanted: readonly WantedDomain[]): Promise<readonly (Domain | undefined)[]>;
  /** Locks the domain for the rest of the unit of work. */
  lock(accountId: string, id: string): Promise<Domain | undefined>;
  /** The same, whatever the account: for what happens on nobody's request. */
  lockAny(id: string): Promise<Domain | undefined>;
  /** Whoever has the name, if anybody does. */
  lockByName(name: DomainName): Promise<Domain | undefined>;
  /** Locks a domain to run its operations, one that is gone, too; undefined where somebody else has it locked just now. */
  lockIfFree(id: string): Promise<Domain | undefined>;
  /** @throws DomainUnavailable where a domain of that name lives already. */
  add(domain: Domain): Promise<void>;
  /** A change of the delegation, or of whether the zone is served, also needs `raisePublishedVersions`. */
  save(domain: Domain): Promise<void>;
}
