import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import { Domain, type DomainState } from '../../domain/registration/domain';
import { DomainStatusConflict } from '../../domain/registration/errors';
import { addDays } from '../../domain/shared/calendar';
import { LifecyclePlan } from '../lifecycle/lifecycle-plan';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { LifecycleClock, type Clock } from '../ports/system/clock';

export type DeleteDomainCommand = Requester & { readonly domainId: string };

/** Gives a registration back within the add grace period: it is refunded, and the name is free at once. @throws DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class DeleteDomain {
  constructor(
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(LifecycleClock) private readonly clock: Clock,
  ) {}

  async execute(command: DeleteDomainCommand): Promise<OperationOutcome> {
    return this.operations.carryOut({
      ...command,
      action: 'delete',
      request: (domain) => {
        const graceEndsAt = this.possibleUntil(domain.toState());
        if (graceEndsAt <= this.clock.now())
          throw new DomainStatusConflict(
            `A domain can be deleted until ${graceEndsAt.toISOString()} only; let it expire instead: switch its auto-renewal off`,
          );
        return { kind: 'delete', within: 'add_grace' };
      },
    });
  }

  /** When the add grace period of a domain ends, which begins when the registry registers it. */
  possibleUntil(domain: DomainState): Date {
    return addDays(Domain.fromState(domain).registeredAt, this.plan.policyFor(domain)?.periods.addGrace ?? 0);
  }
}
