import { inject, injectable } from 'inversify';
import { OperationNotFound } from '../../domain/registration/errors';
import type { Operation } from '../../domain/registration/operation';
import { OperationReader } from '../ports/registration/operation-repository';

/** Finds an operation of the account, also of a failed registration. @throws OperationNotFound */
@injectable()
export class FindOperation {
  constructor(@inject(OperationReader) private readonly operations: OperationReader) {}

  async execute({ accountId, operationId }: { accountId: string; operationId: string }): Promise<Operation> {
    const operation = await this.operations.find(accountId, operationId);
    if (!operation) throw new OperationNotFound();
    return operation;
  }
}
