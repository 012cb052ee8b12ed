import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { assertNotForRecordsOnly } from '../../../domain/access/key-permissions';
import type { OperationState } from '../../../domain/registration/operation';
import { requireDomain } from '../../access/require-domain';
import { pagesOf } from '../../shared/pages-of';
import { DomainReader } from '../../ports/registration/domain-repository';
import type { ListPosition } from '../../ports/storage/page';
import { OperationReader } from '../../ports/registration/operation-repository';

/** Lists a domain's operations, newest first. @throws DomainNotFound, LimitedKey before the first page */
@injectable()
export class ListOperations {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(OperationReader) private readonly operations: OperationReader,
  ) {}

  async page(
    requester: Reader,
    domainId: string,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly OperationState[]> {
    await this.assertVisible(requester, domainId);
    return this.operations.page(domainId, limit, after);
  }

  async all(requester: Reader, domainId: string): Promise<AsyncIterable<readonly OperationState[]>> {
    await this.assertVisible(requester, domainId);
    return pagesOf((limit, after) => this.operations.page(domainId, limit, after), requester.accountId);
  }

  private async assertVisible({ accountId, actor }: Reader, domainId: string): Promise<void> {
    requireDomain(await this.domains.find(accountId, domainId), { actor }, 'read');
    assertNotForRecordsOnly(actor);
  }
}
