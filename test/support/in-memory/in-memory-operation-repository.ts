import type { OperationReader, OperationRepository } from '../../../src/application/ports/operation-repository';
import { Operation, type OperationState } from '../../../src/domain/registration/operation';
import { inOrder } from './in-order';
import type { Tables } from './tables';

export class InMemoryOperationReader implements OperationReader {
  constructor(private readonly committed: () => Tables) {}

  async domainsWithWork(now: Date, limit: number): Promise<readonly string[]> {
    const due = [...this.committed().operations.values()]
      .filter((operation) => operation.finishedAt === null && dueAt(operation) <= now)
      .toSorted((left, right) => dueAt(left).getTime() - dueAt(right).getTime());
    return [...new Set(due.map(({ domainId }) => domainId))].slice(0, limit);
  }
}

export class InMemoryOperationRepository implements OperationRepository {
  constructor(private readonly tables: Tables) {}

  async find(id: string): Promise<Operation | undefined> {
    const state = this.tables.operations.get(id);
    return state && Operation.restore(state);
  }

  async unfinished(domainId: string): Promise<readonly Operation[]> {
    const open = [...this.tables.operations.values()].filter((operation) => operation.domainId === domainId && operation.finishedAt === null);
    return inOrder(open).map((state) => Operation.restore(state));
  }

  async add(operation: Operation): Promise<void> {
    if (this.tables.operations.has(operation.id)) throw new Error(`there is an operation ${operation.id} already`);
    this.tables.operations.set(operation.id, operation.toState());
  }

  async save(operation: Operation): Promise<void> {
    this.tables.operations.set(operation.id, operation.toState());
  }
}

function dueAt({ leaseUntil, nextAttemptAt }: OperationState): Date {
  return leaseUntil ?? nextAttemptAt;
}
