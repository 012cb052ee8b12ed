import { token } from '../inject';
import type { HealthState } from '../../../domain/health/health-check';
import type { DomainTerm } from '../../../domain/portfolio/domain-terms';
import type { DelegationState } from '../../../domain/dns/delegation/delegation';
import type { NameNeighbors } from '../../../domain/dns/zone-names/zone-ownership';
import type { Domain, DomainState } from '../../../domain/registration/domain';
import {
  DOMAIN_STATUSES,
  VISIBLE_STATUSES,
  ZONE_STATUSES,
  type DomainStatus,
} from '../../../domain/registration/domain-status';
import type { DomainName } from '../../../domain/shared/domain-name';
import type { Money } from '../../../domain/shared/money';
import type { ListPosition, Page } from '../storage/page';

/** The domain has one of the terms; with `not`, it has none. */
export interface TermCondition {
  readonly anyOf: readonly DomainTerm[];
  readonly not?: boolean;
}

/** The statuses in each list: registered domains; names that have a zone here, registered or not; all names. */
export const STATUSES_OF: Readonly<Record<NameList, readonly DomainStatus[]>> = {
  domains: VISIBLE_STATUSES,
  zones: ZONE_STATUSES,
  names: DOMAIN_STATUSES.filter((status) => status !== 'gone'),
};
type NameList = 'domains' | 'zones' | 'names';

/** Only names without a registration of which the parent last said this, and domains whose nameservers at the registry are so. */
export interface DelegationFilter {
  readonly state: DelegationState;
  /** Host names of this service's nameservers. */
  readonly ours: readonly string[];
}

export interface DomainFilter {
  /** Absent: domains. */
  readonly of?: NameList | undefined;
  readonly status?: DomainStatus | undefined;
  /** Several; `status` if it is one. */
  readonly statuses?: readonly DomainStatus[] | undefined;
  /** Part of a name in its ASCII or its Unicode form, as `foldNamePart` returns it. */
  readonly nameContains?: string | undefined;
  /** Conditions that all hold. */
  readonly terms?: readonly TermCondition[] | undefined;
  /** Only domains whose last health check had this result. */
  readonly health?: HealthState | undefined;
  readonly delegation?: DelegationFilter | undefined;
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

export type UnregisteredName = OwnedDomain & Pick<DomainState, 'status'>;

/** A domain as lists show it: an account's whole list passes through memory, and contacts are most of a domain. */
export type ListedDomain = Pick<
  DomainState,
  | 'id'
  | 'name'
  | 'status'
  | 'expiresAt'
  | 'autoRenew'
  | 'transferLocked'
  | 'nameservers'
  | 'tags'
  | 'createdAt'
  | 'updatedAt'
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
  /** The domains of all accounts that are due at `now` and have not left, longest waiting first. */
  due(now: Date, limit: number): Promise<readonly NamedDomain[]>;
  /** The live domains of all accounts among `names`, in any order: for work that no caller has requested. */
  liveAmong(names: readonly string[]): Promise<readonly DomainState[]>;
  /** As `liveAmong`, with the verified names that have a zone here and no registration. */
  zonesAmong(names: readonly string[]): Promise<readonly DomainState[]>;
  /** The verified names of an account below a name that have a zone here and no registration, in any order. */
  zonesBelow(accountId: string, name: string): Promise<readonly DomainState[]>;
  /** The live domains of all accounts in order of their ids, starting after `afterId`. */
  livePage(limit: number, afterId?: string): Promise<readonly DomainState[]>;
  /** Those of `hosts` that live domains of any account have as nameservers. */
  nameserversAmong(hosts: readonly string[]): Promise<readonly string[]>;
  /** The verified zones and domains that a zone of `accountId` with that name is among. */
  neighbors(name: string, accountId: string): Promise<NameNeighbors>;
  /** The names of all accounts that are due at `now` and have no registration, or no longer, longest waiting first. */
  dueUnregistered(now: Date, limit: number): Promise<readonly UnregisteredName[]>;
  /** When the next domain is due. */
  nextDueAt(): Promise<Date | undefined>;
}
export const DomainReader = token<DomainReader>('DomainReader');

/** Within a unit of work. */
export interface DomainRepository extends Pick<
  DomainReader,
  'nameserversAmong' | 'neighbors' | 'zonesAmong' | 'zonesBelow'
> {
  /**
   * Each of `wanted`, in that order, as committed and not locked; those that are gone or another account's are undefined.
   * A caller that has locked the zone can rely on the delegation and on whether the domain is served: `raisePublishedVersions` waits for the zone.
   */
  findEach(wanted: readonly WantedDomain[]): Promise<readonly (Domain | undefined)[]>;
  /** Locks the domain for the rest of the unit of work. */
  lock(accountId: string, id: string): Promise<Domain | undefined>;
  /** Locks the domain, regardless of the account: for work that no caller has requested. */
  lockAny(id: string): Promise<Domain | undefined>;
  /** Locks the live domain of that name, otherwise the name if an account hosts its zone, verified. Undefined if there is none. */
  lockByName(name: DomainName): Promise<Domain | undefined>;
  /** Locks the name whose zone the account hosts, verified or not; without an account, the one that is verified. */
  lockHosted(name: DomainName, accountId?: string): Promise<Domain | undefined>;
  /** Locks the account's name, domain or zone, if it has not ended. Two units of work find the same only if they lock the account first. */
  lockOwn(accountId: string, name: DomainName): Promise<Domain | undefined>;
  /** Locks a domain, even a deleted one, to run its operations. Undefined if another transaction has locked it. */
  lockIfFree(id: string): Promise<Domain | undefined>;
  /** Makes names due that the account hosts below another one, a thousand at most: the others follow at their next check. */
  scheduleBelow(above: Pick<DomainState, 'accountId' | 'name'>, dueAt: Date): Promise<void>;
  /** @throws DomainUnavailable if a live domain has that name. */
  add(domain: Domain): Promise<void>;
  /**
   * A change of the delegation, or of whether the zone is served, also needs `raisePublishedVersions`.
   * @throws DomainUnavailable if it lives from now on, and another one of that name does.
   */
  save(domain: Domain): Promise<void>;
  /**
   * Saves a locked domain that another account has from now on, with its zone, which must be locked. What the parent said and connected
   * services go along; an applied state ends. The history of the zone that is shown begins with its present version.
   */
  saveMoved(domain: Domain): Promise<void>;
}

/**
 * Nameservers and tags are sorted by the first one, health with problems first and unchecked domains last, prices by their
 * amount with unknown ones first.
 */
export const DOMAIN_ORDERS = [
  'name',
  'status',
  'expiry',
  'auto_renewal',
  'transfer_lock',
  'nameservers',
  'tags',
  'health',
  'price',
] as const;
export type DomainOrder = (typeof DOMAIN_ORDERS)[number];

/** A place in a sorted list of domains, by the value in the order's column: what comes after it is the next page. */
export interface SortedPosition {
  readonly value: string | number;
  readonly id: string;
}

export interface SortedList extends DomainFilter {
  readonly order: DomainOrder;
  readonly descending: boolean;
}

/** How many domains of one account end within one span of time. */
export interface Expiring {
  /** When the span begins. */
  readonly from: Date;
  readonly renewing: number;
  readonly ending: number;
}

/** Domains with auto-renewal off that the service deletes so many days before their expiry, because the registry would renew them. */
export interface UnrenewedDeletion {
  readonly days: number;
  /** Of the TLDs: `com`, `co.uk`. */
  readonly suffixes: readonly string[];
}

export type RenewingDomain = Pick<DomainState, 'id' | 'name' | 'status' | 'expiresAt'>;

/**
 * An account's domains as the dashboard lists and counts them. Reads committed state; deleted domains are
 * never returned. No call reads all domains of a large account: the page of a search ends early if its matches are far apart.
 * With `tags`, only domains with one of them count; then a call may read all of those.
 */
export interface DomainQueries {
  page(
    accountId: string,
    list: SortedList,
    limit: number,
    after?: SortedPosition,
  ): Promise<Page<DomainState, SortedPosition>>;
  /** As `page`, but only what lists show: the other columns take most of the time of a page. */
  listed(
    accountId: string,
    list: SortedList,
    limit: number,
    after?: SortedPosition,
  ): Promise<Page<ListedDomain, SortedPosition>>;
  /** How many domains match, up to `most`; undefined if they are more, or if counting them would read too many domains. */
  count(accountId: string, filter: DomainFilter, most: number): Promise<number | undefined>;
  /** The account's terms that begin with the prefix, in order. */
  terms(accountId: string, prefix: string, limit: number, tags?: readonly string[]): Promise<readonly DomainTerm[]>;
  countByStatus(accountId: string, tags?: readonly string[]): Promise<ReadonlyMap<DomainStatus, number>>;
  /**
   * Active domains that expire from `from` on and before `to`, both midnights in UTC, counted by spans of `spanDays`; spans
   * without any are left out.
   */
  expiring(
    accountId: string,
    from: Date,
    to: Date,
    spanDays: number,
    tags?: readonly string[],
  ): Promise<readonly Expiring[]>;
  /** Active domains that are not renewed by us and expire before `to`, the next first; with a deletion, only those that it is for. */
  ending(
    accountId: string,
    to: Date,
    limit: number,
    deletion?: UnrenewedDeletion,
    tags?: readonly string[],
  ): Promise<readonly DomainState[]>;
  /** Active domains with automatic renewal that expire from `from` on and before `to`, the next first. */
  renewing(accountId: string, from: Date, to: Date, limit: number): Promise<readonly RenewingDomain[]>;
  /** Domains whose transfer another registrar has requested: first those without a known deadline, then by deadline. */
  leaving(accountId: string, limit: number, tags?: readonly string[]): Promise<readonly DomainState[]>;
  /** The names of those of these ids that are domains of the account, by id. */
  names(accountId: string, ids: readonly string[], tags?: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The domains that were asked for last, the last first. */
  newest(accountId: string, limit: number): Promise<readonly DomainState[]>;
}
export const DomainQueries = token<DomainQueries>('DomainQueries');

/** What the registry last quoted for renewing a domain. */
export interface KnownPrice {
  readonly domainId: string;
  /** For the shortest term that the TLD sells; null if the registry refused to quote. */
  readonly price: Money | null;
  readonly checkedAt: Date;
}

/** Renewal prices as shown to users. An order never relies on them: its price is asked for at that time. */
export interface RenewalPriceStore {
  /** Those that are known, in any order. */
  find(domainIds: readonly string[]): Promise<readonly KnownPrice[]>;
  /** Replaces the stored prices. A repetition changes nothing. */
  save(accountId: string, prices: readonly KnownPrice[]): Promise<void>;
}
export const RenewalPriceStore = token<RenewalPriceStore>('RenewalPriceStore');
