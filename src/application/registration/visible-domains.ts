import { inject, injectable } from '../ports/inject';
import type { Actor, Reader } from '../../domain/access/actor';
import { limitsOf } from '../../domain/access/key-permissions';
import { RENEWAL_OFF, tagTerm } from '../../domain/portfolio/domain-terms';
import type { DomainState } from '../../domain/registration/domain';
import type { DomainStatus } from '../../domain/registration/domain-status';
import {
  DomainQueries,
  type Expiring,
  type ListedDomain,
  type RenewingDomain,
  type SortedList,
  type SortedPosition,
  type UnrenewedDeletion,
  type DomainFilter,
} from '../ports/registration/domain-repository';
import { filledPage, readInTurn } from '../shared/pages-of';
import type { Page } from '../ports/storage/page';

const NEXT_FIRST = { order: 'expiry', descending: false, status: 'active' } as const;

/** Narrows a filter to the domains that the actor may see. */
export function limitToVisible<F extends DomainFilter>(actor: Actor, filter: F): F {
  const { domains, tags } = limitsOf(actor) ?? {};
  const terms = tags && [...(filter.terms ?? []), { anyOf: tags.map(tagTerm) }];
  return { ...filter, ...(domains && { names: domains }), ...(terms && { terms }) };
}

/** A search may read many rows for a page, so it waits for others; the first page of all domains does not. */
export function readDomains<T>(
  accountId: string,
  filter: DomainFilter,
  after: object | undefined,
  read: () => Promise<T>,
): Promise<T> {
  const { of: _of, ...conditions }: DomainFilter = filter;
  const isFirstOfAll = !after && Object.values(conditions).every((condition) => condition === undefined);
  return isFirstOfAll ? read() : readInTurn(accountId, read);
}

/** The account's domains that a person may see, as the dashboard lists and counts them. Every page reads them here. */
@injectable()
export class VisibleDomains {
  constructor(@inject(DomainQueries) private readonly domains: DomainQueries) {}

  page(
    { accountId, actor }: Reader,
    list: SortedList,
    limit: number,
    after?: SortedPosition,
  ): Promise<Page<DomainState, SortedPosition>> {
    const visible = limitToVisible(actor, list);
    return readDomains(accountId, filterOf(visible), after, () => this.domains.page(accountId, visible, limit, after));
  }

  /** As `page`, but with fewer items than `limit` only at the end of the list, or after very many domains. */
  filledPage(
    requester: Reader,
    list: SortedList,
    limit: number,
    after?: SortedPosition,
  ): Promise<Page<DomainState, SortedPosition>> {
    return filledPage(limit, after, (rest, from) => this.page(requester, list, rest, from));
  }

  /** As `filledPage`, of what lists show. */
  listed(
    { accountId, actor }: Reader,
    list: SortedList,
    limit: number,
    after?: SortedPosition,
  ): Promise<Page<ListedDomain, SortedPosition>> {
    const visible = limitToVisible(actor, list);
    return filledPage(limit, after, (rest, from) =>
      readDomains(accountId, filterOf(visible), from, () => this.domains.listed(accountId, visible, rest, from)),
    );
  }

  /** Up to `most`; undefined if they are more. */
  count({ accountId, actor }: Reader, filter: DomainFilter, most: number): Promise<number | undefined> {
    const visible = limitToVisible(actor, filter);
    return readDomains(accountId, visible, undefined, () => this.domains.count(accountId, visible, most));
  }

  countByStatus({ accountId, actor }: Reader): Promise<ReadonlyMap<DomainStatus, number>> {
    return this.domains.countByStatus(accountId, tagsOf(actor));
  }

  expiring({ accountId, actor }: Reader, from: Date, to: Date, spanDays: number): Promise<readonly Expiring[]> {
    return this.domains.expiring(accountId, from, to, spanDays, tagsOf(actor));
  }

  /** Those that are not renewed by us, the next first; with a deletion, only those that it is for. */
  ending(
    { accountId, actor }: Reader,
    to: Date,
    limit: number,
    deletion?: UnrenewedDeletion,
  ): Promise<readonly DomainState[]> {
    return this.domains.ending(accountId, to, limit, deletion, tagsOf(actor));
  }

  /** Those with automatic renewal, the next first. */
  async renewing(requester: Reader, from: Date, to: Date, limit: number): Promise<readonly RenewingDomain[]> {
    if (!tagsOf(requester.actor)) return this.domains.renewing(requester.accountId, from, to, limit);
    const terms = [{ anyOf: [RENEWAL_OFF], not: true }];
    return (await this.listed(requester, { ...NEXT_FIRST, terms, expiresFrom: from, expiresBefore: to }, limit)).items;
  }

  leaving({ accountId, actor }: Reader, limit: number): Promise<readonly DomainState[]> {
    return this.domains.leaving(accountId, limit, tagsOf(actor));
  }

  /** Which of these ids are domains that a page can show. */
  async held(requester: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.names(requester, ids)).keys());
  }

  /** The names of those of these ids that are domains that the requester may see, by id. */
  async names({ accountId, actor }: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.domains.names(accountId, ids, tagsOf(actor));
    const names = limitsOf(actor)?.domains;
    return names ? new Map([...found].filter(([, name]) => names.includes(name))) : found;
  }

  /** The terms of these domains that begin with the prefix, in order. */
  terms({ accountId, actor }: Reader, prefix: string, limit: number): Promise<readonly string[]> {
    return this.domains.terms(accountId, prefix, limit, tagsOf(actor));
  }
}

function filterOf({ order: _order, descending: _descending, ...filter }: SortedList): DomainFilter {
  return filter;
}

function tagsOf(actor: Actor): readonly string[] | undefined {
  return limitsOf(actor)?.tags;
}
