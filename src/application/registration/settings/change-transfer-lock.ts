import { inject, injectable } from 'inversify';
import type { Requester } from '../../../domain/access/actor';
import { assertMayLetGo } from '../../../domain/access/key-permissions';
import type { OperationOutcome } from '../../operations/operation-outcome';
import { OperationQueue } from '../../operations/operation-queue';

/** Sets or removes the transfer lock. @throws RoleForbids, DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class ChangeTransferLock {
  constructor(@inject(OperationQueue) private readonly operations: OperationQueue) {}

  async execute({
    domainId,
    locked,
    ...requester
  }: Requester & { domainId: string; locked: boolean }): Promise<OperationOutcome> {
    if (!locked) assertMayLetGo(requester.actor);
    const request = { kind: 'set_transfer_lock', locked } as const;
    return this.operations.execute({
      ...requester,
      domainId,
      action: 'change the transfer lock',
      request: () => request,
    });
  }
}
