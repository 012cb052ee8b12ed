import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import type { KeyAction } from '../../domain/access/key-limits';
import type { Domain } from '../../domain/registration/domain';
import type { DomainAction } from '../../domain/registration/domain-status';
import { OperationInProgress } from '../../domain/registration/registration-errors';
import { Operation, type OperationRequest } from '../../domain/registration/operation';
import { reserveSpend } from '../access/api-keys/reserve-spend';
import { requireDomain } from '../access/require-domain';
import { Clock, IdGenerator } from '../ports/system';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { OperationHandover } from './operation-handover';
import { requireSuccess, type OperationOutcome } from './operation-outcome';
import { OperationRunner } from './operation-runner';
import { OperationWaits } from './operation-waits';

export interface OperationIntent extends Requester {
  readonly domainId: string;
  readonly action: DomainAction;
  /** Builds the registry command for the domain's state at the time when the operation is stored, and the operations before it. */
  readonly request: (domain: Domain, unfinished: readonly Operation[]) => OperationRequest;
}

/** What a key needs for an action on a domain. An auth code lets another registrar take the domain. */
const KEY_ACTIONS_OF: Readonly<Record<DomainAction, KeyAction>> = {
  'change nameservers': 'settings',
  'change contacts': 'settings',
  'change auto-renewal': 'settings',
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
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'apiKeys' | 'domains' | 'keySpending' | 'operations'>,
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(OperationWaits) private readonly waits: OperationWaits,
    @inject(OperationHandover) private readonly handover: OperationHandover,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * @throws LimitedKey, DomainNotFound, DomainStatusConflict, OperationInProgress, RegistryRejected; RegistryUnavailable after the time
   *   limit: the operation continues, and the error has its id
   */
  async execute({
    accountId,
    actor,
    domainId,
    action,
    request,
    operationId: reserved,
  }: OperationIntent): Promise<OperationOutcome> {
    const operationId = reserved ?? this.ids.next('op');
    const domain = await this.unitOfWork.run(async (stores) => {
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
      if ('price' in command && command.price)
        await reserveSpend(stores, { id: operationId, actor, price: command.price }, now);
      await operations.add(operation);
      return domain.toState();
    }, accountId);
    const waiting = this.waits.wait(operationId);
    this.runner.wake(domain);
    const outcome = requireSuccess(await waiting);
    if (outcome.authCode && reserved === undefined) await this.handover.erase(operationId);
    return outcome;
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
