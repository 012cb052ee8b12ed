import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import type { Domain, DomainState } from '../../../domain/registration/domain';
import { DomainStatusConflict } from '../../../domain/shared/domain-errors';
import type { Operation } from '../../../domain/registration/operations/operation';
import { addDays } from '../../../domain/shared/time/calendar';
import { requireDomain } from '../../access/require-domain';
import { domainChanged } from '../../audit/domain-audit';
import { LifecyclePlan } from '../../operations/lifecycle-plan';
import { Clock, LifecycleClock } from '../../ports/system';
import { UnitOfWork, type HookStore, type Stores, type TransactionHook } from '../../ports/storage/unit-of-work';
import { assertAutoRenewal } from '../../operations/assert-supported';

type AutoRenewalCommand = Requester & { readonly domainId: string; readonly autoRenew: boolean };

/** Switches automatic renewal. Changes only our data; sends nothing to the registry. @throws LimitedKey, DomainNotFound, DomainStatusConflict, RegistryRejected */
@injectable()
export class ChangeAutoRenewal {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'domains' | 'operations' | HookStore>,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(
    { accountId, actor, domainId, autoRenew }: AutoRenewalCommand,
    hook?: TransactionHook<Domain>,
  ): Promise<Domain> {
    return this.unitOfWork.run(async (stores) => {
      const domain = await this.within(stores, { accountId, actor, domainId, autoRenew });
      await hook?.(stores, domain);
      return domain;
    }, accountId);
  }

  /** In a unit of work of the caller. @throws as `execute` */
  async within(
    { domains, audit, operations }: Pick<Stores, 'audit' | 'domains' | 'operations'>,
    { accountId, actor, domainId, autoRenew }: AutoRenewalCommand,
  ): Promise<Domain> {
    const domain = requireDomain(await domains.lock(accountId, domainId), { actor }, 'settings');
    domain.assertAllows('change auto-renewal');
    const before = domain.toState();
    assertAutoRenewal(autoRenew, this.plan.policyFor(before));
    const now = this.lifecycleClock.now();
    domain.setAutoRenew(autoRenew, now);
    if (before.autoRenew && !autoRenew) this.assertInTime(before, now);
    const unfinished = await operations.unfinished(domainId);
    if (unfinished.some(isDeletionSent))
      throw new DomainStatusConflict('The domain is being deleted. Try again when the deletion has finished');
    this.plan.reschedule(domain, now);
    await domains.save(domain);
    const entry = { at: this.clock.now(), actor, action: 'domain.auto_renewal_changed' } as const;
    if (autoRenew !== before.autoRenew)
      await audit.append(domainChanged({ ...entry, before, after: domain.toState() }));
    return domain;
  }

  /** Otherwise switching auto-renewal off would delete the domain at once. */
  private assertInTime(state: DomainState, now: Date): void {
    const policy = this.plan.policyFor(state);
    if (!state.registrarRenews || policy?.deleteUnrenewedDays === undefined) return;
    const deletionDueAt = addDays(state.expiresAt, -policy.deleteUnrenewedDays);
    if (now < deletionDueAt) return;
    throw new DomainStatusConflict(
      `The registry renews the domain soon, and auto-renewal had to be off by ${deletionDueAt.toISOString()}. Switch it off after the renewal`,
    );
  }
}

/** A deletion that was not sent yet finds auto-renewal on and sends nothing. */
function isDeletionSent(operation: Operation): boolean {
  const { request, status } = operation.toState();
  return request.kind === 'delete' && request.within === 'before_renewal' && status !== 'queued';
}
