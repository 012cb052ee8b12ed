import { inject, injectable } from 'inversify';
import type { Requester } from '../../../domain/access/actor';
import { assertRegistrant, type Registrant } from '../../../domain/registration/registrant';
import type { OperationOutcome } from '../../operations/operation-outcome';
import { OperationQueue } from '../../operations/operation-queue';

/** Replaces the registrant. @throws DomainNotFound, ValidationError, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class ChangeRegistrant {
  constructor(@inject(OperationQueue) private readonly operations: OperationQueue) {}

  async execute({
    domainId,
    registrant,
    ...requester
  }: Requester & { domainId: string; registrant: Registrant }): Promise<OperationOutcome> {
    return this.operations.execute({
      ...requester,
      domainId,
      action: 'change contacts',
      request: () => {
        assertRegistrant(registrant, 'registrant');
        return { kind: 'set_registrant', registrant };
      },
    });
  }
}
