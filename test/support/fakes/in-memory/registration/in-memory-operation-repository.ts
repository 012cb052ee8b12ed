import type { ListPosition } from '../../../../../src/application/ports/storage/page';
import type {
  DueOperation,
  OperationReader,
  OperationRepository,
} from '../../../../../src/application/ports/registration/operations-and-transfers';
import type { OwnedDomain, WantedDomain } from '../../../../../src/application/ports/registration/domain-repository';
import { OperationInProgress } from '../../../../../src/domain/registration/registration-errors';
import { Operation, type OperationState } from '../../../../../src/domain/registration/operations/operation';
import { compareInTime, compareTexts, inOrder } from '../in-order';
import type { Tables } from '../tables';

export class InMemoryOperationReader implements OperationReader {
  constructor(private readonly committed: () => Tables) {}

  async find(accountId: string, id: string): Promise<Operation | undefined> {
    const state = this.committed().operations.get(id);
    return state?.accountId === accountId ? Operation.fromState(state) : undefined;
  }

  async page(
    { accountId, domainId }: WantedDomain,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly OperationState[]> {
    const newestFirst = inOrder(
      [...this.committed().operations.values()].filter(
        (operation) => operation.domainId === domainId && operation.accountId === accountId,
      ),
    ).toReversed();
    return newestFirst.filter((operation) => !after || compareInTime(operation, after) < 0).slice(0, limit);
  }

  async pageOfAccount(
    accountId: string,
    { names, tags }: { readonly names?: readonly string[] | undefined; readonly tags?: readonly string[] | undefined },
    limit: number,
    after?: ListPosition,
  ): Promise<readonly OperationState[]> {
    const { domains, operations } = this.committed();
    const isWanted = ({ domainId }: OperationState) => {
      const domain = domains.get(domainId);
      return (
        (names?.includes(domain?.name ?? '') ?? true) &&
        (tags?.some((tag) => domain?.tags.includes(tag) ?? false) ?? true)
      );
    };
    const newestFirst = inOrder(
      [...operations.values()].filter((operation) => operation.accountId === accountId && isWanted(operation)),
    ).toReversed();
    return newestFirst.filter((operation) => !after || compareInTime(operation, after) < 0).slice(0, limit);
  }

  async finishedAmong(ids: readonly string[]): Promise<readonly Operation[]> {
    return [...this.committed().operations.values()]
      .filter(({ id, finishedAt }) => ids.includes(id) && finishedAt !== null)
      .map((state) => Operation.fromState(state));
  }

  async ownedAmong(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(ids.filter((id) => this.committed().operations.get(id)?.accountId === accountId));
  }

  async domainsWithWork(
    now: Date,
    limit: number,
    after?: DueOperation,
  ): Promise<readonly (OwnedDomain & DueOperation)[]> {
    const first = new Map<string, OperationState>();
    for (const operation of inOrder(this.committed().operations.values())) {
      if (operation.finishedAt === null && !first.has(operation.domainId)) first.set(operation.domainId, operation);
    }
    const due = [...first.values()]
      .filter((operation) => dueAt(operation) <= now)
      .map((operation) => {
        const { accountId, name } = this.committed().domains.get(operation.domainId) ?? { accountId: '', name: '' };
        return { id: operation.domainId, accountId, name, operationId: operation.id, dueAt: dueAt(operation) };
      })
      .toSorted(compareDue);
    return due.filter((each) => !after || compareDue(each, after) > 0).slice(0, limit);
  }
}

export class InMemoryOperationRepository implements OperationRepository {
  constructor(private readonly tables: Tables) {}

  async find(id: string): Promise<Operation | undefined> {
    const state = this.tables.operations.get(id);
    return state && Operation.fromState(state);
  }

  async unfinished(domainId: string): Promise<readonly Operation[]> {
    const open = [...this.tables.operations.values()].filter(
      (operation) => operation.domainId === domainId && operation.finishedAt === null,
    );
    return inOrder(open).map((state) => Operation.fromState(state));
  }

  async add(operation: Operation): Promise<void> {
    if (this.tables.operations.has(operation.id)) throw new OperationInProgress(`${operation.id} is under way`);
    this.tables.operations.set(operation.id, operation.toState());
  }

  async save(operation: Operation): Promise<void> {
    this.tables.operations.set(operation.id, operation.toState());
  }

  async extendLeases(ids: readonly string[], owner: string, until: Date): Promise<void> {
    this.change(({ id, leaseOwner, finishedAt }) => ids.includes(id) && leaseOwner === owner && finishedAt === null, {
      leaseUntil: until,
    });
  }

  async endLeases(until: Date, now: Date): Promise<void> {
    this.change(
      ({ status, leaseUntil }) =>
        status === 'running' && leaseUntil !== null && leaseUntil > now && leaseUntil <= until,
      { leaseUntil: now },
    );
  }

  async eraseHandover(operationId: string): Promise<void> {
    this.change(({ id }) => id === operationId, { handover: null });
  }

  private change(which: (state: OperationState) => boolean, part: Partial<OperationState>): void {
    for (const state of this.tables.operations.values())
      if (which(state)) this.tables.operations.set(state.id, { ...state, ...part });
  }
}

function dueAt({ leaseUntil, nextAttemptAt }: OperationState): Date {
  return leaseUntil ?? nextAttemptAt;
}

function compareDue(left: DueOperation, right: DueOperation): number {
  return left.dueAt.getTime() - right.dueAt.getTime() || compareTexts(left.operationId, right.operationId);
}
