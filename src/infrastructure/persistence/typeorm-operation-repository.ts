import { EntitySchema, type EntityManager } from 'typeorm';
import type { OperationReader, OperationRepository } from '../../application/ports/operation-repository';
import { actorText, parseActor } from '../../domain/access/actor';
import { Operation, type OperationRequest, type OperationState, type OperationStatus } from '../../domain/registration/operation';
import type { ErrorCode } from '../../domain/shared/error-code';
import type { Queries } from './database';
import { fromMillis, fromNullableMillis } from './row-times';

interface OperationRow {
  readonly id: string;
  readonly account_id: string;
  readonly domain_id: string;
  readonly actor: string;
  readonly request: string;
  readonly status: OperationStatus;
  readonly attempts: number;
  readonly transaction_id: string;
  readonly next_attempt_at: number;
  readonly lease_owner: string | null;
  readonly lease_until: number | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  /** When somebody has to look at it: the end of a lease or the next attempt; NULL once it is finished. */
  readonly due_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly finished_at: number | null;
}

export const OperationSchema = new EntitySchema<OperationRow>({
  name: 'Operation',
  tableName: 'operations',
  columns: {
    id: { type: 'varchar', primary: true },
    account_id: { type: 'varchar' },
    domain_id: { type: 'varchar' },
    actor: { type: 'varchar' },
    request: { type: 'text' },
    status: { type: 'varchar' },
    attempts: { type: 'int' },
    transaction_id: { type: 'varchar' },
    next_attempt_at: { type: 'bigint' },
    lease_owner: { type: 'varchar', nullable: true },
    lease_until: { type: 'bigint', nullable: true },
    error_code: { type: 'varchar', nullable: true },
    error_message: { type: 'text', nullable: true },
    due_at: { type: 'bigint', nullable: true },
    created_at: { type: 'bigint' },
    updated_at: { type: 'bigint' },
    finished_at: { type: 'bigint', nullable: true },
  },
});

function toRow(state: OperationState): OperationRow {
  const leaseUntil = state.leaseUntil?.getTime() ?? null;
  return {
    id: state.id,
    account_id: state.accountId,
    domain_id: state.domainId,
    actor: actorText(state.actor),
    request: JSON.stringify(state.request),
    status: state.status,
    attempts: state.attempts,
    transaction_id: state.transactionId,
    next_attempt_at: state.nextAttemptAt.getTime(),
    lease_owner: state.leaseOwner,
    lease_until: leaseUntil,
    error_code: state.error?.code ?? null,
    error_message: state.error?.message ?? null,
    due_at: state.finishedAt ? null : (leaseUntil ?? state.nextAttemptAt.getTime()),
    created_at: state.createdAt.getTime(),
    updated_at: state.updatedAt.getTime(),
    finished_at: state.finishedAt?.getTime() ?? null,
  };
}

function toOperation(row: OperationRow): Operation {
  return Operation.restore({
    id: row.id,
    accountId: row.account_id,
    domainId: row.domain_id,
    actor: parseActor(row.actor),
    request: JSON.parse(row.request) as OperationRequest,
    status: row.status,
    attempts: row.attempts,
    transactionId: row.transaction_id,
    nextAttemptAt: fromMillis(row.next_attempt_at),
    leaseOwner: row.lease_owner,
    leaseUntil: fromNullableMillis(row.lease_until),
    error: row.error_code === null ? null : { code: row.error_code as ErrorCode, message: row.error_message ?? '' },
    createdAt: fromMillis(row.created_at),
    updatedAt: fromMillis(row.updated_at),
    finishedAt: fromNullableMillis(row.finished_at),
  });
}

export class TypeOrmOperationReader implements OperationReader {
  constructor(private readonly database: Queries) {}

  async domainsWithWork(now: Date, limit: number): Promise<readonly string[]> {
    const sql = 'SELECT domain_id, MIN(due_at) AS due FROM operations WHERE due_at <= ? GROUP BY domain_id ORDER BY due LIMIT ?';
    const rows = await this.database.query<{ domain_id: string }>(sql, [now.getTime(), limit]);
    return rows.map((row) => row.domain_id);
  }
}

export class TypeOrmOperationRepository implements OperationRepository {
  constructor(private readonly manager: EntityManager) {}

  async find(id: string): Promise<Operation | undefined> {
    const [row] = await this.manager.query<OperationRow[]>('SELECT * FROM operations WHERE id = ?', [id]);
    return row && toOperation(row);
  }

  async unfinished(domainId: string): Promise<readonly Operation[]> {
    const sql = 'SELECT * FROM operations WHERE domain_id = ? AND finished_at IS NULL ORDER BY created_at, id';
    return (await this.manager.query<OperationRow[]>(sql, [domainId])).map(toOperation);
  }

  async add(operation: Operation): Promise<void> {
    await this.manager.insert(OperationSchema, toRow(operation.toState()));
  }

  async save(operation: Operation): Promise<void> {
    const { id, ...row } = toRow(operation.toState());
    await this.manager.update(OperationSchema, { id }, row);
  }
}
