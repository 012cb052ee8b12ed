import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import type { Domain } from '../../domain/registration/domain';
import { OperationQueue } from '../operations/operation-queue';
import { RegistryUnavailable } from '../ports/registry-errors';
import type { AuthCode } from '../ports/registry-port';

/** Issues a new auth code, which permits a transfer away; any earlier one is void. @throws DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class IssueAuthCode {
  constructor(@inject(OperationQueue) private readonly operations: OperationQueue) {}

  async execute({ domainId, ...requester }: Requester & { domainId: string }): Promise<{ domain: Domain; authCode: AuthCode }> {
    const { domain, authCode } = await this.operations.carryOut({ ...requester, domainId, action: 'issue an auth code', request: () => ({ kind: 'issue_auth_code' }) });
    if (!authCode) throw new RegistryUnavailable('The auth code was issued but could not be handed over; ask for another');
    return { domain, authCode };
  }
}
