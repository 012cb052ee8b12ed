import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { inject, injectable } from 'inversify';
import type { Reader } from '../../domain/access/actor';
import { assertActionAllowed } from '../../domain/access/key-permissions';
import { visibleOf } from '../portfolio/visible-domains';
import { DomainReader, type DomainFilter, type ListedDomain } from '../ports/registration/domain-repository';
import type { ListPosition } from '../ports/storage/list-position';
import type { Page } from '../ports/storage/page';

const PAGE_SIZE = 500;

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
    return this.domains.page(accountId, visibleOf(actor, filter), limit, after);
  }

  all(requester: Reader, filter: DomainFilter): AsyncGenerator<readonly ListedDomain[]> {
    assertActionAllowed(requester.actor, 'read');
    return this.pages(requester, filter);
  }

  private async *pages(requester: Reader, filter: DomainFilter): AsyncGenerator<readonly ListedDomain[]> {
    let after: ListPosition | undefined;
    do {
      const { items, next }: Page<ListedDomain, ListPosition> = await this.page(requester, filter, PAGE_SIZE, after);
      yield items;
      after = next;
      // SQLite reads in this thread, and the stream takes a page without items at once.
      await yieldToEventLoop();
    } while (after);
  }
}
