import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertMayLetGo } from '../../domain/access/key-permissions';
import { Domain, type DomainState } from '../../domain/registration/domain';
import { DomainStatusConflict } from '../../domain/shared/domain-errors';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { addDays } from '../../domain/shared/time/calendar';
import { LifecyclePlan } from '../operations/lifecycle-plan';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { LifecycleClock } from '../ports/system';
import { assertSupported, isSupported } from '../operations/assert-supported';

type DeleteDomainCommand = Requester & { readonly domainId: string; readonly keepZone?: boolean | undefined };

/** Deletes a domain in the add grace period: the registration is refunded and the name is available at once. @throws RoleForbids, DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class DeleteDomain {
  constructor(
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  async execute(command: DeleteDomainCommand): Promise<OperationOutcome> {
    assertMayLetGo(command.actor);
    return this.operations.execute({
      ...command,
      action: 'delete',
      request: (domain) => {
        assertSupported(this.policies, domain.name, 'add_grace');
        const graceEndsAt = this.possibleUntil(domain.toState());
        if (graceEndsAt <= this.clock.now())
          throw new DomainStatusConflict(
            `The add grace period ended at ${graceEndsAt.toISOString()}. Switch auto-renewal off to let the domain expire`,
          );
        return { kind: 'delete', within: 'add_grace' };
      },
    });
  }

  isPossible(domain: DomainState): boolean {
    return domain.status === 'active' && this.possibleUntil(domain) > this.clock.now();
  }

  /** End of the add grace period, which starts at the registration; the registration itself if the registrar has none. */
  possibleUntil(domain: DomainState): Date {
    const { name, registeredAt } = Domain.fromState(domain);
    if (!isSupported(this.policies, name, 'add_grace')) return registeredAt;
    return addDays(registeredAt, this.plan.policyFor(domain)?.periods.addGrace ?? 0);
  }
}
