import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { assertMayLetGo } from '../../../domain/access/key-permissions';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import type { OperationOutcome } from '../../operations/operation-outcome';
import { OperationQueue, type OperationChange } from '../../operations/operation-queue';
import { assertSupported } from '../../operations/assert-supported';

/** @throws RoleForbids */
export function transferLockChange(
  locked: boolean,
  { actor }: Pick<Requester, 'actor'>,
  policies: TldPolicies,
): OperationChange {
  if (!locked) assertMayLetGo(actor);
  return {
    action: 'change the transfer lock',
    request: ({ name }) => {
      assertSupported(policies, name, 'transfer_lock');
      return { kind: 'set_transfer_lock', locked };
    },
  };
}

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
    return this.operations.execute({
      ...requester,
      domainId,
      ...transferLockChange(locked, requester, this.policies),
    });
  }
}
