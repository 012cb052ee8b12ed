import { inject, injectable } from '../ports/inject';
import { DomainUnavailable } from '../../domain/registration/registration-errors';
import type { Domain } from '../../domain/registration/domain';
import type { Operation } from '../../domain/registration/operations/operation';
import type { OperationKind } from '../../domain/registration/operations/operation-request';
import { isWithin, type Money } from '../../domain/shared/money';
import { observe } from '../shared/observation';
import { levelOf } from '../shared/level-of';
import { Clock, LifecycleClock, Log, type LogFacts } from '../ports/system';
import { runUnderLease } from '../ports/registry/command-limit';
import {
  AcceptedNotShown,
  EffectNotShown,
  RegistryRejected,
  RegistryNotContacted,
  RenewalUndecided,
} from '../ports/registry/registry-errors';
import type { RejectionReason } from '../ports/registry/registry-port';
import { OperationClaims, type Claim } from './operation-claims';
import { OperationEffects } from './operation-effects';
import { OperationHandover } from './operation-handover';
import type { Effect, FinishedOperation } from './operation-outcome';
import { OperationWaits } from './operation-waits';

/** Rejections which show that the registry's data differ from ours, so the domain is checked at once. */
const FACTS_DIFFER: ReadonlySet<RejectionReason> = new Set(['not_held', 'status', 'expiry_differs']);
/** A check of the domain queues these, and again every hour if they are rejected: a check at once would repeat them at once. */
const QUEUED_BY_CHECKS: ReadonlySet<OperationKind> = new Set(['delete', 'withdraw_auth_code']);

/**
 * Runs one operation at a time of a domain, under a lease. Registry calls are outside transactions; the lease holder commits
 * the outcome together with the domain.
 */
@injectable()
export class OperationExecutor {
  private readonly running = new Set<Operation>();

  constructor(
    @inject(OperationClaims) private readonly claims: OperationClaims,
    @inject(OperationEffects) private readonly effects: OperationEffects,
    @inject(OperationHandover) private readonly handover: OperationHandover,
    @inject(OperationWaits) private readonly waits: OperationWaits,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Runs the next due operation of a domain, if no other process runs one. Returns whether more are due. */
  async runNext(domainId: string): Promise<boolean> {
    const { claim, ended } = await this.claims.claim(domainId);
    for (const operation of ended) this.waits.notify(operation);
    if (!claim) return false;
    this.running.add(claim.operation);
    try {
      const { kind } = claim.operation;
      const { traceParent } = claim.operation.toState();
      await observe({ kind: 'operation', name: kind, traceParent }, () => this.run(claim));
    } finally {
      this.running.delete(claim.operation);
    }
    return claim.more;
  }

  async extendLeases(): Promise<void> {
    if (this.running.size === 0) return;
    try {
      await this.claims.extend([...this.running]);
    } catch (error) {
      this.log[levelOf(error)]({ err: error }, 'operation leases could not be renewed');
    }
  }

  /** Of the operations that are still running, because the process stops. */
  async releaseLeases(): Promise<void> {
    await Promise.all([...this.running].map((operation) => this.release(operation)));
  }

  /** If the database is unavailable, the lease expires. */
  private async release(operation: Operation): Promise<void> {
    try {
      await this.claims.release(operation);
    } catch (error) {
      this.log[levelOf(error)](
        { err: error, operationId: operation.id },
        'the lease of an operation could not be released',
      );
    }
  }

  /** Returns how the attempt ended. */
  private async run({ operation, domain }: Claim): Promise<'succeeded' | 'failed' | 'postponed' | 'uncertain'> {
    try {
      const isLeased = () => operation.isLeased(this.clock.now());
      const effect = await runUnderLease(isLeased, () => this.effects.perform(operation, domain));
      if (effect.rejection) await this.fail(operation, domain, effect.rejection, effect);
      else await this.commit(operation, effect);
      return effect.rejection ? 'failed' : 'succeeded';
    } catch (error) {
      if (error instanceof RegistryRejected) {
        await this.fail(operation, domain, error);
        return 'failed';
      }
      if (error instanceof RegistryNotContacted) {
        await this.postpone(operation, error);
        return 'postponed';
      }
      await this.markOutcomeUnknown(operation, error);
      return 'uncertain';
    }
  }

  private async commit(
    claimed: Operation,
    { apply, authCode, charged, glue, registrantRefused }: Effect,
  ): Promise<void> {
    const now = this.clock.now();
    this.logOvercharge(claimed, charged);
    const end = await this.claims.commit(
      claimed,
      (operation, domain) => {
        apply(domain, this.lifecycleClock.now());
        if (registrantRefused !== undefined) operation.markRegistrantRefused(registrantRefused, now);
        operation.succeed(now, {
          ...(authCode && { handover: this.handover.seal(operation, authCode, now) }),
          ...(charged && { charged }),
        });
      },
      glue,
    );
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

  private async fail(claimed: Operation, domain: Domain, rejection: RegistryRejected, effect?: Effect): Promise<void> {
    const { kind, actor } = claimed;
    const isRequested = actor.kind !== 'service';
    const isChecked = FACTS_DIFFER.has(rejection.reason) && (isRequested || !QUEUED_BY_CHECKS.has(kind));
    const isDeleted = isRequested && rejection.reason === 'not_held' && (await this.effects.isDeleted(domain));
    const error =
      rejection.reason === 'unavailable' ? new DomainUnavailable(rejection.details, { cause: rejection }) : rejection;
    const end = await this.claims.commit(claimed, (operation, current) => {
      operation.fail({ code: error.code, message: error.details ?? error.message }, this.clock.now());
      effect?.apply(current, this.lifecycleClock.now());
      if (kind === 'register' || isDeleted) current.markDeleted(this.lifecycleClock.now());
      else if (isChecked) current.schedule(this.lifecycleClock.now());
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
    const isNamed =
      cause instanceof RenewalUndecided || cause instanceof AcceptedNotShown || cause instanceof EffectNotShown;
    const message = (isNamed && cause.details) || 'The outcome at the registry is not known yet';
    const isSent = !(cause instanceof EffectNotShown);
    const { readLagMs } = claimed;
    const end = await this.claims.commit(claimed, (operation) => {
      const now = this.clock.now();
      if (cause instanceof RenewalUndecided) operation.markUndecided(now);
      if (cause instanceof AcceptedNotShown) operation.markAccepted(now);
      if (isNamed && 'charged' in cause && cause.charged) operation.setCharged(cause.charged, now);
      operation.markOutcomeUnknown({ code: 'REGISTRY_UNAVAILABLE', message }, Math.random(), now, {
        isSent,
        readLagMs,
      });
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
    const isUndecided = facts['err'] instanceof RenewalUndecided;
    const isTooLong = !isUndecided && (end?.operation.isUncertainTooLong(this.clock.now()) ?? false);
    this.log[isTooLong ? 'error' : level](
      { ...facts, uncertainSince: end?.operation.toState().uncertainSince },
      message,
    );
  }
}
