import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { assertWholeZoneAllowed } from '../../domain/access/key-permissions';
import type { HealthReport } from '../../domain/health/health-report';
import { healthEvents } from '../audit/health-events';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { FindDomain } from '../registration/find-domain';
import { InspectDomain } from './inspect-domain';
import type { DomainHealth } from './read-health';

/** Checks a domain now, and stores the result. Requests for a domain that is being checked share its result. @throws LimitedKey, DomainNotFound */
@injectable()
export class CheckHealth {
  private readonly running = new Map<string, Promise<HealthReport>>();

  constructor(
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(InspectDomain) private readonly inspect: InspectDomain,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'events' | 'health'>,
  ) {}

  async execute(query: Reader & { readonly domainId: string }): Promise<DomainHealth> {
    assertWholeZoneAllowed(query.actor);
    const domain = await this.findDomain.ownedById(query);
    const running =
      this.running.get(domain.id) ??
      this.check(domain.id, query.accountId, () => this.inspect.execute(domain.toState(), { asksRegistry: true }));
    return { domain, report: await running };
  }

  private check(domainId: string, accountId: string, inspect: () => Promise<HealthReport>): Promise<HealthReport> {
    const checking = inspect()
      .then(async (report) => {
        await this.unitOfWork.run(
          async ({ events, health }) => events.append(...healthEvents(await health.save([{ domainId, report }]))),
          accountId,
        );
        return report;
      })
      .finally(() => this.running.delete(domainId));
    this.running.set(domainId, checking);
    return checking;
  }
}
