import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';

/**
 * Turns the registrar's own renewal of a domain off. The service then renews the domain if `autoRenew` is true; otherwise it
 * expires. @throws DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable
 */
@injectable()
export class TakeOverRenewal {
  constructor(@inject(OperationQueue) private readonly operations: OperationQueue) {}

  async execute({
    domainId,
    autoRenew,
    ...requester
  }: Requester & { domainId: string; autoRenew: boolean }): Promise<OperationOutcome> {
    const request = { kind: 'set_registrar_renewal', enabled: false, autoRenew } as const;
    return this.operations.execute({ ...requester, domainId, action: 'change auto-renewal', request: () => request });
  }
}
