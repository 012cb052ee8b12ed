import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertMayLetGo } from '../../domain/access/key-permissions';
import { DomainStatusConflict } from '../../domain/shared/domain-errors';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { assertSupported } from '../operations/assert-supported';

type DecideTransferOutCommand = Requester & {
  readonly domainId: string;
  readonly decision: 'approve' | 'reject';
  readonly keepZone?: boolean | undefined;
};

/** Approves or rejects a pending transfer to another registrar. @throws RoleForbids, DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class DecideTransferOut {
  constructor(
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(TldPolicies) private readonly policies: TldPolicies,
  ) {}

  async execute({ decision, ...command }: DecideTransferOutCommand): Promise<OperationOutcome> {
    if (decision === 'approve') assertMayLetGo(command.actor);
    return this.operations.execute({
      ...command,
      action: 'approve or reject a transfer',
      request: (domain) => {
        assertSupported(this.policies, domain.name, 'decide_transfer');
        if (!domain.transferPending)
          throw new DomainStatusConflict('No transfer to another registrar is pending. Read the domain again');
        return { kind: decision === 'approve' ? 'approve_transfer' : 'reject_transfer' };
      },
    });
  }
}
