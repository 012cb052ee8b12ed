import { inject, injectable } from 'inversify';
import type { Reader } from '../../domain/access/actor';
import { assertActionAllowed } from '../../domain/access/key-permissions';
import { FIRST_PAGE_SIZE, PAGE_SIZE } from '../pages-of';
import { readDomains, visibleOf } from '../portfolio/visible-domains';
import { DomainReader, type DomainFilter, type ListedDomain } from '../ports/registration/domain-repository';
import type { ListPosition } from '../ports/storage/list-position';
import type { Page } from '../ports/storage/page';

/** Lists the account's domains that the requester may see, oldest first. @throws LimitedKey */
@injectable()
export class ListDomains {
  constructor(@inject(DomainReader) private readonly domains: DomainReader) {}

  async page(
    { accountId, actor }: Reader,
    filter: DomainFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<Page<ListedDomain, ListPosition>> {
    assertActionAllowed(actor, 'read');
    const visible = visibleOf(actor, filter);
    return readDomains(accountId, visible, after, () => this.domains.page(accountId, visible, limit, after));
  }

  all(requester: Reader, filter: DomainFilter): AsyncGenerator<readonly ListedDomain[]> {
    assertActionAllowed(requester.actor, 'read');
    return this.pages(requester, filter);
  }

  private async *pages(requester: Reader, filter: DomainFilter): AsyncGenerator<readonly ListedDomain[]> {
    let page = await this.page(requester, filter, FIRST_PAGE_SIZE);
    for (;;) {
      yield page.items;
      const { next } = page;
      if (!next) return;
      page = await this.page(requester, filter, PAGE_SIZE, next);
    }
  }
}
