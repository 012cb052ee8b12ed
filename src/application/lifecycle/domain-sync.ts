import { inject, injectable } from '../ports/inject';
import type { DomainState } from '../../domain/registration/domain';
import type { Registrant } from '../../domain/registration/registrant';
import type { RegistryFacts } from '../../domain/registration/registry-facts';
import { DomainName } from '../../domain/shared/domain-name';
import { RegistrationTerm } from '../../domain/registration/registration-term';
import { OperationRunner } from '../operations/operation-runner';
import { LifecycleClock, Log } from '../ports/system';
import type { NamedDomain } from '../ports/registration/domain-repository';
import { RegistryRejected, RegistryUnavailable } from '../ports/registry/registry-errors';
import { RegistryPort } from '../ports/registry/registry-port';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { LifecyclePlan, SYNC_INTERVAL_MS } from '../operations/lifecycle-plan';
import { SnapshotApplier, type AutomaticRenewal } from './snapshot-applier';

/** Synchronizes a domain with its registry when a check is due. */
@injectable()
export class DomainSync {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'audit' | 'domains' | 'events' | 'operations' | 'zones' | 'zoneSignings'>,
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(SnapshotApplier) private readonly snapshots: SnapshotApplier,
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(Log) private readonly log: Log,
  ) {}

  /**
   * Returns the ids of the queued operations. @throws RegistryUnavailable: the check is repeated later
   * @param endsUnknown ends a domain that the registry does not know, in any status
   */
  async sync({ id, name }: NamedDomain, { endsUnknown = false } = {}): Promise<readonly string[]> {
    const claimed = await this.claim(id);
    if (!claimed) return [];
    const registryName = DomainName.fromState(name);
    const at = this.lifecycleClock.now();
    const held = await this.registry.info(registryName);
    const transferOut =
      held?.sponsoredByUs && held.transferPending ? await this.readTransferOut(registryName) : undefined;
    const isRenewalDue = held?.sponsoredByUs === true && this.plan.stepsDue(claimed, at).includes('renew');
    const renewal = isRenewalDue ? await this.automaticRenewal(registryName) : undefined;
    const isCompleted = claimed.status === 'pending' && held?.sponsoredByUs === true && held.phase === 'registered';
    const registrant = isCompleted ? await this.readRegistrant(registryName) : undefined;
    const snapshot = { at, held, transferOut, renewal, registrant, endsUnknown };
    const queued = await this.unitOfWork.run((stores) => this.snapshots.apply(stores, claimed, snapshot));
    if (queued.length > 0) this.runner.wake(claimed);
    return queued;
  }

  /** Syncs the domain even if no check of it is due. @throws as `sync` */
  async syncNow({ id, name }: NamedDomain, options?: { readonly endsUnknown: boolean }): Promise<readonly string[]> {
    const now = this.lifecycleClock.now();
    await this.unitOfWork.run(async ({ domains }) => {
      const domain = await domains.lockAny(id);
      domain?.schedule(now);
      if (domain) await domains.save(domain);
    });
    return this.sync({ id, name }, options);
  }

  private async readTransferOut(name: DomainName): Promise<RegistryFacts['transferOut']> {
    try {
      const transfer = await this.registry.transferStatus(name);
      return transfer?.direction === 'out' && transfer.status === 'pending' ? transfer : undefined;
    } catch (error) {
      if (error instanceof RegistryRejected) return undefined;
      throw error;
    }
  }

  private async readRegistrant(name: DomainName): Promise<Registrant | undefined> {
    try {
      return await this.registry.registrant(name);
    } catch (error) {
      if (error instanceof RegistryRejected) return undefined;
      throw error;
    }
  }

  /**
   * For the shortest term of the TLD, which the registry also adds automatically at expiry. Undefined without a price: the rest of
   * the registry's data is adopted all the same, and the renewal is due again later.
   */
  private async automaticRenewal(name: DomainName): Promise<AutomaticRenewal | undefined> {
    const { min: years } = this.plan.policyFor({ name: name.value })?.renewalYears ?? { min: 1 };
    try {
      return { years, price: (await this.registry.price(name, RegistrationTerm.ofYears(years))).renewal };
    } catch (error) {
      if (!(error instanceof RegistryRejected || error instanceof RegistryUnavailable)) throw error;
      this.log.warn({ err: error, name: name.value }, 'an automatic renewal has no price and is retried');
      return undefined;
    }
  }

  private async claim(id: string): Promise<DomainState | undefined> {
    return this.unitOfWork.run(async ({ domains }) => {
      const now = this.lifecycleClock.now();
      const domain = await domains.lockIfFree(id);
      const dueAt = domain?.toState().dueAt;
      if (!domain || domain.isHosted || !dueAt || dueAt > now) return undefined;
      domain.schedule(later(now, SYNC_INTERVAL_MS));
      await domains.save(domain);
      return domain.toState();
    });
  }
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
