import type { EntityManager } from 'typeorm';
import type {
  NamedTransfer,
  TransferReader,
  TransferRepository,
} from '../../../application/ports/registration/transfer-repository';
import type { ListPosition } from '../../../application/ports/storage/list-position';
import { actorText, parseActor } from '../../../domain/access/actor';
import type { DomainName } from '../../../domain/shared/domain-name';
import { OperationInProgress } from '../../../domain/registration/registration-errors';
import type { Registrant } from '../../../domain/registration/registrant';
import { Transfer, type TransferState } from '../../../domain/registration/transfer';
import type { ErrorCode } from '../../../domain/shared/error-code';
import type { Queries } from '../database/database';
import { isDuplicate } from '../database/database-errors';
import { fromMillis, fromNullableMillis } from '../database/table';
import { ownedAmong } from './domains/owned-among';
import { TransferTable, type TransferRow } from './registration-tables';

function toRow(state: TransferState): TransferRow {
  const leaseUntil = state.leaseUntil?.getTime() ?? null;
  const nextAttemptAt = state.nextAttemptAt?.getTime() ?? null;
  return {
    id: state.id,
    account_id: state.accountId,
    actor: actorText(state.actor),
    name: state.name,
    open_name: state.finishedAt ? null : state.name,
    years: state.years,
    former_expiry: state.formerExpiry?.getTime() ?? null,
    added_years: state.addedYears,
    price_minor: state.price.minor,
    price_currency: state.price.currency,
    registrant: state.registrant && JSON.stringify(state.registrant),
    auto_renew: Number(state.autoRenew),
    status: state.status,
    auth_code: state.sealedAuthCode,
    attempts: state.attempts,
    transaction_id: state.transactionId,
    uncertain_since: state.uncertainSince?.getTime() ?? null,
    lost_at: state.lostAt?.getTime() ?? null,
    cancel_requested_at: state.cancelRequestedAt?.getTime() ?? null,
    requested_at: state.requestedAt?.getTime() ?? null,
    ends_at: state.endsAt?.getTime() ?? null,
    charged_minor: state.charged?.minor ?? null,
    charged_currency: state.charged?.currency ?? null,
    error_code: state.error?.code ?? null,
    error_message: state.error?.message ?? null,
    domain_id: state.domainId,
    lease_owner: state.leaseOwner,
    lease_until: leaseUntil,
    next_attempt_at: nextAttemptAt,
    due_at: state.finishedAt ? null : (leaseUntil ?? nextAttemptAt),
    created_at: state.createdAt.getTime(),
    updated_at: state.updatedAt.getTime(),
    finished_at: state.finishedAt?.getTime() ?? null,
  };
}

function toState(row: TransferRow): TransferState {
  return {
    id: row.id,
    accountId: row.account_id,
    actor: parseActor(row.actor),
    name: row.name,
    years: row.years,
    formerExpiry: fromNullableMillis(row.former_expiry),
    addedYears: row.added_years,
    price: { minor: row.price_minor, currency: row.price_currency },
    registrant: row.registrant === null ? null : (JSON.parse(row.registrant) as Registrant),
    autoRenew: row.auto_renew === 1,
    status: row.status,
    sealedAuthCode: row.auth_code,
    attempts: row.attempts,
    transactionId: row.transaction_id,
    uncertainSince: fromNullableMillis(row.uncertain_since),
    lostAt: fromNullableMillis(row.lost_at),
    cancelRequestedAt: fromNullableMillis(row.cancel_requested_at),
    requestedAt: fromNullableMillis(row.requested_at),
    endsAt: fromNullableMillis(row.ends_at),
    charged:
      row.charged_minor === null || row.charged_currency === null
        ? null
        : { minor: row.charged_minor, currency: row.charged_currency },
    error: row.error_code === null ? null : { code: row.error_code as ErrorCode, message: row.error_message ?? '' },
    domainId: row.domain_id,
    leaseOwner: row.lease_owner,
    leaseUntil: fromNullableMillis(row.lease_until),
    nextAttemptAt: fromNullableMillis(row.next_attempt_at),
    createdAt: fromMillis(row.created_at),
    updatedAt: fromMillis(row.updated_at),
    finishedAt: fromNullableMillis(row.finished_at),
  };
}

function toTransfer(row: TransferRow | undefined): Transfer | undefined {
  return row && Transfer.fromState(toState(row));
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
    return (await this.database.query<TransferRow>(sql, [accountId, ...names, ...parameters, limit])).map(toState);
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
