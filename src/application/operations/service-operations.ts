import { inject, injectable } from '../ports/inject';
import { SERVICE } from '../../domain/access/actor';
import type { Domain } from '../../domain/registration/domain';
import { Operation } from '../../domain/registration/operations/operation';
import type { OperationRequest } from '../../domain/registration/operations/operation-request';
import { OperationReader } from '../ports/registration/operations-and-transfers';
import type { Stores } from '../ports/storage/unit-of-work';
import { Clock, IdGenerator } from '../ports/system';
import { OperationRunner } from './operation-runner';
import { OperationWaits } from './operation-waits';

/** Operations that no caller has requested. */
@injectable()
export class ServiceOperations {
  constructor(
    @inject(OperationReader) private readonly operations: OperationReader,
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(OperationWaits) private readonly waits: OperationWaits,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Stores an operation in the caller's unit of work, which has locked the domain. Returns its id. */
  async add({ operations }: Pick<Stores, 'operations'>, domain: Domain, request: OperationRequest): Promise<string> {
    const { id: domainId, accountId } = domain.toState();
    const id = this.ids.next('op');
    const unfinished = await operations.unfinished(domainId);
    await operations.add(
      Operation.queue({ id, accountId, domainId, actor: SERVICE, request }, this.clock.now(), unfinished.at(-1)),
    );
    return id;
  }

  /** Starts stored operations of the domain, and waits for this one for a limited time. */
  async run(domain: Domain, id: string): Promise<void> {
    const waiting = this.waits.wait(id).catch(() => undefined);
    this.runner.wake(domain.toState());
    await waiting;
  }

  /** Undefined if it has not finished. */
  async findFinished(id: string): Promise<Operation | undefined> {
    return (await this.operations.finishedAmong([id]))[0];
  }
}
