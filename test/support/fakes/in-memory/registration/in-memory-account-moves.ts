import type {
  AccountMoveReader,
  AccountMoveRepository,
  MoveFilter,
} from '../../../../../src/application/ports/registration/operations-and-transfers';
import type { ListPosition } from '../../../../../src/application/ports/storage/page';
import { AccountMove, type AccountMoveState } from '../../../../../src/domain/registration/account-move';
import { compareInTime, inOrder } from '../in-order';
import type { Tables } from '../tables';

export class InMemoryAccountMoves implements AccountMoveReader, AccountMoveRepository {
  constructor(private readonly tables: () => Tables) {}

  async find(accountId: string, id: string): Promise<AccountMove | undefined> {
    const state = this.tables().accountMoves.get(id);
    return state && isOf(state, accountId) ? AccountMove.fromState(state) : undefined;
  }

  lock(accountId: string, id: string): Promise<AccountMove | undefined> {
    return this.find(accountId, id);
  }

  async openOf(domainId: string, now: Date): Promise<AccountMove | undefined> {
    const found = [...this.tables().accountMoves.values()].find(
      (each) => each.domainId === domainId && AccountMove.fromState(each).isOpen(now),
    );
    return found && AccountMove.fromState(found);
  }

  async page(accountId: string, { direction, openAt }: MoveFilter, limit: number, after?: ListPosition) {
    const found = [...this.tables().accountMoves.values()].filter(
      (each) =>
        isOf(each, accountId) &&
        (!direction || (each.accountId === accountId) === (direction === 'out')) &&
        (!openAt || AccountMove.fromState(each).isOpen(openAt)),
    );
    return inOrder(found)
      .toReversed()
      .filter((each) => !after || compareInTime(each, after) < 0)
      .slice(0, limit);
  }

  async countIncoming(accountId: string, now: Date): Promise<number> {
    return (await this.page(accountId, { direction: 'in', openAt: now }, Infinity)).length;
  }

  async add(move: AccountMove): Promise<void> {
    this.tables().accountMoves.set(move.id, move.toState());
  }

  async save(move: AccountMove): Promise<void> {
    this.tables().accountMoves.set(move.id, move.toState());
  }
}

function isOf({ accountId, toAccountId }: AccountMoveState, account: string): boolean {
  return accountId === account || toAccountId === account;
}
