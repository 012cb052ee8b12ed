import { inject, injectable } from 'inversify';
import type { Domain } from '../../domain/registration/domain';
import { DomainNotFound } from '../../domain/registration/errors';
import { LifecycleClock, type Clock } from '../ports/clock';
import { UnitOfWork } from '../ports/unit-of-work';

/** Decides whether we renew the domain before it expires: a matter of ours, no registry is asked. @throws DomainNotFound, DomainStatusConflict */
@injectable()
export class ChangeAutoRenewal {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(LifecycleClock) private readonly clock: Clock,
  ) {}

  async execute({ accountId, domainId, autoRenew }: { accountId: string; domainId: string; autoRenew: boolean }): Promise<Domain> {
    return this.unitOfWork.run(async ({ domains }) => {
      const domain = await domains.lock(accountId, domainId);
      if (!domain) throw new DomainNotFound();
      domain.assertAllows('change auto-renewal');
      domain.setAutoRenew(autoRenew, this.clock.now());
      await domains.save(domain);
      return domain;
    });
  }
}
