import { inject, injectable } from 'inversify';
import { pagesOf } from '../pages-of';
import { DomainReader, type DomainFilter, type ListedDomain } from '../ports/registration/domain-repository';
import type { ListPosition } from '../ports/storage/list-position';

/** Lists the account's domains, oldest first. */
@injectable()
export class ListDomains {
  constructor(@inject(DomainReader) private readonly domains: DomainReader) {}

  async page(
    accountId: string,
    filter: DomainFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly ListedDomain[]> {
    return this.domains.page(accountId, filter, limit, after);
  }

  all(accountId: string, filter: DomainFilter): AsyncIterable<readonly ListedDomain[]> {
    return pagesOf((limit, after) => this.domains.page(accountId, filter, limit, after));
  }
}
