import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';

/** Issues a new auth code, which permits a transfer away; any earlier one is void. @throws DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class IssueAuthCode {
  constructor(@inject(OperationQueue) private readonly operations: OperationQueue) {}

  async execute({ domainId, ...requester }: Requester & { domainId: string }): Promise<OperationOutcome> {
    return this.operations.carryOut({
      ...requester,
      domainId,
      action: 'issue an auth code',
      request: () => ({ kind: 'issue_auth_code' }),
    });
  }
}
