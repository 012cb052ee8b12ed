import { EntitySchema, type EntityManager } from 'typeorm';
import type { IdempotencyRecordRepository } from '../../../application/ports/access/idempotency-record-repository';
import { IdempotencyRecord, type IdempotencyRecordState } from '../../../domain/access/idempotency-record';
import { wasNew } from '../database/database-errors';
import { fromMillis, fromNullableMillis } from '../row-times';

interface KeyedRequestRow {
  readonly account_id: string;
  readonly idempotency_key: string;
  readonly fingerprint: string;
  readonly operation_id: string;
  readonly holder: string | null;
  readonly held_until: number | null;
  readonly answer: string | null;
  readonly expires_at: number;
}

export const KeyedRequestSchema = new EntitySchema<KeyedRequestRow>({
  name: 'IdempotencyRecord',
  tableName: 'keyed_requests',
  columns: {
    account_id: { type: 'varchar', primary: true },
    idempotency_key: { type: 'varchar', primary: true },
    fingerprint: { type: 'varchar' },
    operation_id: { type: 'varchar' },
    holder: { type: 'varchar', nullable: true },
    held_until: { type: 'bigint', nullable: true },
    answer: { type: 'text', nullable: true },
    expires_at: { type: 'bigint' },
  },
});

const COLUMNS = 'account_id, idempotency_key, fingerprint, operation_id, holder, held_until, answer, expires_at';

function toRow(state: IdempotencyRecordState): KeyedRequestRow {
  return {
    account_id: state.accountId,
    idempotency_key: state.key,
    fingerprint: state.fingerprint,
    operation_id: state.operationId,
    holder: state.holder,
    held_until: state.heldUntil?.getTime() ?? null,
    answer: state.answer,
    expires_at: state.expiresAt.getTime(),
  };
}

function toKeyedRequest(row: KeyedRequestRow): IdempotencyRecord {
  return IdempotencyRecord.fromState({
    accountId: row.account_id,
    key: row.idempotency_key,
    fingerprint: row.fingerprint,
    operationId: row.operation_id,
    holder: row.holder,
    heldUntil: fromNullableMillis(row.held_until),
    answer: row.answer,
    expiresAt: fromMillis(row.expires_at),
  });
}

export class TypeOrmIdempotencyRecordRepository implements IdempotencyRecordRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async add(request: IdempotencyRecord): Promise<boolean> {
    return wasNew(this.manager.insert(KeyedRequestSchema, toRow(request.toState())));
  }

  async lock(accountId: string, key: string): Promise<IdempotencyRecord | undefined> {
    const sql = `SELECT ${COLUMNS} FROM keyed_requests WHERE account_id = ? AND idempotency_key = ?${this.forUpdate}`;
    const [row] = await this.manager.query<KeyedRequestRow[]>(sql, [accountId, key]);
    return row && toKeyedRequest(row);
  }

  async save(request: IdempotencyRecord): Promise<void> {
    const { account_id, idempotency_key, ...row } = toRow(request.toState());
    await this.manager.update(KeyedRequestSchema, { account_id, idempotency_key }, row);
  }

  async extend(holders: readonly string[], until: Date): Promise<void> {
    const sql = `UPDATE keyed_requests SET held_until = ? WHERE holder IN (${holders.map(() => '?').join(', ')})`;
    if (holders.length > 0) await this.manager.query(sql, [until.getTime(), ...holders]);
  }

  async letGo(until: Date): Promise<void> {
    await this.manager.query(
      'UPDATE keyed_requests SET holder = NULL, held_until = NULL WHERE holder IS NOT NULL AND held_until <= ?',
      [until.getTime()],
    );
  }
}
