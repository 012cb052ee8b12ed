import { token } from '../inject';
import type { DomainTerm } from '../../../domain/portfolio/domain-terms';
import type { DomainState } from '../../../domain/registration/domain';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import type { Page } from '../storage/page';
import type { DomainFilter } from './domain-repository';

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
