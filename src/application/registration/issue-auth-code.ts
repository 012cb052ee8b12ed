import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';

/** Issues a new auth code for a transfer and invalidates the former one. @throws DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class IssueAuthCode {
  constructor(@inject(OperationQueue) private readonly operations: OperationQueue) {}

  async execute({ domainId, ...requester }: Requester & { domainId: string }): Promise<OperationOutcome> {
    return this.operations.execute({
      ...requester,
      domainId,
      action: 'issue an auth code',
      request: () => ({ kind: 'issue_auth_code' }),
    });
  }
}
