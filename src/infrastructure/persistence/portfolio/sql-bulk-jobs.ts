import type { EntityManager } from 'typeorm';
import type {
  BulkCharge,
  BulkJobReader,
  BulkJobRepository,
} from '../../../application/ports/portfolio/portfolio-repositories';
import {
  MAX_BULK_DOMAINS,
  type BulkCounts,
  type BulkItem,
  type BulkJob,
  type BulkStep,
} from '../../../domain/portfolio/bulk-job';
import type { Queries } from '../database/database';
import { columnsOf, insertRows, rowOf, stateOf } from '../database/table';
import { unfinishedInTurns } from '../database/unfinished-in-turns';
import { BulkItemTable, BulkJobTable, type BulkItemRow, type BulkJobRow } from './portfolio-tables';

const COLUMNS = columnsOf(BulkJobTable);
const ITEM_COLUMNS = columnsOf(BulkItemTable, { except: ['job_id', 'undoable'] });
const ITEMS_PER_STATEMENT = 500;
const ITEMS_IN_STATE = `SELECT ${ITEM_COLUMNS} FROM bulk_items WHERE job_id = ? AND state = ? ORDER BY attempts, name LIMIT ?`;
const UNDOABLE = "SELECT 1 AS one FROM bulk_items WHERE job_id = ? AND state = 'done' AND undoable = 1 LIMIT 1";
const CHARGES = `SELECT charged_currency AS currency, SUM(charged_minor) AS minor, COUNT(*) AS domains
  FROM bulk_items JOIN operations ON operations.id = bulk_items.operation_id
  WHERE bulk_items.job_id = ? AND bulk_items.state = 'done' AND charged_minor IS NOT NULL
  GROUP BY charged_currency ORDER BY charged_currency`;

type StoredItemRow = Omit<BulkItemRow, 'job_id' | 'undoable'>;

export class SqlBulkJobRepository implements BulkJobRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async add(job: BulkJob, items: readonly BulkItem[]): Promise<void> {
    await insertRows(this.manager, BulkJobTable, [rowOf(BulkJobTable, job)]);
    for (const part of partsOf(items)) await this.insert(job.id, part);
  }

  async lock(id: string): Promise<BulkJob | undefined> {
    const sql = `SELECT ${COLUMNS} FROM bulk_jobs WHERE id = ?${this.forUpdate}`;
    return (await this.manager.query<BulkJobRow[]>(sql, [id])).map((row) => stateOf(BulkJobTable, row))[0];
  }

  async save(job: BulkJob): Promise<void> {
    const { id, ...row } = rowOf(BulkJobTable, job);
    await this.manager.update(BulkJobTable, { id }, row);
  }

  async startedSince(accountId: string, time: Date): Promise<{ jobs: number; domains: number }> {
    const started = 'SELECT total AS domains FROM bulk_jobs WHERE account_id = ? AND created_at > ?';
    const retried =
      "SELECT JSON_EXTRACT(facts_after, '$.domains') + 0 FROM audit_log WHERE account_id = ? AND action = 'bulk.retried' AND happened_at > ?";
    const [row] = await this.manager.query<{ jobs: number | string; domains: number | string }[]>(
      `SELECT COUNT(*) AS jobs, COALESCE(SUM(domains), 0) AS domains FROM (${started} UNION ALL ${retried}) AS begun`,
      [accountId, time.getTime(), accountId, time.getTime()],
    );
    return { jobs: Number(row?.jobs), domains: Number(row?.domains) };
  }

  async prepare(id: string, domainId: string, undo: BulkStep): Promise<void> {
    await this.manager.query(
      'UPDATE bulk_items SET undo_action = ?, undoable = 1 WHERE job_id = ? AND domain_id = ? AND undo_action IS NULL',
      [JSON.stringify(undo), id, domainId],
    );
  }

  async settle(id: string, item: BulkItem): Promise<boolean> {
    const sql = `SELECT undo_action FROM bulk_items WHERE job_id = ? AND domain_id = ? AND operation_id = ? AND state = 'waiting'${this.forUpdate}`;
    const [found] = await this.manager.query<Pick<BulkItemRow, 'undo_action'>[]>(sql, [
      id,
      item.domainId,
      item.operationId,
    ]);
    if (!found) return false;
    const { state, attempts, error, undo_action, sealed_auth_code } = rowOf(BulkItemTable, {
      ...item,
      ownAction: null,
    });
    const undo = undo_action ?? found.undo_action;
    const erased = item.ownAction === null ? 'own_action = NULL, ' : '';
    await this.manager.query(
      `UPDATE bulk_items SET ${erased}state = ?, attempts = ?, error = ?, undo_action = ?, undoable = ?, sealed_auth_code = ? WHERE job_id = ? AND domain_id = ?`,
      [state, attempts, error, undo, Number(undo !== null), sealed_auth_code, id, item.domainId],
    );
    return true;
  }

  async failed(id: string): Promise<readonly BulkItem[]> {
    return (await this.manager.query<StoredItemRow[]>(ITEMS_IN_STATE, [id, 'failed', MAX_BULK_DOMAINS])).map((row) =>
      stateOf(BulkItemTable, row),
    );
  }

  /** Each item gets another operation id, so one UPDATE cannot do it; one for each item took the only writer of SQLite for seconds. */
  async retry(id: string, items: readonly BulkItem[]): Promise<void> {
    for (const part of partsOf(items)) {
      const places = part.map(() => '?').join(', ');
      const sql = `DELETE FROM bulk_items WHERE job_id = ? AND domain_id IN (${places}) AND state = 'failed'`;
      await this.manager.query(sql, [id, ...part.map(({ domainId }) => domainId)]);
      await this.insert(id, part);
    }
  }

  async hasWaiting(id: string): Promise<boolean> {
    const sql = "SELECT 1 AS one FROM bulk_items WHERE job_id = ? AND state = 'waiting' LIMIT 1";
    return (await this.manager.query<unknown[]>(sql, [id])).length > 0;
  }

  async isUndoable(id: string): Promise<boolean> {
    return (await this.manager.query<unknown[]>(UNDOABLE, [id])).length > 0;
  }

  private async insert(id: string, items: readonly BulkItem[]): Promise<void> {
    const rows = items.map((item) => rowOf(BulkItemTable, item, { job_id: id, undoable: Number(item.undo !== null) }));
    await insertRows(this.manager, BulkItemTable, rows);
  }
}

export class SqlBulkJobReader implements BulkJobReader {
  constructor(private readonly database: Queries) {}

  async find(accountId: string, id: string): Promise<BulkJob | undefined> {
    const sql = `SELECT ${COLUMNS} FROM bulk_jobs WHERE id = ? AND account_id = ?`;
    return (await this.database.query<BulkJobRow>(sql, [id, accountId])).map((row) => stateOf(BulkJobTable, row))[0];
  }

  async latest(accountId: string, limit: number, actor?: string): Promise<readonly BulkJob[]> {
    const [ofActor, actors] = actor === undefined ? ['', []] : [' AND actor = ?', [actor]];
    const sql = `SELECT ${COLUMNS} FROM bulk_jobs WHERE account_id = ?${ofActor} ORDER BY created_at DESC, id DESC LIMIT ?`;
    return (await this.database.query<BulkJobRow>(sql, [accountId, ...actors, limit])).map((row) =>
      stateOf(BulkJobTable, row),
    );
  }

  async counts(id: string): Promise<BulkCounts> {
    const rows = await this.database.query<Pick<BulkItemRow, 'state'> & { readonly amount: number | string }>(
      'SELECT state, COUNT(*) AS amount FROM bulk_items WHERE job_id = ? GROUP BY state',
      [id],
    );
    const counts = { waiting: 0, done: 0, failed: 0 };
    for (const { state, amount } of rows) counts[state] = Number(amount);
    return counts;
  }

  async items(id: string, state: BulkItem['state'], limit: number): Promise<readonly BulkItem[]> {
    return (await this.database.query<StoredItemRow>(ITEMS_IN_STATE, [id, state, limit])).map((row) =>
      stateOf(BulkItemTable, row),
    );
  }

  async charges(id: string): Promise<readonly BulkCharge[]> {
    const rows = await this.database.query<{ currency: string; minor: number | string; domains: number | string }>(
      CHARGES,
      [id],
    );
    return rows.map(({ currency, minor, domains }) => ({
      total: { minor: Number(minor), currency },
      domains: Number(domains),
    }));
  }

  async isUndoable(id: string): Promise<boolean> {
    return (await this.database.query<unknown>(UNDOABLE, [id])).length > 0;
  }

  async unfinished(limit: number): Promise<readonly BulkJob[]> {
    const sql = unfinishedInTurns('bulk_jobs', COLUMNS, 'account_id');
    return (await this.database.query<BulkJobRow>(sql, [limit])).map((row) => stateOf(BulkJobTable, row));
  }
}

function partsOf(items: readonly BulkItem[]): readonly (readonly BulkItem[])[] {
  return Array.from({ length: Math.ceil(items.length / ITEMS_PER_STATEMENT) }, (_, part) =>
    items.slice(part * ITEMS_PER_STATEMENT, (part + 1) * ITEMS_PER_STATEMENT),
  );
}
