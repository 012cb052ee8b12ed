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
import type { OperationEnd } from './operation-outcome';
import { OperationSettings } from './operation-settings';
import { OperationWaits } from './operation-waits';

const SWEEP_EVERY_MS = 250;
const SWEEP_BATCH = 200;
const STOP_WITHIN_MS = 2_000;
/** More than a registry takes at a time, because some are always on their way from or to the database, and it need not wait for those. */
const IN_HAND = 2;
/** What cannot be asked of anybody fails at once, and is tried again in case the operator brings its registry back. */
const NO_REGISTRY: RegistryCapacity = { registry: '', concurrency: 1 };

/**
 * The registry's facts about the domain differ from what we know: they are read again at once. What the service itself orders
 * follows such a check, and is tried again on the schedule of that check.
 */
const FACTS_DIFFER: ReadonlySet<RejectionReason> = new Set(['not_held', 'status', 'expiry_differs']);

/** What runs at one registry. */
interface Lane {
  readonly width: number;
  /** Domains to be looked at, in the order of their arrival. */
  readonly ready: Set<string>;
  /** Domains in hand. */
  readonly active: Map<string, Promise<void>>;
}

/**
 * Carries out stored operations: those of one domain strictly one after another, those of different domains in
 * parallel, up to a limit for each registry. The call to the registry is outside any transaction; its outcome and the
 * domain's new state are committed together, and only by the holder of the lease.
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
    this.storageOutage = new Outage(log, 'operations that are due');
  }

  /** Takes what is stored in hand, also what other processes stored or left behind, until `stop`. */
  start(): void {
    this.timers = [
      setInterval(() => void this.sweep(), SWEEP_EVERY_MS),
      setInterval(() => void this.extendLeases(), this.settings.leaseMs / 3),
    ];
    for (const timer of this.timers) timer.unref();
  }

  /** Begins nothing new, waits a while for what is under way, and hands back what has no answer by then. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    const lanes = [...this.lanes.values()];
    for (const { ready } of lanes) ready.clear();
    await withinMs(STOP_WITHIN_MS, Promise.allSettled(lanes.flatMap(({ active }) => [...active.values()]))).catch(
      () => undefined,
    );
    await Promise.all([...this.running].map((operation) => this.handBack(operation)));
  }

  /** Where the database is away, the lease ends by itself. */
  private async handBack(operation: Operation): Promise<void> {
    try {
      await this.claims.settle(operation, (held) => held.release(this.clock.now()));
    } catch (error) {
      this.log[levelOf(error)]({ err: error, operationId: operation.id }, 'an operation could not be handed back');
    }
  }

  /** Looks at the domain's operations as soon as there is room. Returns at once; does nothing in a process that runs none. */
  wake({ id, name }: NamedDomain): void {
    if (this.timers.length === 0) return;
    const lane = this.capacityOf(name);
    lane.ready.add(id);
    this.fill(lane);
  }

  private capacityOf(name: string): Lane {
    const { registry, concurrency } = this.registries.registryFor(DomainName.fromState(name)) ?? NO_REGISTRY;
    const lane = this.lanes.get(registry) ?? { width: concurrency * IN_HAND, ready: new Set(), active: new Map() };
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
          this.log[levelOf(error)]({ err: error, domainId }, 'operations of a domain could not be run'),
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
      this.log[levelOf(error)]({ err: error }, 'leases could not be extended');
    }
  }

  private async take(domainId: string, { ready }: Lane): Promise<void> {
    const { claim, ended } = await this.claims.claim(domainId);
    for (const end of ended) this.waits.tell(end);
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
      else await this.doubt(operation, error);
    }
  }

  private async commit(claimed: Operation, { apply, authCode, charged }: Effect): Promise<void> {
    const now = this.clock.now();
    this.tellOfExcess(claimed, charged);
    const end = await this.claims.settle(claimed, (operation, domain) => {
      apply(domain, this.lifecycleClock.now());
      operation.succeed(now, {
        ...(authCode && { handover: this.handover.seal(operation, authCode, now) }),
        ...(charged && { charged }),
      });
    });
    if (end) this.waits.tell({ ...end, authCode });
  }

  /** A registry that charges more than it was told that we agree to breaks its own rules: a person has to claim it back. */
  private tellOfExcess({ id, kind, request }: Operation, charged: Money | undefined): void {
    if (!charged || !('price' in request) || isWithin(charged, request.price)) return;
    this.log.error(
      { operationId: id, kind, agreed: request.price, charged },
      'the registry charged more than the price agreed',
    );
  }

  private async fail(
    claimed: Operation,
    { name }: Domain,
    rejection: RegistryRejected,
    effect?: Effect,
  ): Promise<void> {
    const { kind, actor } = claimed;
    const isOrdered = actor.kind !== 'service';
    const isDeleted = isOrdered && rejection.reason === 'not_held' && (await this.effects.isDeleted(name));
    const error =
      rejection.reason === 'unavailable' ? new DomainUnavailable(rejection.details, { cause: rejection }) : rejection;
    const end = await this.claims.settle(claimed, (operation, domain) => {
      operation.fail({ code: error.code, message: error.details ?? error.message }, this.clock.now());
      effect?.apply(domain, this.lifecycleClock.now());
      if (kind === 'register' || isDeleted) domain.markDeleted(this.lifecycleClock.now());
      else if (isOrdered && FACTS_DIFFER.has(rejection.reason)) domain.schedule(this.lifecycleClock.now());
    });
    const level = kind === 'register' || rejection.reason === 'credit' ? 'error' : 'warn';
    this.log[level]({ operationId: claimed.id, kind, reason: rejection.reason }, 'the registry rejected an operation');
    if (end) this.waits.tell(end);
  }

  /** Whoever waits comes back spread over a second. */
  private async postpone(claimed: Operation, cause: RegistryNotContacted): Promise<void> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + (cause.retryAfterSeconds + Math.random()) * 1_000);
    const end = await this.claims.settle(claimed, (operation) =>
      operation.postpone({ code: 'REGISTRY_UNAVAILABLE', message: 'The registry could not be asked yet' }, until, now),
    );
    this.tellOfDelay(
      end,
      { level: 'info', message: 'an operation was not sent; it will be tried again' },
      { operationId: claimed.id, kind: claimed.kind, err: cause },
    );
  }

  private async doubt(claimed: Operation, cause: unknown): Promise<void> {
    const end = await this.claims.settle(claimed, (operation) => {
      operation.markOutcomeUnknown(
        { code: 'REGISTRY_UNAVAILABLE', message: 'The outcome at the registry is not known yet' },
        Math.random(),
        this.clock.now(),
      );
    });
    this.tellOfDelay(
      end,
      { level: levelOf(cause), message: 'the outcome of an operation is unknown; it will be looked at again' },
      { operationId: claimed.id, kind: claimed.kind, err: cause },
    );
  }

  private tellOfDelay(
    end: OperationEnd | undefined,
    { level, message }: { readonly level: keyof Log; readonly message: string },
    facts: LogFacts,
  ): void {
    const lasting = end?.operation.isUncertainTooLong(this.clock.now()) ?? false;
    this.log[lasting ? 'error' : level]({ ...facts, uncertainSince: end?.operation.toState().uncertainSince }, message);
  }
}
