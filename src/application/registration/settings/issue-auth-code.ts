import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { assertMayLetGo } from '../../../domain/access/key-permissions';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import { LeavingWarnings } from '../../ports/dns/hosted-names';
import type { OperationOutcome } from '../../operations/operation-outcome';
import { OperationQueue } from '../../operations/operation-queue';
import { assertSupported } from '../../operations/assert-supported';

/** Issues a new auth code for a transfer and invalidates the former one. @throws RoleForbids, DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class IssueAuthCode {
  constructor(
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(LeavingWarnings) private readonly leaving: Pick<LeavingWarnings, 'ofTransfer'>,
  ) {}

  async execute({ domainId, ...requester }: Requester & { domainId: string }): Promise<OperationOutcome> {
    assertMayLetGo(requester.actor);
    const outcome = await this.operations.execute({
      ...requester,
      domainId,
      action: 'issue an auth code',
      request: ({ name }) => {
        assertSupported(this.policies, name, 'auth_code');
        return { kind: 'issue_auth_code' };
      },
    });
    return { ...outcome, warnings: outcome.domain.keepsZone ? [] : await this.leaving.ofTransfer(domainId) };
  }
}
