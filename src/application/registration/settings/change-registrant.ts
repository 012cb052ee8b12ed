import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { assertRegistrant, type Registrant } from '../../../domain/registration/registrant';
import { assertRegistrantFits, TldPolicies } from '../../../domain/registration/names/tld-policy';
import type { OperationOutcome } from '../../operations/operation-outcome';
import { OperationQueue, type OperationChange } from '../../operations/operation-queue';
import { assertSupported } from '../../operations/assert-supported';

export function registrantChange(registrant: Registrant, policies: TldPolicies): OperationChange {
  return {
    action: 'change contacts',
    request: ({ name }) => {
      assertSupported(policies, name, 'registrant_change');
      assertRegistrant(registrant, 'registrant');
      assertRegistrantFits(registrant, policies.forName(name), 'registrant');
      return { kind: 'set_registrant', registrant };
    },
  };
}

/** Replaces the registrant. @throws DomainNotFound, ValidationError, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class ChangeRegistrant {
  constructor(
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(TldPolicies) private readonly policies: TldPolicies,
  ) {}

  async execute({
    domainId,
    registrant,
    ...requester
  }: Requester & { domainId: string; registrant: Registrant }): Promise<OperationOutcome> {
    return this.operations.execute({
      ...requester,
      domainId,
      ...registrantChange(registrant, this.policies),
    });
  }
}
