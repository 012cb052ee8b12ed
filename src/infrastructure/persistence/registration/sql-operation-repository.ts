import type { EntityManager } from 'typeorm';
import { currentTraceParent } from '../../../application/shared/observation';
import type { ListPosition } from '../../../application/ports/storage/page';
import type {
  DueOperation,
  OperationReader,
  OperationRepository,
} from '../../../application/ports/registration/operations-and-transfers';
import type { OwnedDomain, WantedDomain } from '../../../application/ports/registration/domain-repository';
import type { LifecycleClock } from '../../../application/ports/system';
import { OperationInProgress } from '../../../domain/registration/registration-errors';
import { Operation, type OperationState } from '../../../domain/registration/operations/operation';
import type { Queries } from '../database/database';
import { isDuplicate } from '../database/database-errors';
import { fromMillis, placeholders, rowOf } from '../database/table';
import { forceIndex } from '../database/mysql/force-index';
import { withTags } from './domains/pages/domain-conditions';
import { ownedAmong } from './domains/owned-among';
import { OperationTable, type OperationRow } from './registration-tables';

function toRow(state: OperationState, retainedFrom: Date): OperationRow {
  const { finishedAt, leaseUntil, nextAttemptAt } = state;
  return rowOf(OperationTable, state, {
    due_at: finishedAt ? null : (leaseUntil ?? nextAttemptAt).getTime(),
    retained_from: retainedFrom.getTime(),
  });
}

export const { stateOf: toOperationState } = OperationTable.mapping;

function toOperation(row: OperationRow): Operation {
  return Operation.fromState(toOperationState(row));
}

const DOMAINS_WITH_WORK = `SELECT d.id, d.name, d.account_id, o.id AS operation_id, o.due_at FROM operations o JOIN domains d ON d.id = o.domain_id
WHERE o.due_at <= ? AND o.due_at >= ? AND (o.due_at > ? OR o.id > ?) AND NOT EXISTS (
  SELECT 1 FROM operations e WHERE e.domain_id = o.domain_id AND e.finished_at IS NULL
  AND (e.created_at < o.created_at OR (e.created_at = o.created_at AND e.id < o.id))
) ORDER BY o.due_at, o.id LIMIT ?`;

interface DueRow {
  readonly id: string;
  readonly name: string;
  readonly account_id: string;
  readonly operation_id: string;
  readonly due_at: number;
}

export class SqlOperationReader implements OperationReader {
  constructor(private readonly database: Queries) {}

  async find(accountId: string, id: string): Promise<Operation | undefined> {
    const [row] = await this.database.query<OperationRow>('SELECT * FROM operations WHERE id = ? AND account_id = ?', [
      id,
      accountId,
    ]);
    return row && toOperation(row);
  }

  async page(
    { accountId, domainId }: WantedDomain,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly OperationState[]> {
    const place = after ? ' AND created_at <= ? AND (created_at < ? OR id < ?)' : '';
    const parameters = after ? [after.createdAt.getTime(), after.createdAt.getTime(), after.id] : [];
    const sql = `SELECT * FROM operations WHERE domain_id = ? AND +account_id = ?${place} ORDER BY created_at DESC, id DESC LIMIT ?`;
    return (await this.database.query<OperationRow>(sql, [domainId, accountId, ...parameters, limit])).map(
      toOperationState,
    );
  }

  async pageOfAccount(
    accountId: string,
    { names, tags }: { readonly names?: readonly string[] | undefined; readonly tags?: readonly string[] | undefined },
    limit: number,
    after?: ListPosition,
  ): Promise<readonly OperationState[]> {
    const place = after ? ' AND created_at <= ? AND (created_at < ? OR id < ?)' : '';
    const parameters = after ? [after.createdAt.getTime(), after.createdAt.getTime(), after.id] : [];
    const named = names
      ? ` AND domain_id IN (SELECT id FROM domains WHERE account_id = ? AND name IN (${placeholders(names)}))`
      : '';
    const tagged = withTags(accountId, tags, 'domain_id');
    const index = names || tags ? '' : forceIndex('operations_of_account_in_order');
    const sql = `SELECT * FROM operations${index} WHERE account_id = ?${place}${named}${tagged.sql} ORDER BY created_at DESC, id DESC LIMIT ?`;
    const rows = await this.database.query<OperationRow>(sql, [
      accountId,
      ...parameters,
      ...(names ? [accountId, ...names] : []),
      ...tagged.parameters,
      limit,
    ]);
    return rows.map(toOperationState);
  }

  async finishedAmong(ids: readonly string[]): Promise<readonly Operation[]> {
    const sql = `SELECT * FROM operations WHERE id IN (${ids.map(() => '?').join(', ')}) AND finished_at IS NOT NULL`;
    return ids.length === 0 ? [] : (await this.database.query<OperationRow>(sql, ids)).map(toOperation);
  }

  async ownedAmong(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return ownedAmong(this.database, 'operations', accountId, ids);
  }

  async domainsWithWork(
    now: Date,
    limit: number,
    after?: DueOperation,
  ): Promise<readonly (OwnedDomain & DueOperation)[]> {
    const from = after?.dueAt.getTime() ?? 0;
    const parameters = [now.getTime(), from, from, after?.operationId ?? '', limit];
    const rows = await this.database.query<DueRow>(DOMAINS_WITH_WORK, parameters);
    return rows.map(({ id, name, account_id: accountId, operation_id: operationId, due_at: dueAt }) => ({
      id,
      name,
      accountId,
      operationId,
      dueAt: fromMillis(dueAt),
    }));
  }
}

export class SqlOperationRepository implements OperationRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly lifecycleClock: LifecycleClock,
  ) {}

  async find(id: string): Promise<Operation | undefined> {
    const [row] = await this.manager.query<OperationRow[]>('SELECT * FROM operations WHERE id = ?', [id]);
    return row && toOperation(row);
  }

  async unfinished(domainId: string): Promise<readonly Operation[]> {
    const sql = 'SELECT * FROM operations WHERE domain_id = ? AND finished_at IS NULL ORDER BY created_at, id';
    return (await this.manager.query<OperationRow[]>(sql, [domainId])).map(toOperation);
  }

  async add(operation: Operation): Promise<void> {
    try {
      const traceParent = currentTraceParent();
      const state = { ...operation.toState(), ...(traceParent !== undefined && { traceParent }) };
      await this.manager.insert(OperationTable, toRow(state, this.lifecycleClock.now()));
    } catch (error) {
      if (isDuplicate(error)) throw new OperationInProgress(`${operation.id} is under way`);
      throw error;
    }
  }

  async save(operation: Operation): Promise<void> {
    const { id, retained_from, ...row } = toRow(operation.toState(), this.lifecycleClock.now());
    await this.manager.update(OperationTable, { id }, row.finished_at === null ? row : { ...row, retained_from });
  }

  async extendLeases(ids: readonly string[], owner: string, until: Date): Promise<void> {
    const sql = `UPDATE operations SET lease_until = ?, due_at = ? WHERE id IN (${ids.map(() => '?').join(', ')}) AND lease_owner = ? AND finished_at IS NULL`;
    if (ids.length > 0) await this.manager.query(sql, [until.getTime(), until.getTime(), ...ids, owner]);
  }

  async endLeases(until: Date, now: Date): Promise<void> {
    const sql =
      "UPDATE operations SET lease_until = ?, due_at = ? WHERE due_at > ? AND lease_until <= ? AND status = 'running'";
    await this.manager.query(sql, [now.getTime(), now.getTime(), now.getTime(), until.getTime()]);
  }

  async eraseHandover(id: string): Promise<void> {
    await this.manager.update(OperationTable, { id }, { handover: null, handover_until: null });
  }
}
