import { isSameRegistrant, type Registrant } from '../../domain/registration/registrant';
import { inject, injectable } from '../ports/inject';
import { SERVICE } from '../../domain/access/actor';
import { Domain, type DomainState } from '../../domain/registration/domain';
import { isBeingDeleted, type RegistryFacts } from '../../domain/registration/registry-facts';
import { isConfirmed, isServed } from '../../domain/registration/domain-status';
import type { DueStep } from '../../domain/registration/lifecycle/lifecycle';
import { areSameHosts } from '../../domain/registration/nameservers';
import { Operation } from '../../domain/registration/operations/operation';
import type { OperationRequest } from '../../domain/registration/operations/operation-request';
import type { Money } from '../../domain/shared/money';
import { domainChanged, transferRequestedElsewhere } from '../audit/domain-audit';
import { withdrawOthersZone } from '../publishing/withdraw-zone';
import { recheckSigning } from '../publishing/add-registration';
import { raisePublishedVersions } from '../publishing/raise-published-versions';
import { isUnrenewed } from '../operations/commands/domain-deletions';
import { Clock, IdGenerator, Log } from '../ports/system';
import type { OperationRepository } from '../ports/registration/operations-and-transfers';
import type { RegistryDomain } from '../ports/registry/registry-port';
import type { Stores } from '../ports/storage/unit-of-work';
import { LifecyclePlan } from '../operations/lifecycle-plan';

const MINUTE_MS = 60_000;
const BUSY_RETRY_MS = MINUTE_MS;
const STEP_RETRY_MS = 60 * MINUTE_MS;
/** Not every registry sends a poll message when it has decided on a restore. */
const PENDING_RESTORE_RETRY_MS = 60 * MINUTE_MS;
const DOUBTFUL_DATA_RETRY_MS = 24 * 60 * MINUTE_MS;

export interface AutomaticRenewal {
  readonly years: number;
  /** For the whole term. */
  readonly price: Money;
}

/** A domain's data at the registry, read outside any transaction. */
interface RegistrySnapshot {
  /** Time of the query. What becomes due later is left to the next check. */
  readonly at: Date;
  readonly held: RegistryDomain | undefined;
  /** The pending transfer to another registrar, if the registry was queried and reports one. */
  readonly transferOut?: RegistryFacts['transferOut'];
  /** Present if a renewal is due. */
  readonly renewal: AutomaticRenewal | undefined;
  /** Of a registration that the registry has completed, if the registry shows it. */
  readonly registrant?: Registrant | undefined;
  /** An operator wants a domain that the registry does not know to end, in any status. */
  readonly endsUnknown?: boolean;
}

/** Adopts what a registry says about a domain and queues the actions that are due, in the transaction of the caller. */
@injectable()
export class SnapshotApplier {
  constructor(
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Returns the ids of the queued operations. Does nothing if `dueAt` has changed since the claim: then something newer than the snapshot happened. */
  async apply(
    stores: Pick<Stores, 'audit' | 'domains' | 'events' | 'operations' | 'zones' | 'zoneSignings'>,
    { id, dueAt }: DomainState,
    snapshot: RegistrySnapshot,
  ): Promise<readonly string[]> {
    const { audit, domains, events, operations, zones } = stores;
    const domain = await domains.lockAny(id);
    if (!domain || domain.toState().dueAt?.getTime() !== dueAt?.getTime()) return [];
    const before = domain.toState();
    const isBusy = (await operations.unfinished(id)).length > 0;
    if (isBusy) domain.schedule(later(snapshot.at, BUSY_RETRY_MS));
    const queued = isBusy ? [] : await this.actOn(snapshot, domain, operations);
    const by = { actor: SERVICE, at: this.clock.now() };
    const newId = () => this.ids.next('rec');
    if (before.status === 'pending' && isConfirmed(domain.status))
      await withdrawOthersZone(stores, domain, { now: snapshot.at, at: by.at, newId, log: this.log });
    await domains.save(domain);
    const after = domain.toState();
    await raisePublishedVersions({ domains, zones }, before, after, by, newId);
    if (domain.isHosted) await recheckSigning(stores, domain, snapshot.at);
    const fact = domainChanged({ at: this.clock.now(), actor: SERVICE, action: 'domain.synchronized', before, after });
    if (Object.keys(fact.after).length > 0) await audit.append(fact);
    await events.append(...transferRequestedElsewhere(before, after, this.clock.now()));
    return queued;
  }

  /** Adopts the snapshot and queues due actions. Returns the ids of the operations. */
  private async actOn(
    snapshot: RegistrySnapshot,
    domain: Domain,
    operations: OperationRepository,
  ): Promise<readonly string[]> {
    const { at: now } = snapshot;
    const before = domain.toState();
    this.adopt(domain, snapshot);
    const { id: domainId, accountId, name } = before;
    if (before.registrarRenews && !domain.toState().autoRenew && domain.expiresAt > before.expiresAt)
      this.log.warn({ domainId, name }, 'the registry renewed a domain with auto-renewal off before it was deleted');
    const steps = this.plan.stepsDue(domain.toState(), now);
    const queued: string[] = [];
    const isHeld = isServed(domain.status) && !domain.isHosted;
    const wasRestored = isBeingDeleted(before.status) && isHeld;
    const wasRejected = before.transferPending && !domain.transferPending && isHeld;
    const isUnlocked = (wasRestored || wasRejected) && before.transferLocked && !domain.toState().transferLocked;
    const mayLock = this.plan.supports(before, 'transfer_lock');
    const lock: OperationRequest[] = isUnlocked && mayLock ? [{ kind: 'set_transfer_lock', locked: true }] : [];
    for (const request of [
      ...lock,
      ...planDelegation(before, domain),
      ...(this.plan.supports(before, 'registrant_change') ? orderedRegistrant(before, domain, snapshot) : []),
      ...steps.flatMap((step) => this.requestFor(step, before, domain, snapshot) ?? []),
    ]) {
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

  /** Adopts the registry's data, except for an expiry that is in doubt, and schedules the next check. */
  private adopt(domain: Domain, { at: now, held, transferOut, endsUnknown = false }: RegistrySnapshot): void {
    const { status, name, expiresAt } = domain.toState();
    if (!held && !endsUnknown && (status === 'active' || status === 'expired')) {
      this.log.error(
        { domainId: domain.id, name, status },
        'the registry does not know an active domain, which is left unchanged: contact the registry',
      );
      domain.schedule(later(now, DOUBTFUL_DATA_RETRY_MS));
      return;
    }
    const isExpiryDoubtful = held?.sponsoredByUs === true && this.losesPaidTerm(domain, held, now);
    if (isExpiryDoubtful)
      this.log.error(
        { domainId: domain.id, name, expiresAt, atRegistry: held.expiresAt },
        'the registry moved the expiry of a domain into the past; the expiry is left unchanged, so that the domain is not deleted or renewed twice: contact the registry, or switch auto-renewal on to renew it',
      );
    if (!held) domain.markDeleted(now);
    else if (!held.sponsoredByUs) domain.markTransferredOut(now);
    else {
      const facts = isExpiryDoubtful ? { ...held, expiresAt } : held;
      this.plan.adopt(domain, { ...facts, ...(transferOut && { transferOut }) }, now);
    }
    this.plan.schedule(domain);
    if (isExpiryDoubtful) scheduleWithin(domain, later(now, DOUBTFUL_DATA_RETRY_MS));
    if (held?.phase === 'pending_restore') scheduleWithin(domain, later(now, PENDING_RESTORE_RETRY_MS));
  }

  /** The service would delete a domain that is paid, or renew it again, because of one old copy of its data. */
  private losesPaidTerm(domain: Domain, held: RegistryDomain, now: Date): boolean {
    const adopted = Domain.fromState(domain.toState());
    this.plan.adopt(adopted, held, now);
    const { status, autoRenew, registrarRenews } = adopted.toState();
    const { renewalTriedAt } = domain.toState();
    const isJustRenewed = renewalTriedAt !== null && later(renewalTriedAt, DOUBTFUL_DATA_RETRY_MS) > now;
    return domain.expiresAt > now && status === 'expired' && !registrarRenews && (!autoRenew || isJustRenewed);
  }

  private requestFor(
    step: DueStep,
    before: DomainState,
    domain: Domain,
    { held, renewal }: RegistrySnapshot,
  ): OperationRequest | undefined {
    const state = domain.toState();
    const currentExpiry = state.expiresAt.toISOString();
    if (step === 'delete before renewal')
      return held && isUnrenewed(held, before.expiresAt)
        ? { kind: 'delete', within: 'before_renewal', currentExpiry }
        : undefined;
    if (step === 'delete') return { kind: 'delete', within: 'any_time' };
    if (step === 'withdraw auth code') return { kind: 'withdraw_auth_code' };
    return renewal && { kind: 'renew', ...renewal, currentExpiry };
  }
}

/** The nameservers of a registration that took time, if the registrar did not take them with it. */
function planDelegation({ status, nameservers: hosts }: DomainState, domain: Domain): OperationRequest[] {
  const isRegistered = status === 'pending' && domain.status === 'active';
  return isRegistered && !areSameHosts(hosts, domain.toState().nameservers) ? [{ kind: 'set_nameservers', hosts }] : [];
}

/** The registrant of a registration that took time, if the registrar registered with a default contact. */
function orderedRegistrant(
  { status, registrant }: DomainState,
  domain: Domain,
  { registrant: shown }: RegistrySnapshot,
): OperationRequest[] {
  const isRegistered = status === 'pending' && domain.status === 'active';
  if (!isRegistered || !registrant || !shown || isSameRegistrant(shown, registrant)) return [];
  return [{ kind: 'set_registrant', registrant }];
}

/** Schedules the next check for `latest`, unless it is due before. */
function scheduleWithin(domain: Domain, latest: Date): void {
  const { dueAt } = domain.toState();
  if (!dueAt || dueAt > latest) domain.schedule(latest);
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
