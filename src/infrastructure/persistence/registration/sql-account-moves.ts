import type { EntityManager } from 'typeorm';
import type {
  AccountMoveReader,
  AccountMoveRepository,
  MoveFilter,
} from '../../../application/ports/registration/operations-and-transfers';
import type { ListPosition } from '../../../application/ports/storage/page';
import { AccountMove, type AccountMoveState } from '../../../domain/registration/account-move';
import { AccountMoveTable, type AccountMoveRow } from '../access/proposals/proposal-tables';
import type { Queries } from '../database/database';
import { insertRows, rowOf, stateOf } from '../database/table';

const OPEN = "status = 'open' AND expires_at > ?";

function toMove(row: AccountMoveRow | undefined): AccountMove | undefined {
  return row && AccountMove.fromState(stateOf(AccountMoveTable, row));
}

export class SqlAccountMoveReader implements AccountMoveReader {
  constructor(private readonly database: Queries) {}

  async find(accountId: string, id: string): Promise<AccountMove | undefined> {
    const sql = 'SELECT * FROM account_moves WHERE id = ? AND (account_id = ? OR to_account_id = ?)';
    const [row] = await this.database.query<AccountMoveRow>(sql, [id, accountId, accountId]);
    return toMove(row);
  }

  /** Each side by its own index, of which no more is read than the page has. */
  async page(
    accountId: string,
    { direction, openAt }: MoveFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly AccountMoveState[]> {
    const place = after ? ' AND created_at <= ? AND (created_at < ? OR id < ?)' : '';
    const parameters = [
      accountId,
      ...(openAt ? [openAt.getTime()] : []),
      ...(after ? [after.createdAt.getTime(), after.createdAt.getTime(), after.id] : []),
      limit,
    ];
    const columns = (['account_id', 'to_account_id'] as const).filter(
      (column) => !direction || (column === 'account_id') === (direction === 'out'),
    );
    const side = (column: string) =>
      `SELECT * FROM (SELECT * FROM account_moves WHERE ${column} = ?${openAt ? ` AND ${OPEN}` : ''}${place} ORDER BY created_at DESC, id DESC LIMIT ?) AS by_${column}`;
    const rows = await this.database.query<AccountMoveRow>(
      `${columns.map(side).join(' UNION ALL ')} ORDER BY created_at DESC, id DESC LIMIT ?`,
      [...columns.flatMap(() => parameters), limit],
    );
    return rows.map((row) => stateOf(AccountMoveTable, row));
  }

  async countIncoming(accountId: string, now: Date): Promise<number> {
    const [row] = await this.database.query<{ count: number | string }>(
      `SELECT COUNT(*) AS count FROM account_moves WHERE to_account_id = ? AND ${OPEN}`,
      [accountId, now.getTime()],
    );
    return Number(row?.count ?? 0);
  }
}

export class SqlAccountMoveRepository implements AccountMoveRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async lock(accountId: string, id: string): Promise<AccountMove | undefined> {
    const sql = `SELECT * FROM account_moves WHERE id = ? AND (account_id = ? OR to_account_id = ?)${this.forUpdate}`;
    const [row] = await this.manager.query<AccountMoveRow[]>(sql, [id, accountId, accountId]);
    return toMove(row);
  }

  async openOf(domainId: string, now: Date): Promise<AccountMove | undefined> {
    const sql = `SELECT * FROM account_moves WHERE domain_id = ? AND ${OPEN} LIMIT 1${this.forUpdate}`;
    const [row] = await this.manager.query<AccountMoveRow[]>(sql, [domainId, now.getTime()]);
    return toMove(row);
  }

  async add(move: AccountMove): Promise<void> {
    await insertRows(this.manager, AccountMoveTable, [rowOf(AccountMoveTable, move.toState())]);
  }

  async save(move: AccountMove): Promise<void> {
    const { id, ...row } = rowOf(AccountMoveTable, move.toState());
    await this.manager.update(AccountMoveTable, { id }, row);
  }
}
