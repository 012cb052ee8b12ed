import { inject, injectable } from '../../ports/inject';
import { actorText, type Actor, type Reader } from '../../../domain/access/actor';
import {
  assertActionAllowed,
  assertNotForRecordsOnly,
  maySeeDomain,
  seesSomeDomains,
} from '../../../domain/access/key-permissions';
import { OperationNotFound } from '../../../domain/registration/registration-errors';
import type { Operation } from '../../../domain/registration/operations/operation';
import { DomainReader } from '../../ports/registration/domain-repository';
import { OperationReader } from '../../ports/registration/operations-and-transfers';

/** Finds an operation of the account, also of a failed registration. A key may follow what it began. @throws OperationNotFound, LimitedKey */
@injectable()
export class FindOperation {
  constructor(
    @inject(OperationReader) private readonly operations: OperationReader,
    @inject(DomainReader) private readonly domains: DomainReader,
  ) {}

  async execute({ accountId, actor, operationId }: Reader & { operationId: string }): Promise<Operation> {
    const operation = await this.operations.find(accountId, operationId);
    if (!operation || !isBegunBy(operation, actor)) {
      assertActionAllowed(actor, 'read');
      assertNotForRecordsOnly(actor);
    }
    if (!operation || !(await this.isVisible(operation, { accountId, actor }))) throw new OperationNotFound();
    return operation;
  }

  private async isVisible(operation: Operation, { accountId, actor }: Reader): Promise<boolean> {
    if (!seesSomeDomains(actor) || isBegunBy(operation, actor)) return true;
    const domain = await this.domains.findEvenGone(accountId, operation.toState().domainId);
    return domain !== undefined && maySeeDomain(actor, domain.toState());
  }
}

function isBegunBy(operation: Operation, actor: Actor): boolean {
  return actorText(operation.actor) === actorText(actor);
}
