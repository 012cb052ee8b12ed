import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { RateLimitExceeded } from '../../../domain/access/access-errors';
import { OperationNotFound } from '../../../domain/registration/registration-errors';
import { OperationRunner } from '../../operations/operation-runner';
import { OperationReader } from '../../ports/registration/operations-and-transfers';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';

/**
 * Makes the next attempt of an operation due now, at most every five seconds. Does nothing if it is finished or running.
 * @throws OperationNotFound, RateLimitExceeded
 */
@injectable()
export class CheckOperation {
  constructor(
    @inject(OperationReader) private readonly operations: OperationReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'domains' | 'operations'>,
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ accountId, operationId }: Pick<Requester, 'accountId'> & { operationId: string }): Promise<void> {
    const found = await this.operations.find(accountId, operationId);
    if (!found) throw new OperationNotFound();
    const domain = await this.unitOfWork.run(async ({ domains, operations }) => {
      const locked = await domains.lock(accountId, found.toState().domainId);
      const operation = await operations.find(operationId);
      if (!locked || !operation) return undefined;
      const seconds = operation.requestRetry(this.clock.now());
      if (seconds !== undefined) throw new RateLimitExceeded(seconds);
      await operations.save(operation);
      return locked;
    }, accountId);
    if (domain) this.runner.wake(domain.toState());
  }
}
