import type { EntityManager } from 'typeorm';
import type {
  NamedTransfer,
  TransferReader,
  TransferRepository,
} from '../../../application/ports/registration/operations-and-transfers';
import type { ListPosition } from '../../../application/ports/storage/page';
import type { DomainName } from '../../../domain/shared/domain-name';
import { OperationInProgress } from '../../../domain/registration/registration-errors';
import { Transfer } from '../../../domain/registration/transfers/transfer';
import type { TransferState } from '../../../domain/registration/transfers/transfer-state';
import type { Queries } from '../database/database';
import { isDuplicate } from '../database/database-errors';
import { rowOf, stateOf } from '../database/table';
import { ownedAmong } from './domains/owned-among';
import { TransferTable, type TransferRow } from './registration-tables';

function toRow(state: TransferState): TransferRow {
  const { name, finishedAt, leaseUntil, nextAttemptAt } = state;
  return rowOf(TransferTable, state, {
    open_name: finishedAt ? null : name,
    due_at: finishedAt ? null : ((leaseUntil ?? nextAttemptAt)?.getTime() ?? null),
  });
}

function toTransfer(row: TransferRow | undefined): Transfer | undefined {
  return row && Transfer.fromState(stateOf(TransferTable, row));
}

type DueRow = Pick<TransferRow, 'id' | 'name' | 'account_id'>;

const DUE_IN_TURNS = `SELECT id, name, account_id FROM (
  SELECT id, name, account_id, due_at, ROW_NUMBER() OVER (PARTITION BY account_id ORDER BY due_at, id) AS place FROM transfers WHERE due_at <= ?
) t ORDER BY place, due_at, id LIMIT ?`;

export class SqlTransferReader implements TransferReader {
  constructor(private readonly database: Queries) {}

  async find(accountId: string, id: string): Promise<Transfer | undefined> {
    const [row] = await this.database.query<TransferRow>('SELECT * FROM transfers WHERE id = ? AND account_id = ?', [
      id,
      accountId,
    ]);
    return toTransfer(row);
  }

  async page(
    accountId: string,
    limit: number,
    after?: ListPosition,
    names: readonly string[] = [],
  ): Promise<readonly TransferState[]> {
    const named = names.length > 0 ? ` AND name IN (${names.map(() => '?').join(', ')})` : '';
    const place = after ? ' AND created_at <= ? AND (created_at < ? OR id < ?)' : '';
    const parameters = after ? [after.createdAt.getTime(), after.createdAt.getTime(), after.id] : [];
    const sql = `SELECT * FROM transfers WHERE account_id = ?${named}${place} ORDER BY created_at DESC, id DESC LIMIT ?`;
    return (await this.database.query<TransferRow>(sql, [accountId, ...names, ...parameters, limit])).map((row) =>
      stateOf(TransferTable, row),
    );
  }

  async ownedAmong(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return ownedAmong(this.database, 'transfers', accountId, ids);
  }

  async due(now: Date, limit: number): Promise<readonly NamedTransfer[]> {
    const rows = await this.database.query<DueRow>(DUE_IN_TURNS, [now.getTime(), limit]);
    return rows.map(({ id, name, account_id: accountId }) => ({ id, name, accountId }));
  }
}

export class SqlTransferRepository implements TransferRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
    private readonly skipLocked: string,
  ) {}

  async lock(accountId: string, id: string): Promise<Transfer | undefined> {
    const transfer = await this.lockAny(id);
    return transfer?.toState().accountId === accountId ? transfer : undefined;
  }

  async lockAny(id: string): Promise<Transfer | undefined> {
    return this.locking('id = ?', id);
  }

  async lockIfFree(id: string): Promise<Transfer | undefined> {
    return this.locking('id = ?', id, this.skipLocked);
  }

  async lockOpenByName(name: DomainName): Promise<Transfer | undefined> {
    return this.locking('open_name = ?', name.value);
  }

  private async locking(condition: string, value: string, skipLocked = ''): Promise<Transfer | undefined> {
    const [row] = await this.manager.query<TransferRow[]>(
      `SELECT * FROM transfers WHERE ${condition}${this.forUpdate}${skipLocked}`,
      [value],
    );
    return toTransfer(row);
  }

  async add(transfer: Transfer): Promise<void> {
    try {
      await this.manager.insert(TransferTable, toRow(transfer.toState()));
    } catch (error) {
      if (isDuplicate(error))
        throw new OperationInProgress(`${transfer.name.value} is already being transferred`, { cause: error });
      throw error;
    }
  }

  async save(transfer: Transfer): Promise<void> {
    const { id, ...row } = toRow(transfer.toState());
    await this.manager.update(TransferTable, { id }, row);
  }

  async extendLeases(ids: readonly string[], owner: string, until: Date): Promise<void> {
    const sql = `UPDATE transfers SET lease_until = ?, due_at = ? WHERE id IN (${ids.map(() => '?').join(', ')}) AND lease_owner = ?`;
    if (ids.length > 0) await this.manager.query(sql, [until.getTime(), until.getTime(), ...ids, owner]);
  }

  async endLeases(until: Date, now: Date): Promise<void> {
    const sql = 'UPDATE transfers SET lease_until = ?, due_at = ? WHERE due_at > ? AND lease_until <= ?';
    await this.manager.query(sql, [now.getTime(), now.getTime(), now.getTime(), until.getTime()]);
  }
}
