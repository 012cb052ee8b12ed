import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { assertMayLetGo } from '../../../domain/access/key-permissions';
import { TldPolicies } from '../../../domain/registration/tld-policy';
import type { OperationOutcome } from '../../operations/operation-outcome';
import { OperationQueue } from '../../operations/operation-queue';
import { assertSupported } from '../../operations/assert-supported';

/** Sets or removes the transfer lock. @throws RoleForbids, DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class ChangeTransferLock {
  constructor(
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(TldPolicies) private readonly policies: TldPolicies,
  ) {}

  async execute({
    domainId,
    locked,
    ...requester
  }: Requester & { domainId: string; locked: boolean }): Promise<OperationOutcome> {
    if (!locked) assertMayLetGo(requester.actor);
    return this.operations.execute({
      ...requester,
      domainId,
      action: 'change the transfer lock',
      request: ({ name }) => {
        assertSupported(this.policies, name, 'transfer_lock');
        return { kind: 'set_transfer_lock', locked };
      },
    });
  }
}
