import { inject, injectable } from 'inversify';
import { SERVICE } from '../../domain/access/actor';
import type { Domain, DomainState } from '../../domain/registration/domain';
import { DomainName } from '../../domain/registration/domain-name';
import type { DueStep } from '../../domain/registration/lifecycle';
import { Operation, type OperationRequest } from '../../domain/registration/operation';
import { RegistrationTerm } from '../../domain/registration/registration-term';
import type { Money } from '../../domain/shared/money';
import { domainChanged } from '../audit/domain-audit';
import { raisePublishedVersions } from '../dns/publishing/raise-published-versions';
import { OperationRunner } from '../operations/operation-runner';
import { Clock, LifecycleClock } from '../ports/system/clock';
import { IdGenerator } from '../ports/system/id-generator';
import { Log } from '../ports/system/log';
import type { NamedDomain } from '../ports/registration/domain-repository';
import type { OperationRepository } from '../ports/registration/operation-repository';
import { RegistryPort, type RegistryDomain } from '../ports/registry/registry-port';
import { UnitOfWork, type Stores } from '../ports/storage/unit-of-work';
import { LifecyclePlan, SYNC_INTERVAL_MS } from './lifecycle-plan';

const MINUTE_MS = 60_000;
const BUSY_RETRY_MS = MINUTE_MS;
const STEP_RETRY_MS = 60 * MINUTE_MS;
const UNKNOWN_DOMAIN_RETRY_MS = 24 * 60 * MINUTE_MS;

interface AutomaticRenewal {
  readonly years: number;
  /** For the whole term. */
  readonly price: Money;
}

/** A domain's data at the registry, read outside any transaction. */
interface RegistrySnapshot {
  /** Time of the query. What becomes due later is left to the next check. */
  readonly at: Date;
  readonly held: RegistryDomain | undefined;
  /** Present if a renewal is due. */
  readonly renewal: AutomaticRenewal | undefined;
}

/** Synchronizes a domain with its registry when a check is due: adopts the registry's data and queues due actions as operations. */
@injectable()
export class DomainSync {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Returns the ids of the queued operations. @throws RegistryUnavailable: the check is repeated later */
  async sync({ id, name }: NamedDomain): Promise<readonly string[]> {
    const claimed = await this.claim(id);
    if (!claimed) return [];
    const registryName = DomainName.fromState(name);
    const at = this.lifecycleClock.now();
    const held = await this.registry.info(registryName);
    const isRenewalDue = this.plan.stepsDue(claimed, at).includes('renew');
    const renewal = isRenewalDue ? await this.automaticRenewal(registryName) : undefined;
    const queued = await this.unitOfWork.run((stores) => this.apply(stores, claimed, { at, held, renewal }));
    if (queued.length > 0) this.runner.wake({ id, name });
    return queued;
  }

  /** For the shortest term of the TLD, which the registry also adds automatically at expiry. */
  private async automaticRenewal(name: DomainName): Promise<AutomaticRenewal> {
    const { min: years } = this.plan.policyFor({ name: name.value })?.renewalYears ?? { min: 1 };
    return { years, price: (await this.registry.price(name, RegistrationTerm.ofYears(years))).renewal };
  }

  private async claim(id: string): Promise<DomainState | undefined> {
    return this.unitOfWork.run(async ({ domains }) => {
      const now = this.lifecycleClock.now();
      const domain = await domains.lockIfFree(id);
      const dueAt = domain?.toState().dueAt;
      if (!domain || !dueAt || dueAt > now) return undefined;
      domain.schedule(later(now, SYNC_INTERVAL_MS));
      await domains.save(domain);
      return domain.toState();
    });
  }

  /** Does nothing if `dueAt` has changed since the claim: then something newer than the snapshot happened. */
  private async apply(
    { audit, domains, operations, zones }: Stores,
    { id, dueAt }: DomainState,
    snapshot: RegistrySnapshot,
  ): Promise<readonly string[]> {
    const domain = await domains.lockAny(id);
    if (!domain || domain.toState().dueAt?.getTime() !== dueAt?.getTime()) return [];
    const before = domain.toState();
    const isBusy = (await operations.unfinished(id)).length > 0;
    if (isBusy) domain.schedule(later(snapshot.at, BUSY_RETRY_MS));
    const queued = isBusy ? [] : await this.actOn(snapshot, domain, operations);
    await domains.save(domain);
    const after = domain.toState();
    await raisePublishedVersions(zones, before, after, { actor: SERVICE, at: this.clock.now() });
    const fact = domainChanged({ at: this.clock.now(), actor: SERVICE, action: 'domain.synchronized', before, after });
    if (Object.keys(fact.after).length > 0) await audit.append(fact);
    return queued;
  }

  /** Adopts the snapshot and queues due actions. Returns the ids of the operations. */
  private async actOn(
    snapshot: RegistrySnapshot,
    domain: Domain,
    operations: OperationRepository,
  ): Promise<readonly string[]> {
    const { at: now, held } = snapshot;
    const before = domain.toState();
    if (!this.adopt(domain, held, now)) domain.schedule(later(now, UNKNOWN_DOMAIN_RETRY_MS));
    const { id: domainId, accountId } = before;
    const steps = this.plan.stepsDue(domain.toState(), now);
    const queued: string[] = [];
    const isUnlockedByRestore =
      before.status === 'redemption' &&
      before.transferLocked &&
      domain.status === 'active' &&
      !domain.toState().transferLocked;
    const lock: OperationRequest[] = isUnlockedByRestore ? [{ kind: 'set_transfer_lock', locked: true }] : [];
    for (const request of [...lock, ...steps.flatMap((step) => this.requestFor(step, domain, snapshot) ?? [])]) {
      const operation = Operation.queue(
        { id: this.ids.next('op'), accountId, domainId, actor: SERVICE, request },
        this.clock.now(),
      );
      await operations.add(operation);
      queued.push(operation.id);
      if (request.kind === 'renew') domain.recordRenewalAttempt(now);
    }
    if (steps.length > 0) this.plan.schedule(domain, later(now, STEP_RETRY_MS));
    return queued;
  }

  /** Adopts the registry's data and schedules the next check. Returns false if the registry does not know an active domain. */
  private adopt(domain: Domain, held: RegistryDomain | undefined, now: Date): boolean {
    const { status, name } = domain.toState();
    if (!held && (status === 'active' || status === 'expired')) {
      this.log.error(
        { domainId: domain.id, name, status },
        'the registry does not know an active domain, which is left unchanged: contact the registry',
      );
      return false;
    }
    if (!held) domain.markDeleted(now);
    else if (!held.sponsoredByUs) domain.markTransferredOut(now);
    else this.plan.adopt(domain, held, now);
    this.plan.schedule(domain);
    return true;
  }

  private requestFor(step: DueStep, domain: Domain, { renewal }: RegistrySnapshot): OperationRequest | undefined {
    const state = domain.toState();
    if (step === 'delete') return { kind: 'delete', within: 'any_time' };
    if (step === 'withdraw auth code') return { kind: 'withdraw_auth_code' };
    return renewal && { kind: 'renew', ...renewal, currentExpiry: state.expiresAt.toISOString() };
  }
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
