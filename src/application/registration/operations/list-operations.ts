import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { assertActionAllowed, assertNotForRecordsOnly, limitsOf } from '../../../domain/access/key-permissions';
import type { OperationState } from '../../../domain/registration/operations/operation';
import { requireDomain } from '../../access/require-domain';
import { pagesOf, readInTurn } from '../../shared/pages-of';
import { DomainReader } from '../../ports/registration/domain-repository';
import type { ListPosition } from '../../ports/storage/page';
import { OperationReader } from '../../ports/registration/operations-and-transfers';

/** Lists the operations of a domain or of the account, newest first. @throws DomainNotFound, LimitedKey before the first page */
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
    return this.operations.page({ accountId: requester.accountId, domainId }, limit, after);
  }

  /** Of all domains that the requester may see, also of those that are gone. @throws LimitedKey */
  async pageOfAccount(
    { accountId, actor }: Reader,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly OperationState[]> {
    assertActionAllowed(actor, 'read');
    assertNotForRecordsOnly(actor);
    const { domains: names, tags } = limitsOf(actor) ?? {};
    return readInTurn(accountId, () => this.operations.pageOfAccount(accountId, { names, tags }, limit, after));
  }

  async all(requester: Reader, domainId: string): Promise<AsyncIterable<readonly OperationState[]>> {
    await this.assertVisible(requester, domainId);
    const { accountId } = requester;
    return pagesOf((limit, after) => this.operations.page({ accountId, domainId }, limit, after), accountId);
  }

  private async assertVisible({ accountId, actor }: Reader, domainId: string): Promise<void> {
    requireDomain(await this.domains.find(accountId, domainId), { actor }, 'read');
    assertNotForRecordsOnly(actor);
  }
}
