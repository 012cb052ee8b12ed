import { inject, injectable } from 'inversify';
import { DomainNotFound } from '../../domain/registration/errors';
import type { OperationState } from '../../domain/registration/operation';
import { pagesOf } from '../pages-of';
import { DomainReader } from '../ports/registration/domain-repository';
import type { ListPosition } from '../ports/storage/list-position';
import { OperationReader } from '../ports/registration/operation-repository';

/** Lists a domain's operations, newest first. @throws DomainNotFound before the first page */
@injectable()
export class ListOperations {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(OperationReader) private readonly operations: OperationReader,
  ) {}

  async page(
    accountId: string,
    domainId: string,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly OperationState[]> {
    await this.assertOwned(accountId, domainId);
    return this.operations.page(domainId, limit, after);
  }

  async all(accountId: string, domainId: string): Promise<AsyncIterable<readonly OperationState[]>> {
    await this.assertOwned(accountId, domainId);
    return pagesOf((limit, after) => this.operations.page(domainId, limit, after));
  }

  private async assertOwned(accountId: string, domainId: string): Promise<void> {
    if (!(await this.domains.find(accountId, domainId))) throw new DomainNotFound();
  }
}
