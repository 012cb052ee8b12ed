import { inject, injectable } from 'inversify';
import type { Requester } from '../../../domain/access/actor';
import { Nameservers } from '../../../domain/registration/nameservers';
import { TldPolicies } from '../../../domain/registration/tld-policy';
import type { OperationOutcome } from '../../operations/operation-outcome';
import { OperationQueue } from '../../operations/operation-queue';

/** Replaces the nameservers. @throws DomainNotFound, InvalidNameservers, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class ChangeNameservers {
  constructor(
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(OperationQueue) private readonly operations: OperationQueue,
  ) {}

  async execute({
    domainId,
    hosts,
    ...requester
  }: Requester & { domainId: string; hosts: readonly string[] }): Promise<OperationOutcome> {
    return this.operations.execute({
      ...requester,
      domainId,
      action: 'change nameservers',
      request: (current) => {
        const policy = this.policies.forName(current.name);
        return { kind: 'set_nameservers', hosts: Nameservers.of(hosts, policy).hosts };
      },
    });
  }
}
