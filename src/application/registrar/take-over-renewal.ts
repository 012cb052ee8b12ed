import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import { TldPolicies } from '../../domain/registration/tld-policy';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { assertSupported } from '../registration/assert-supported';

/**
 * Turns the registrar's own renewal of a domain off. The service then renews the domain if `autoRenew` is true; otherwise it
 * expires. @throws DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable
 */
@injectable()
export class TakeOverRenewal {
  constructor(
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(TldPolicies) private readonly policies: TldPolicies,
  ) {}

  async execute({
    domainId,
    autoRenew,
    ...requester
  }: Requester & { domainId: string; autoRenew: boolean }): Promise<OperationOutcome> {
    return this.operations.execute({
      ...requester,
      domainId,
      action: 'change auto-renewal',
      request: ({ name }) => {
        assertSupported(this.policies, name, 'registrar_renewal');
        return { kind: 'set_registrar_renewal', enabled: false, autoRenew };
      },
    });
  }
}
