import { randomUUID } from 'node:crypto';
import { inject, injectable } from '../ports/inject';
import type { Domain } from '../../domain/registration/domain';
import { isConfirmed } from '../../domain/registration/domain-status';
import { nextToRun, type Operation } from '../../domain/registration/operations/operation';
import { readLagMsOf, TldPolicies } from '../../domain/registration/names/tld-policy';
import { transferRequestedElsewhere } from '../audit/domain-audit';
import { operationEvents, operationFact, operationSettled, registrantRefused } from '../audit/operation-audit';
import type { SentGlue } from '../publishing/glue-addresses';
import { GlueUpdates } from '../publishing/glue-updates';
import { withdrawOthersZone } from '../publishing/withdraw-zone';
import { recheckSigning } from '../publishing/add-registration';
import { raisePublishedVersions } from '../publishing/raise-published-versions';
import { LifecyclePlan } from './lifecycle-plan';
import { Clock, LifecycleClock, IdGenerator, Log } from '../ports/system';
import { UnitOfWork, type Stores } from '../ports/storage/unit-of-work';
import type { FinishedOperation } from './operation-outcome';
import { OperationSettings } from '../shared/operation-settings';

export interface Claim {
  readonly operation: Operation;
  readonly domain: Domain;
  /** Whether more operations of the domain are queued. */
  readonly more: boolean;
}

/** The operation to run, or the operations that failed because the domain no longer exists. */
interface ClaimResult {
  readonly claim?: Claim;
  readonly ended: readonly FinishedOperation[];
}

type Change = (operation: Operation, domain: Domain) => void;

interface Commit {
  readonly read: Operation;
  /** Whether the stored operation is still the one that was read. */
  readonly mayChange: (current: Operation) => boolean;
  readonly change: Change;
  readonly sent: readonly SentGlue[];
  readonly isSettled?: boolean;
}

/** This process's leases on operations. Only the lease holder commits an outcome. */
@injectable()
export class OperationClaims {
  private readonly owner = randomUUID();

  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<
      'audit' | 'domains' | 'events' | 'keySpending' | 'operations' | 'zones' | 'zoneSignings'
    >,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(OperationSettings) private readonly settings: OperationSettings,
    @inject(GlueUpdates) private readonly glue: GlueUpdates,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Leases the domain's next operation, unless another process runs one or has locked the domain. */
  async claim(domainId: string): Promise<ClaimResult> {
    return this.unitOfWork.run(async (stores) => {
      const { domains, operations } = stores;
      const now = this.clock.now();
      const domain = await domains.lockIfFree(domainId);
      if (!domain) return { ended: [] };
      const unfinished = await operations.unfinished(domainId);
      if (domain.status === 'gone' || domain.isHosted) return { ended: await this.failAll(stores, unfinished, domain) };
      const operation = nextToRun(unfinished, now);
      if (!operation) return { ended: [] };
      operation.setCurrentExpiry(domain.expiresAt, now);
      operation.begin(this.owner, this.leaseEnd(now), now, readLagMsOf(this.policies.forName(domain.name)));
      await operations.save(operation);
      return { claim: { operation, domain, more: unfinished.length > 1 }, ended: [] };
    });
  }

  /** Changes the operation and its domain and commits both. `sent` is the glue that the registry was sent. Returns undefined, and does nothing, if the lease was lost. */
  async commit(
    claimed: Operation,
    change: Change,
    sent: readonly SentGlue[] = [],
  ): Promise<FinishedOperation | undefined> {
    const isOurs = (current: Operation) => current.isLeasedBy(this.owner, claimed.transactionId);
    return this.store({ read: claimed, mayChange: isOurs, change, sent });
  }

  /** As `commit`, by the operator. Returns undefined, and does nothing, if the operation has changed since it was read as uncertain. */
  async settle(read: Operation, change: Change): Promise<FinishedOperation | undefined> {
    const isUntouched = (current: Operation) => current.isUncertainSince(read);
    return this.store({ read, mayChange: isUntouched, change, sent: [], isSettled: true });
  }

  private async store({
    read: claimed,
    mayChange,
    change,
    sent,
    isSettled,
  }: Commit): Promise<FinishedOperation | undefined> {
    return this.unitOfWork.run(async (stores) => {
      const { audit, domains, events, operations, zones } = stores;
      const { domainId } = claimed.toState();
      const own = claimed.request.kind === 'set_nameservers' ? [domainId] : [];
      // Zones before the domain, as a change of records locks them.
      const locked = await lockZones(zones, [...own, ...sent.map(({ owner }) => owner.id)]);
      const domain = await domains.lockAny(domainId);
      const operation = await operations.find(claimed.id);
      if (!domain || !operation || !mayChange(operation)) return undefined;
      const before = domain.toState();
      const wasUncertain = operation.toState().uncertainSince !== null;
      change(operation, domain);
      await operations.save(operation);
      await releaseSpend(stores, operation);
      if (operation.toState().status === 'succeeded') this.plan.reschedule(domain, this.lifecycleClock.now());
      const by = { actor: operation.actor, at: this.clock.now() };
      const newId = () => this.ids.next('rec');
      const now = this.lifecycleClock.now();
      if (before.status === 'pending' && isConfirmed(domain.status))
        await withdrawOthersZone(stores, domain, { now, at: by.at, newId, log: this.log });
      await domains.save(domain);
      await raisePublishedVersions({ domains, zones }, before, domain.toState(), by, newId);
      if (isConfirmed(before.status) !== isConfirmed(domain.status)) await recheckSigning(stores, domain, now);
      await this.glue.queueChangedSince(stores, sent, locked);
      const fact = operationFact({ at: this.clock.now(), operation, before, after: domain.toState() });
      if (fact) await audit.append(fact);
      const refused = registrantRefused({ at: this.clock.now(), operation, after: domain.toState() });
      if (refused) await audit.append(refused);
      await events.append(
        ...operationEvents({ at: this.clock.now(), operation, after: domain.toState() }, wasUncertain),
        ...transferRequestedElsewhere(before, domain.toState(), this.clock.now()),
      );
      if (isSettled) await audit.append(operationSettled({ at: this.clock.now(), operation, after: domain.toState() }));
      return { operation, domain };
    });
  }

  /** Extends the leases of running operations. One that has ended stays ended here: another process may have begun an attempt. */
  async extend(running: readonly Operation[]): Promise<void> {
    const now = this.clock.now();
    const until = this.leaseEnd(now);
    const leased = running.filter((operation) => operation.isLeased(now));
    await this.unitOfWork.run(({ operations }) =>
      operations.extendLeases(
        running.map(({ id }) => id),
        this.owner,
        until,
      ),
    );
    for (const operation of leased) operation.extendLease(until);
  }

  /**
   * Gives up the lease without an outcome, because the only process stops. With other processes the lease runs out, as after a
   * kill: a request of this process may take effect until it ends, and a vendor would charge for a repeated one.
   */
  async release(claimed: Operation): Promise<void> {
    if (this.settings.alone) await this.commit(claimed, (operation) => operation.release(this.clock.now()));
  }

  private async failAll(
    stores: Pick<Stores, 'events' | 'keySpending' | 'operations'>,
    unfinished: readonly Operation[],
    domain: Domain,
  ): Promise<readonly FinishedOperation[]> {
    for (const operation of unfinished) {
      operation.fail({ code: 'DOMAIN_NOT_FOUND', message: 'The domain no longer exists' }, this.clock.now());
      await stores.operations.save(operation);
      await releaseSpend(stores, operation);
      await stores.events.append(
        ...operationEvents({ at: this.clock.now(), operation, after: domain.toState() }, true),
      );
    }
    return unfinished.map((operation) => ({ operation }));
  }

  private leaseEnd(now: Date): Date {
    return new Date(now.getTime() + this.settings.leaseMs);
  }
}

/** An operation that failed was not charged. One whose outcome is unknown still counts. */
async function releaseSpend({ keySpending }: Pick<Stores, 'keySpending'>, operation: Operation): Promise<void> {
  const { actor, request, status } = operation.toState();
  if (status === 'failed' && actor.kind === 'key' && 'price' in request) await keySpending.release(operation.id);
}

/** In one order everywhere. Returns the ids of those that exist. */
async function lockZones(
  zones: Pick<Stores['zones'], 'lock'>,
  domainIds: readonly string[],
): Promise<readonly string[]> {
  const locked: string[] = [];
  for (const id of [...new Set(domainIds)].toSorted()) if (await zones.lock(id)) locked.push(id);
  return locked;
}
