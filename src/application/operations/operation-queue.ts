import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import type { Domain } from '../../domain/registration/domain';
import type { DomainAction } from '../../domain/registration/domain-status';
import { DomainNotFound } from '../../domain/registration/errors';
import { Operation, type OperationRequest } from '../../domain/registration/operation';
import { ServiceError } from '../../domain/shared/service-error';
import { Clock } from '../ports/clock';
import { IdGenerator } from '../ports/id-generator';
import { RegistryUnavailable } from '../ports/registry-errors';
import { UnitOfWork } from '../ports/unit-of-work';
import type { OperationOutcome } from './operation-outcome';
import { OperationRunner } from './operation-runner';

export interface OperationIntent extends Requester {
  readonly domainId: string;
  readonly action: DomainAction;
  /** What to ask the registry for, judged against the domain as it is when the intent is stored. */
  readonly request: (domain: Domain) => OperationRequest;
}

/** How long a request waits for its operation, in milliseconds. */
export const OperationWait = Symbol('OperationWait');

/** Stores what somebody wants from a registry, has it carried out, and waits for the outcome for a bounded time. */
@injectable()
export class OperationQueue {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(OperationWait) private readonly waitMs: number,
  ) {}

  /**
   * @throws DomainNotFound, DomainStatusConflict, RegistryRejected; RegistryUnavailable where the registry did not
   *   answer in time, and then the operation goes on by itself.
   */
  async carryOut({ accountId, actor, domainId, action, request }: OperationIntent): Promise<OperationOutcome> {
    const operationId = this.ids.next('op');
    const waiting = this.outcome(operationId);
    try {
      await this.unitOfWork.run(async ({ domains, operations }) => {
        const domain = await domains.lock(accountId, domainId);
        if (!domain) throw new DomainNotFound();
        domain.assertAllows(action);
        await operations.add(Operation.queue({ id: operationId, accountId, actor, domainId, request: request(domain) }, this.clock.now()));
      });
      this.runner.wake(domainId);
      return await waiting.promise;
    } finally {
      waiting.cancel();
    }
  }

  private outcome(operationId: string): { promise: Promise<OperationOutcome>; cancel: () => void } {
    const waiting: { timer?: NodeJS.Timeout; unlisten?: () => void } = {};
    const promise = new Promise<OperationOutcome>((resolve, reject) => {
      waiting.timer = setTimeout(() => reject(new RegistryUnavailable(`${operationId} has not been answered yet and goes on by itself`)), this.waitMs);
      waiting.unlisten = this.runner.listen(operationId, (result) => (result instanceof ServiceError ? reject(result) : resolve(result)));
    });
    promise.catch(() => undefined);
    return {
      promise,
      cancel: () => {
        clearTimeout(waiting.timer);
        waiting.unlisten?.();
      },
    };
  }
}
