import { randomUUID } from 'node:crypto';
import { inject, injectable } from 'inversify';
import { DomainNotFound, DomainUnavailable } from '../../domain/registration/errors';
import { nextToRun, type Operation, type OperationKind, type OperationState } from '../../domain/registration/operation';
import type { AuditAction } from '../../domain/access/audit-entry';
import type { ServiceError } from '../../domain/shared/service-error';
import type { Domain } from '../../domain/registration/domain';
import { domainChanged } from '../audit/domain-audit';
import { Clock, LifecycleClock } from '../ports/clock';
import { Log } from '../ports/log';
import { OperationReader } from '../ports/operation-repository';
import { RegistryRejected, RegistryUnavailable } from '../ports/registry-errors';
import { UnitOfWork } from '../ports/unit-of-work';
import { OperationEffects, type Effect } from './operation-effects';
import type { OperationOutcome } from './operation-outcome';

/** Longer than any registry call may take; what a killed process held is free again after it. */
const LEASE_MS = 60_000;
const SWEEP_EVERY_MS = 500;
const SWEEP_BATCH = 50;

type Listener = (result: OperationOutcome | ServiceError) => void;

/**
 * Carries out stored operations: those of one domain strictly one after another, those of different domains in
 * parallel. The call to the registry is outside any transaction; its outcome and the domain's new state are committed
 * together, and only by the holder of the lease.
 */
@injectable()
export class OperationRunner {
  private readonly leaseOwner = randomUUID();
  private readonly draining = new Map<string, Promise<void>>();
  private readonly listeners = new Map<string, Listener>();
  private sweeper: NodeJS.Timeout | undefined;

  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(OperationReader) private readonly operations: OperationReader,
    @inject(OperationEffects) private readonly effects: OperationEffects,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Looks for work left by earlier processes and for retries that fall due, until `stop`. */
  start(): void {
    this.sweeper = setInterval(() => void this.sweep(), SWEEP_EVERY_MS);
    this.sweeper.unref();
  }

  /** Begins nothing new and waits for what is under way. */
  async stop(): Promise<void> {
    clearInterval(this.sweeper);
    this.sweeper = undefined;
    await Promise.allSettled(this.draining.values());
  }

  /** Begins with the domain's operations, if nobody has yet. Returns at once. */
  wake(domainId: string): void {
    const earlier = this.draining.get(domainId) ?? Promise.resolve();
    const turn = earlier.then(() => this.drain(domainId)).catch((error: unknown) => this.log.error({ err: error, domainId }, 'operations of a domain could not be run'));
    this.draining.set(domainId, turn);
    void turn.finally(() => {
      if (this.draining.get(domainId) === turn) this.draining.delete(domainId);
    });
  }

  /** Tells `listener` of the operation's end, if it ends in this process. Answers how to stop listening. */
  listen(operationId: string, listener: Listener): () => void {
    this.listeners.set(operationId, listener);
    return () => this.listeners.delete(operationId);
  }

  private async sweep(): Promise<void> {
    try {
      const domains = await this.operations.domainsWithWork(this.clock.now(), SWEEP_BATCH);
      for (const domainId of domains) if (!this.draining.has(domainId)) this.wake(domainId);
    } catch (error) {
      this.log.warn({ err: error }, 'due operations could not be looked up');
    }
  }

  private async drain(domainId: string): Promise<void> {
    for (;;) {
      const claimed = await this.claim(domainId);
      if (!claimed) return;
      await this.run(claimed.operation, claimed.domain);
    }
  }

  private async claim(domainId: string): Promise<{ operation: Operation; domain: Domain } | undefined> {
    return this.unitOfWork.run(async ({ domains, operations }) => {
      const now = this.clock.now();
      const domain = await domains.lockAny(domainId);
      const operation = nextToRun(await operations.unfinished(domainId), now);
      if (!operation) return undefined;
      if (!domain) {
        operation.fail({ code: 'DOMAIN_NOT_FOUND', message: 'The registration did not succeed' }, now);
        await operations.save(operation);
        this.tell(operation.id, new DomainNotFound());
        return undefined;
      }
      operation.quoteExpiry(domain.expiresAt, now);
      operation.begin(this.leaseOwner, new Date(now.getTime() + LEASE_MS), now);
      await operations.save(operation);
      return { operation, domain };
    });
  }

  private async run(operation: Operation, domain: Domain): Promise<void> {
    try {
      const effect = await this.effects.perform(operation, domain);
      await this.commit(operation, effect);
    } catch (error) {
      if (error instanceof RegistryRejected) await this.fail(operation, error);
      else await this.doubt(operation, error);
    }
  }

  private async commit({ id }: Operation, effect: Effect): Promise<void> {
    const outcome = await this.settle(id, (operation, domain) => {
      effect.apply(domain, this.lifecycleClock.now());
      operation.succeed(this.clock.now());
    });
    if (outcome) this.tell(id, { domain: outcome, ...(effect.authCode && { authCode: effect.authCode }) });
  }

  private async fail({ id, request }: Operation, rejection: RegistryRejected): Promise<void> {
    const error = rejection.reason === 'unavailable' ? new DomainUnavailable(rejection.details, { cause: rejection }) : rejection;
    await this.settle(id, (operation, domain) => {
      operation.fail({ code: error.code, message: error.details ?? error.message }, this.clock.now());
      if (request.kind === 'register') domain.moveTo('gone', this.lifecycleClock.now());
    });
    const level = request.kind === 'register' || rejection.reason === 'credit' ? 'error' : 'warn';
    this.log[level]({ operationId: id, kind: request.kind, reason: rejection.reason }, 'the registry rejected an operation');
    this.tell(id, error);
  }

  private async doubt({ id, request }: Operation, cause: unknown): Promise<void> {
    await this.settle(id, (operation) => {
      operation.doubt({ code: 'REGISTRY_UNAVAILABLE', message: 'The outcome at the registry is not known yet' }, Math.random(), this.clock.now());
    });
    const known = cause instanceof RegistryUnavailable;
    this.log[known ? 'warn' : 'error']({ operationId: id, kind: request.kind, err: cause }, 'the outcome of an operation is unknown; it will be looked at again');
  }

  /** Commits an outcome, unless the lease has passed to somebody else. */
  private async settle(operationId: string, decide: (operation: Operation, domain: Domain) => void): Promise<Domain | undefined> {
    return this.unitOfWork.run(async ({ audit, domains, operations }) => {
      const domainId = (await operations.find(operationId))?.toState().domainId;
      const domain = domainId === undefined ? undefined : await domains.lockAny(domainId);
      const operation = await operations.find(operationId);
      if (!domain || !operation?.isHeldBy(this.leaseOwner)) return undefined;
      const before = domain.toState();
      decide(operation, domain);
      await operations.save(operation);
      await domains.save(domain);
      const action = actionOf(operation.toState());
      if (action) await audit.append(domainChanged({ at: this.clock.now(), actor: operation.actor, action, before, after: domain.toState() }));
      return domain;
    });
  }

  private tell(operationId: string, result: OperationOutcome | ServiceError): void {
    this.listeners.get(operationId)?.(result);
  }
}

const ACTIONS: Record<OperationKind, AuditAction> = {
  register: 'domain.registered',
  renew: 'domain.renewed',
  set_nameservers: 'domain.nameservers_changed',
  set_registrant: 'domain.registrant_changed',
  set_transfer_lock: 'domain.transfer_lock_changed',
  issue_auth_code: 'domain.auth_code_issued',
};

/** What came of an operation, where something did: of a refusal only a registration leaves a trace. */
function actionOf({ status, request }: OperationState): AuditAction | undefined {
  if (status === 'succeeded') return ACTIONS[request.kind];
  return status === 'failed' && request.kind === 'register' ? 'domain.refused' : undefined;
}
