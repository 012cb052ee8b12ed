import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { inject, injectable } from 'inversify';
import { DomainReader, type DomainFilter, type ListedDomain } from '../ports/registration/domain-repository';
import type { ListPosition } from '../ports/storage/list-position';
import type { Page } from '../ports/storage/page';

const PAGE_SIZE = 500;

/** Lists the account's domains, oldest first. */
@injectable()
export class ListDomains {
  constructor(@inject(DomainReader) private readonly domains: DomainReader) {}

  async page(
    accountId: string,
    filter: DomainFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<Page<ListedDomain, ListPosition>> {
    return this.domains.page(accountId, filter, limit, after);
  }

  async *all(accountId: string, filter: DomainFilter): AsyncGenerator<readonly ListedDomain[]> {
    let after: ListPosition | undefined;
    do {
      const { items, next }: Page<ListedDomain, ListPosition> = await this.domains.page(
        accountId,
        filter,
        PAGE_SIZE,
        after,
      );
      yield items;
      after = next;
      // SQLite reads in this thread, and the stream takes a page without items at once.
      await yieldToEventLoop();
    } while (after);
  }
}
