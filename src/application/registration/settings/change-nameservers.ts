import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { DomainName } from '../../../domain/shared/domain-name';
import { Nameservers } from '../../../domain/registration/nameservers';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import { LeavingWarnings } from '../../ports/dns/hosted-names';
import type { OperationOutcome } from '../../operations/operation-outcome';
import type { NamedDomain } from '../../ports/registration/domain-repository';
import { OperationQueue, type OperationChange } from '../../operations/operation-queue';

export function nameserversChange(hosts: readonly string[], policies: TldPolicies): OperationChange {
  return {
    action: 'change nameservers',
    request: ({ name }) => ({ kind: 'set_nameservers', hosts: Nameservers.of(hosts, policies.forName(name)).hosts }),
  };
}

/** Replaces the nameservers. @throws DomainNotFound, InvalidNameservers, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class ChangeNameservers {
  constructor(
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(LeavingWarnings) private readonly leaving: Pick<LeavingWarnings, 'ofNameservers'>,
  ) {}

  async execute({
    domainId,
    hosts,
    ...requester
  }: Requester & { domainId: string; hosts: readonly string[] }): Promise<OperationOutcome> {
    const outcome = await this.operations.execute({
      ...requester,
      domainId,
      ...nameserversChange(hosts, this.policies),
    });
    return { ...outcome, warnings: await this.leaving.ofNameservers(domainId, hosts) };
  }

  /** The hosts as they would be stored, and the warnings of the change. Changes nothing. @throws InvalidNameservers */
  async review(
    { id, name }: NamedDomain,
    hosts: readonly string[],
  ): Promise<{ readonly hosts: readonly string[]; readonly warnings: readonly string[] }> {
    const { hosts: stored } = Nameservers.of(hosts, this.policies.forName(DomainName.fromState(name)));
    return { hosts: stored, warnings: await this.leaving.ofNameservers(id, stored) };
  }
}
