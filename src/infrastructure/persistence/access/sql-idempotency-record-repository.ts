import { In, IsNull, LessThanOrEqual, Not, type EntityManager } from 'typeorm';
import type { IdempotencyRecordRepository } from '../../../application/ports/access/idempotency-and-used-tokens';
import { IdempotencyRecord } from '../../../domain/access/idempotency-record';
import { wasNew } from '../database/database-errors';
import { columnsOf, rowOf, stateOf } from '../database/table';
import { IdempotencyRecordTable, type IdempotencyRecordRow } from './access-tables';

const COLUMNS = columnsOf(IdempotencyRecordTable);

export class SqlIdempotencyRecordRepository implements IdempotencyRecordRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async add(request: IdempotencyRecord): Promise<boolean> {
    return wasNew(this.manager.insert(IdempotencyRecordTable, rowOf(IdempotencyRecordTable, request.toState())));
  }

  async lock(accountId: string, key: string): Promise<IdempotencyRecord | undefined> {
    const sql = `SELECT ${COLUMNS} FROM idempotency_records WHERE account_id = ? AND idempotency_key = ?${this.forUpdate}`;
    const [row] = await this.manager.query<IdempotencyRecordRow[]>(sql, [accountId, key]);
    return row && IdempotencyRecord.fromState(stateOf(IdempotencyRecordTable, row));
  }

  async save(request: IdempotencyRecord): Promise<void> {
    const { account_id, idempotency_key, ...row } = rowOf(IdempotencyRecordTable, request.toState());
    await this.manager.update(IdempotencyRecordTable, { account_id, idempotency_key }, row);
  }

  async respond(
    { accountId, key, holder }: Parameters<IdempotencyRecordRepository['respond']>[0],
    response: string,
    { isFinal }: { readonly isFinal: boolean },
  ): Promise<boolean> {
    const { affected } = await this.manager.update(
      IdempotencyRecordTable,
      { account_id: accountId, idempotency_key: key, holder },
      { response, ...(isFinal && { holder: null, held_until: null }) },
    );
    return affected === 1;
  }

  async extend(holders: readonly string[], until: Date): Promise<void> {
    if (holders.length > 0)
      await this.manager.update(IdempotencyRecordTable, { holder: In(holders) }, { held_until: until.getTime() });
  }

  async endLeases(until: Date): Promise<void> {
    await this.manager.update(
      IdempotencyRecordTable,
      { holder: Not(IsNull()), held_until: LessThanOrEqual(until.getTime()) },
      { holder: null, held_until: null },
    );
  }
}
