import { inject, injectable } from 'inversify';
import { DomainName } from '../../domain/registration/domain-name';
import { DomainUnavailable } from '../../domain/registration/errors';
import type { Domain } from '../../domain/registration/domain';
import type { Operation } from '../../domain/registration/operation';
import { isWithin, type Money } from '../../domain/shared/money';
import { levelOf } from '../level-of';
import { Outage } from '../outage';
import { Clock, LifecycleClock } from '../ports/system/clock';
import { Log, type LogFacts } from '../ports/system/log';
import { OperationReader } from '../ports/registration/operation-repository';
import type { NamedDomain } from '../ports/registration/domain-repository';
import { RegistryRejected, RegistryNotContacted } from '../ports/registry/registry-errors';
import type { RejectionReason } from '../ports/registry/registry-port';
import { RegistryDirectory, type RegistryCapacity } from '../ports/registry/registry-directory';
import { withinMs } from '../within-ms';
import { OperationClaims, type Claim } from './operation-claims';
import { OperationEffects, type Effect } from './operation-effects';
import { OperationHandover } from './operation-handover';
import type { FinishedOperation } from './operation-outcome';
import { OperationSettings } from './operation-settings';
import { OperationWaits } from './operation-waits';

const SWEEP_EVERY_MS = 250;
const SWEEP_BATCH = 200;
const STOP_WITHIN_MS = 2_000;
/** Operations per connection of the registry: some are always reading or writing the database. */
const OPERATIONS_PER_CALL = 2;
/** For names that no registry serves: their operations are retried in case the operator configures the registry again. */
const NO_REGISTRY: RegistryCapacity = { registry: '', concurrency: 1 };

/**
 * Rejections which show that the registry's data differ from ours, so the domain is checked at once. Operations of the service
 * itself follow a check and are retried on its schedule.
 */
const FACTS_DIFFER: ReadonlySet<RejectionReason> = new Set(['not_held', 'status', 'expiry_differs']);

/** The running and waiting work of one registry. */
interface Lane {
  readonly width: number;
  /** Ids of domains with due operations, in order of arrival. */
  readonly ready: Set<string>;
  /** Work in progress, by domain id. */
  readonly active: Map<string, Promise<void>>;
}

/**
 * Runs stored operations: sequentially per domain, in parallel up to a limit per registry. Registry calls are outside
 * transactions; the lease holder commits the outcome together with the domain.
 */
@injectable()
export class OperationRunner {
  private readonly lanes = new Map<string, Lane>();
  private readonly running = new Set<Operation>();
  private timers: readonly NodeJS.Timeout[] = [];
  private readonly storageOutage: Outage;

  constructor(
    @inject(OperationClaims) private readonly claims: OperationClaims,
    @inject(OperationReader) private readonly operations: OperationReader,
    @inject(RegistryDirectory) private readonly registries: RegistryDirectory,
    @inject(OperationEffects) private readonly effects: OperationEffects,
    @inject(OperationHandover) private readonly handover: OperationHandover,
    @inject(OperationWaits) private readonly waits: OperationWaits,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
    @inject(Log) private readonly log: Log,
    @inject(OperationSettings) private readonly settings: OperationSettings,
  ) {
    this.storageOutage = new Outage(log, 'reading due operations');
  }

  /** Runs stored operations until `stop`, including those of other processes. */
  start(): void {
    this.timers = [
      setInterval(() => void this.sweep(), SWEEP_EVERY_MS),
      setInterval(() => void this.extendLeases(), this.settings.leaseMs / 3),
    ];
    for (const timer of this.timers) timer.unref();
  }

  /** Starts no more operations, waits for running ones, and releases the leases of those that do not finish in time. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    const lanes = [...this.lanes.values()];
    for (const { ready } of lanes) ready.clear();
    await withinMs(STOP_WITHIN_MS, Promise.allSettled(lanes.flatMap(({ active }) => [...active.values()]))).catch(
      () => undefined,
    );
    await Promise.all([...this.running].map((operation) => this.release(operation)));
  }

  /** If the database is unavailable, the lease expires. */
  private async release(operation: Operation): Promise<void> {
    try {
      await this.claims.commit(operation, (leased) => leased.release(this.clock.now()));
    } catch (error) {
      this.log[levelOf(error)](
        { err: error, operationId: operation.id },
        'the lease of an operation could not be released',
      );
    }
  }

  /** Runs the domain's operations as soon as the registry has capacity. Returns at once; does nothing before `start`. */
  wake({ id, name }: NamedDomain): void {
    if (this.timers.length === 0) return;
    const lane = this.capacityOf(name);
    lane.ready.add(id);
    this.fill(lane);
  }

  private capacityOf(name: string): Lane {
    const { registry, concurrency } = this.registries.registryFor(DomainName.fromState(name)) ?? NO_REGISTRY;
    const lane = this.lanes.get(registry) ?? {
      width: concurrency * OPERATIONS_PER_CALL,
      ready: new Set(),
      active: new Map(),
    };
    this.lanes.set(registry, lane);
    return lane;
  }

  private fill(lane: Lane): void {
    if (this.timers.length === 0) return;
    for (const domainId of lane.ready) {
      if (lane.active.size >= lane.width) return;
      if (lane.active.has(domainId)) continue;
      lane.ready.delete(domainId);
      const turn = this.take(domainId, lane)
        .catch((error: unknown) =>
          this.log[levelOf(error)]({ err: error, domainId }, 'running the operations of a domain failed'),
        )
        .finally(() => {
          lane.active.delete(domainId);
          this.fill(lane);
        });
      lane.active.set(domainId, turn);
    }
  }

  private async sweep(): Promise<void> {
    try {
      for (const domain of await this.operations.domainsWithWork(this.clock.now(), SWEEP_BATCH)) {
        if (!this.capacityOf(domain.name).active.has(domain.id)) this.wake(domain);
      }
      this.storageOutage.succeeded();
    } catch (error) {
      this.storageOutage.failed(error);
    }
  }

  private async extendLeases(): Promise<void> {
    if (this.running.size === 0) return;
    try {
      await this.claims.extend([...this.running]);
    } catch (error) {
      this.log[levelOf(error)]({ err: error }, 'operation leases could not be renewed');
    }
  }

  private async take(domainId: string, { ready }: Lane): Promise<void> {
    const { claim, ended } = await this.claims.claim(domainId);
    for (const operation of ended) this.waits.notify(operation);
    if (!claim) return;
    this.running.add(claim.operation);
    try {
      await this.run(claim);
    } finally {
      this.running.delete(claim.operation);
    }
    if (claim.more) ready.add(domainId);
  }

  private async run({ operation, domain }: Claim): Promise<void> {
    try {
      const effect = await this.effects.perform(operation, domain);
      if (effect.rejection) await this.fail(operation, domain, effect.rejection, effect);
      else await this.commit(operation, effect);
    } catch (error) {
      if (error instanceof RegistryRejected) await this.fail(operation, domain, error);
      else if (error instanceof RegistryNotContacted) await this.postpone(operation, error);
      else await this.markOutcomeUnknown(operation, error);
    }
  }

  private async commit(claimed: Operation, { apply, authCode, charged }: Effect): Promise<void> {
    const now = this.clock.now();
    this.logOvercharge(claimed, charged);
    const end = await this.claims.commit(claimed, (operation, domain) => {
      apply(domain, this.lifecycleClock.now());
      operation.succeed(now, {
        ...(authCode && { handover: this.handover.seal(operation, authCode, now) }),
        ...(charged && { charged }),
      });
    });
    if (end) this.waits.notify({ ...end, authCode });
  }

  /** The registry must reject a higher price than the agreed one, so the operator must claim the difference back. */
  private logOvercharge({ id, kind, request }: Operation, charged: Money | undefined): void {
    if (!charged || !('price' in request) || isWithin(charged, request.price)) return;
    this.log.error(
      { operationId: id, kind, agreed: request.price, charged },
      'the registry charged more than the agreed price: claim the difference back',
    );
  }

  private async fail(
    claimed: Operation,
    { name }: Domain,
    rejection: RegistryRejected,
    effect?: Effect,
  ): Promise<void> {
    const { kind, actor } = claimed;
    const isRequested = actor.kind !== 'service';
    const isDeleted = isRequested && rejection.reason === 'not_held' && (await this.effects.isDeleted(name));
    const error =
      rejection.reason === 'unavailable' ? new DomainUnavailable(rejection.details, { cause: rejection }) : rejection;
    const end = await this.claims.commit(claimed, (operation, domain) => {
      operation.fail({ code: error.code, message: error.details ?? error.message }, this.clock.now());
      effect?.apply(domain, this.lifecycleClock.now());
      if (kind === 'register' || isDeleted) domain.markDeleted(this.lifecycleClock.now());
      else if (isRequested && FACTS_DIFFER.has(rejection.reason)) domain.schedule(this.lifecycleClock.now());
    });
    const level = kind === 'register' || rejection.reason === 'credit' ? 'error' : 'warn';
    this.log[level]({ operationId: claimed.id, kind, reason: rejection.reason }, 'the registry rejected an operation');
    if (end) this.waits.notify(end);
  }

  /** The random part spreads retries over a second. */
  private async postpone(claimed: Operation, cause: RegistryNotContacted): Promise<void> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + (cause.retryAfterSeconds + Math.random()) * 1_000);
    const end = await this.claims.commit(claimed, (operation) =>
      operation.postpone({ code: 'REGISTRY_UNAVAILABLE', message: 'The command was not sent yet' }, until, now),
    );
    this.logDelay(
      end,
      { level: 'info', message: 'an operation was not sent and will be retried' },
      { operationId: claimed.id, kind: claimed.kind, err: cause },
    );
  }

  private async markOutcomeUnknown(claimed: Operation, cause: unknown): Promise<void> {
    const end = await this.claims.commit(claimed, (operation) => {
      operation.markOutcomeUnknown(
        { code: 'REGISTRY_UNAVAILABLE', message: 'The outcome at the registry is not known yet' },
        Math.random(),
        this.clock.now(),
      );
    });
    this.logDelay(
      end,
      { level: levelOf(cause), message: 'the outcome of an operation is unknown; the registry will be checked' },
      { operationId: claimed.id, kind: claimed.kind, err: cause },
    );
  }

  private logDelay(
    end: FinishedOperation | undefined,
    { level, message }: { readonly level: keyof Log; readonly message: string },
    facts: LogFacts,
  ): void {
    const isTooLong = end?.operation.isUncertainTooLong(this.clock.now()) ?? false;
    this.log[isTooLong ? 'error' : level](
      { ...facts, uncertainSince: end?.operation.toState().uncertainSince },
      message,
    );
  }
}
