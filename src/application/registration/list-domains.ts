import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { assertActionAllowed } from '../../domain/access/key-permissions';
import { filledPage, FIRST_PAGE_SIZE, PAGE_SIZE } from '../shared/pages-of';
import { readDomains, VisibleDomains, limitToVisible } from './visible-domains';
import {
  type SortedList,
  type SortedPosition,
  DomainReader,
  type DomainFilter,
  type ListedDomain,
} from '../ports/registration/domain-repository';
import type { ListPosition, Page } from '../ports/storage/page';

/** Counted by one query. */
const MAX_COUNTED = 10_000;

/** Lists the account's domains that the requester may see, oldest first. @throws LimitedKey */
@injectable()
export class ListDomains {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(VisibleDomains) private readonly visible: VisibleDomains,
  ) {}

  page(
    requester: Reader,
    filter: DomainFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<Page<ListedDomain, ListPosition>> {
    return filledPage(limit, after, (rest, from) => this.read(requester, filter, rest, from));
  }

  /** A page of a sorted list. @throws LimitedKey */
  sorted(
    requester: Reader,
    list: SortedList,
    limit: number,
    after?: SortedPosition,
  ): Promise<Page<ListedDomain, SortedPosition>> {
    assertActionAllowed(requester.actor, 'read');
    return this.visible.listed(requester, list, limit, after);
  }

  /** How many domains match, however many that are. @throws LimitedKey */
  async total(requester: Reader, filter: DomainFilter): Promise<number> {
    assertActionAllowed(requester.actor, 'read');
    const counted = await this.visible.count(requester, filter, MAX_COUNTED);
    if (counted !== undefined) return counted;
    let total = 0;
    for await (const items of this.pages(requester, filter)) total += items.length;
    return total;
  }

  all(requester: Reader, filter: DomainFilter): AsyncGenerator<readonly ListedDomain[]> {
    assertActionAllowed(requester.actor, 'read');
    return this.pages(requester, filter);
  }

  private async *pages(requester: Reader, filter: DomainFilter): AsyncGenerator<readonly ListedDomain[]> {
    let page = await this.read(requester, filter, FIRST_PAGE_SIZE);
    for (;;) {
      yield page.items;
      const { next } = page;
      if (!next) return;
      page = await this.read(requester, filter, PAGE_SIZE, next);
    }
  }

  private async read(
    { accountId, actor }: Reader,
    filter: DomainFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<Page<ListedDomain, ListPosition>> {
    assertActionAllowed(actor, 'read');
    const visible = limitToVisible(actor, filter);
    return readDomains(accountId, visible, after, () => this.domains.page(accountId, visible, limit, after));
  }
}
