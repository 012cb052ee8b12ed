import type { ListPosition } from '../../../../../src/application/ports/storage/page';
import type {
  NamedTransfer,
  TransferReader,
  TransferRepository,
} from '../../../../../src/application/ports/registration/operations-and-transfers';
import type { DomainName } from '../../../../../src/domain/shared/domain-name';
import { OperationInProgress } from '../../../../../src/domain/registration/registration-errors';
import { Transfer } from '../../../../../src/domain/registration/transfers/transfer';
import type { TransferState } from '../../../../../src/domain/registration/transfers/transfer-state';
import { compareInTime, inOrder, takingTurns } from '../in-order';
import type { Tables } from '../tables';

export class InMemoryTransferReader implements TransferReader {
  constructor(private readonly committed: () => Tables) {}

  async find(accountId: string, id: string): Promise<Transfer | undefined> {
    const state = this.committed().transfers.get(id);
    return state?.accountId === accountId ? Transfer.fromState(state) : undefined;
  }

  async page(
    accountId: string,
    limit: number,
    after?: ListPosition,
    names?: readonly string[],
  ): Promise<readonly TransferState[]> {
    const newestFirst = inOrder(
      [...this.committed().transfers.values()].filter(
        (transfer) => transfer.accountId === accountId && (names?.includes(transfer.name) ?? true),
      ),
    ).toReversed();
    return newestFirst.filter((transfer) => !after || compareInTime(transfer, after) < 0).slice(0, limit);
  }

  async ownedAmong(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(ids.filter((id) => this.committed().transfers.get(id)?.accountId === accountId));
  }

  async due(now: Date, limit: number): Promise<readonly NamedTransfer[]> {
    const due = [...this.committed().transfers.values()].filter((transfer) => dueAt(transfer) <= now.getTime());
    const byDueTime = due.map((transfer) => ({ ...transfer, createdAt: new Date(dueAt(transfer)) }));
    return takingTurns(byDueTime, ({ accountId }) => accountId)
      .map(({ id, name, accountId }) => ({ id, name, accountId }))
      .slice(0, limit);
  }
}

export class InMemoryTransferRepository implements TransferRepository {
  constructor(private readonly tables: Tables) {}

  async lock(accountId: string, id: string): Promise<Transfer | undefined> {
    const state = this.tables.transfers.get(id);
    return state?.accountId === accountId ? Transfer.fromState(state) : undefined;
  }

  async lockAny(id: string): Promise<Transfer | undefined> {
    const state = this.tables.transfers.get(id);
    return state && Transfer.fromState(state);
  }

  async lockIfFree(id: string): Promise<Transfer | undefined> {
    return this.lockAny(id);
  }

  async lockOpenByName(name: DomainName): Promise<Transfer | undefined> {
    const open = [...this.tables.transfers.values()].find((each) => each.name === name.value && !each.finishedAt);
    return open && Transfer.fromState(open);
  }

  async add(transfer: Transfer): Promise<void> {
    if (await this.lockOpenByName(transfer.name))
      throw new OperationInProgress(`${transfer.name.value} is already being transferred`);
    this.tables.transfers.set(transfer.id, transfer.toState());
  }

  async save(transfer: Transfer): Promise<void> {
    this.tables.transfers.set(transfer.id, transfer.toState());
  }

  async extendLeases(ids: readonly string[], owner: string, until: Date): Promise<void> {
    this.change(({ id, leaseOwner }) => ids.includes(id) && leaseOwner === owner, { leaseUntil: until });
  }

  async endLeases(until: Date, now: Date): Promise<void> {
    this.change(({ leaseUntil }) => leaseUntil !== null && leaseUntil > now && leaseUntil <= until, {
      leaseUntil: now,
    });
  }

  private change(which: (state: TransferState) => boolean, part: Partial<TransferState>): void {
    for (const state of this.tables.transfers.values())
      if (which(state)) this.tables.transfers.set(state.id, { ...state, ...part });
  }
}

function dueAt({ leaseUntil, nextAttemptAt }: TransferState): number {
  return (leaseUntil ?? nextAttemptAt)?.getTime() ?? Infinity;
}
