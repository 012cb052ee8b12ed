import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import type { KeyAction } from '../../domain/access/key-limits';
import type { Domain } from '../../domain/registration/domain';
import type { DomainAction } from '../../domain/registration/domain-status';
import { OperationInProgress } from '../../domain/registration/registration-errors';
import { Operation } from '../../domain/registration/operations/operation';
import type { OperationRequest } from '../../domain/registration/operations/operation-request';
import { assertOperationNeedsNoApproval } from '../access/approvals/operation-approval';
import { reserveSpend } from '../access/api-keys/reserve-spend';
import { requireDomain } from '../access/require-domain';
import { Clock, IdGenerator, LifecycleClock } from '../ports/system';
import { UnitOfWork, type Stores } from '../ports/storage/unit-of-work';
import { useQuote, type QuoteInUse } from './binding-quotes';
import { OperationHandover } from './operation-handover';
import { requireSuccess, type OperationOutcome } from './operation-outcome';
import { OperationRunner } from './operation-runner';
import { OperationWaits } from './operation-waits';
import { setKeepZone } from './set-keep-zone';

export interface OperationIntent extends Requester {
  readonly domainId: string;
  readonly action: DomainAction;
  /** Used up by the operation. */
  readonly quote?: QuoteInUse | undefined;
  /** Sets whether the zone stays when the domain ends; absent: as it was set. */
  readonly keepZone?: boolean | undefined;
  /** Builds the registry command for the domain's state at the time when the operation is stored, and the operations before it. */
  readonly request: (domain: Domain, unfinished: readonly Operation[]) => OperationRequest;
}

/** What is asked of the registry, and what a domain's status has to allow for it. */
export type OperationChange = Pick<OperationIntent, 'action' | 'request'>;

type QueueStores = Pick<
  Stores,
  'apiKeys' | 'audit' | 'domains' | 'keySpending' | 'operations' | 'trustRules' | 'usedTokens' | 'zones'
>;

/** What a key needs for an action on a domain. An auth code lets another registrar take the domain. */
const KEY_ACTIONS_OF: Readonly<Record<DomainAction, KeyAction>> = {
  'change nameservers': 'settings',
  'change contacts': 'settings',
  'change auto-renewal': 'settings',
  'keep the zone': 'settings',
  'change the transfer lock': 'settings',
  'issue an auth code': 'transfer',
  'approve or reject a transfer': 'transfer',
  'release to another registrar': 'transfer',
  renew: 'renew',
  restore: 'renew',
  delete: 'register',
  'change DNS records': 'write',
};

/** Stores operations, starts them and waits for their outcome for a limited time. */
@injectable()
export class OperationQueue {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<keyof QueueStores>,
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(OperationWaits) private readonly waits: OperationWaits,
    @inject(OperationHandover) private readonly handover: OperationHandover,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  /**
   * @throws LimitedKey, DomainNotFound, DomainStatusConflict, OperationInProgress, RegistryRejected; RegistryUnavailable after the time
   *   limit: the operation continues, and the error has its id
   */
  async execute(intent: OperationIntent): Promise<OperationOutcome> {
    const operationId = intent.operationId ?? this.ids.next('op');
    const { domain } = await this.unitOfWork.run(
      (stores) => this.queue(stores, { ...intent, operationId }),
      intent.accountId,
    );
    const waiting = this.waits.wait(operationId);
    this.wake(domain);
    const outcome = requireSuccess(await waiting);
    if (outcome.authCode && intent.operationId === undefined) await this.handover.erase(operationId);
    return outcome;
  }

  /** In a unit of work of the caller, who calls `wake` after the commit. @throws as `execute`, but for what the registry says */
  async queue(
    stores: QueueStores,
    {
      accountId,
      actor,
      domainId,
      action,
      quote,
      keepZone,
      request,
      operationId = this.ids.next('op'),
    }: OperationIntent,
  ): Promise<{ readonly domain: Domain; readonly operation: Operation }> {
    const { domains, operations } = stores;
    const now = this.clock.now();
    const domain = requireDomain(await domains.lock(accountId, domainId), { actor }, KEY_ACTIONS_OF[action]);
    domain.assertAllows(action);
    const unfinished = await operations.unfinished(domainId);
    const operation = Operation.queue(
      { id: operationId, accountId, actor, domainId, request: request(domain, unfinished) },
      now,
      unfinished.at(-1),
    );
    assertOutcomesKnown(unfinished, operation, now);
    const { request: command } = operation.toState();
    assertOperationNeedsNoApproval(actor, { domain: domain.toState(), request: command, keepZone });
    await useQuote(stores, quote);
    if ('price' in command && command.price)
      await reserveSpend(stores, { id: operationId, actor, price: command.price }, now);
    if (keepZone !== undefined)
      await setKeepZone(stores, domain, {
        keepZone,
        actor,
        at: now,
        now: this.lifecycleClock.now(),
        newId: () => this.ids.next('rec'),
      });
    await operations.add(operation);
    return { domain, operation };
  }

  wake(domain: Domain): void {
    this.runner.wake(domain.toState());
  }
}

/** @throws OperationInProgress */
function assertOutcomesKnown(unfinished: readonly Operation[], { kind }: Operation, now: Date): void {
  const uncertain = unfinished.find((operation) => operation.kind === kind && operation.isOutcomeUnknown(now));
  if (uncertain)
    throw new OperationInProgress(
      `The outcome of ${uncertain.id} (${kind}) is not known yet. Follow it at /api/operations/${uncertain.id}`,
    );
}
