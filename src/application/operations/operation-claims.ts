import { randomUUID } from 'node:crypto';
import { inject, injectable } from 'inversify';
import type { Domain } from '../../domain/registration/domain';
import { nextToRun, type Operation } from '../../domain/registration/operation';
import { operationSettled } from '../audit/operation-audit';
import { raisePublishedVersions } from '../dns/publishing/raise-published-versions';
import { LifecyclePlan } from '../lifecycle/lifecycle-plan';
import { Clock, LifecycleClock } from '../ports/system/clock';
import type { OperationRepository } from '../ports/registration/operation-repository';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import type { OperationEnd } from './operation-outcome';
import { OperationSettings } from './operation-settings';

export interface Claim {
  readonly operation: Operation;
  readonly domain: Domain;
  /** Whether others wait behind it. */
  readonly more: boolean;
}

/** What a look at a domain's operations came to: one to run, or some that ended because nothing is left of the domain. */
export interface Claimed {
  readonly claim?: Claim;
  readonly ended: readonly OperationEnd[];
}

/** Who runs what: this process's leases on operations. Only the holder of a lease commits an outcome. */
@injectable()
export class OperationClaims {
  private readonly owner = randomUUID();

  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(OperationSettings) private readonly settings: OperationSettings,
  ) {}

  /** Takes the domain's next operation, unless somebody else runs one or is looking at it just now. */
  async claim(domainId: string): Promise<Claimed> {
    return this.unitOfWork.run(async ({ domains, operations }) => {
      const now = this.clock.now();
      const domain = await domains.lockIfFree(domainId);
      if (!domain) return { ended: [] };
      const unfinished = await operations.unfinished(domainId);
      if (domain.status === 'gone') return { ended: await this.end(operations, unfinished) };
      const operation = nextToRun(unfinished, now);
      if (!operation) return { ended: [] };
      operation.setCurrentExpiry(domain.expiresAt, now);
      operation.begin(this.owner, this.leaseEnd(now), now);
      await operations.save(operation);
      return { claim: { operation, domain, more: unfinished.length > 1 }, ended: [] };
    });
  }

  /** Commits what `decide` makes of the operation and its domain, unless the lease has passed to somebody else. */
  async settle(
    claimed: Operation,
    decide: (operation: Operation, domain: Domain) => void,
  ): Promise<OperationEnd | undefined> {
    return this.unitOfWork.run(async ({ audit, domains, operations, zones }) => {
      const domain = await domains.lockAny(claimed.toState().domainId);
      const operation = await operations.find(claimed.id);
      if (!domain || !operation?.isLeasedBy(this.owner, claimed.transactionId)) return undefined;
      const before = domain.toState();
      decide(operation, domain);
      await operations.save(operation);
      if (operation.toState().status === 'succeeded') this.plan.reschedule(domain, this.lifecycleClock.now());
      await domains.save(domain);
      const by = { actor: operation.actor, at: this.clock.now() };
      await raisePublishedVersions(zones, before, domain.toState(), by);
      const told = operationSettled({ at: this.clock.now(), operation, before, after: domain.toState() });
      if (told) await audit.append(told);
      return { operation, domain };
    }, claimed.toState().accountId);
  }

  /** Keeps what runs from being taken for abandoned. */
  async extend(running: readonly Operation[]): Promise<void> {
    const until = this.leaseEnd(this.clock.now());
    await this.unitOfWork.run(({ operations }) =>
      operations.extendLeases(
        running.map(({ id }) => id),
        this.owner,
        until,
      ),
    );
  }

  private async end(operations: OperationRepository, left: readonly Operation[]): Promise<readonly OperationEnd[]> {
    for (const operation of left) {
      operation.fail({ code: 'DOMAIN_NOT_FOUND', message: 'Nothing is left of the domain' }, this.clock.now());
      await operations.save(operation);
    }
    return left.map((operation) => ({ operation }));
  }

  private leaseEnd(now: Date): Date {
    return new Date(now.getTime() + this.settings.leaseMs);
  }
}
