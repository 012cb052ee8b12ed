import { UNUSED_AT } from '../access/sql-access-repositories';
import type { EntityManager } from 'typeorm';
import type { AgingKind, ExpiredRows, Removal } from '../../../application/ports/storage/expired-rows';
import type { Database } from '../database/database';
import { deleteSome } from './delete-some';
import { erasePersonalData, removeEndedDomains } from './ended-domains';
import { endPublications } from './end-publications';
import { removeEvents } from './remove-events';
import { HistorySweep } from './history-sweep';

/** The rows of a table whose `column` is at most the cutoff, found by an index on it. */
interface AgingRows {
  readonly table: string;
  readonly column: string;
  readonly condition?: string;
}

/** Finished jobs, found by an index that begins with `finished_at`, and the rows that belong to them. */
interface FinishedJobs {
  readonly table: string;
  readonly parts: string;
  readonly reference: string;
  readonly orderBy: string;
}

const JOBS: Readonly<Record<'bulk jobs' | 'imports' | 'removed webhooks', FinishedJobs>> = {
  'bulk jobs': { table: 'bulk_jobs', parts: 'bulk_items', reference: 'job_id', orderBy: 'job_id, domain_id' },
  imports: { table: 'imports', parts: 'import_names', reference: 'import_id', orderBy: 'import_id, name' },
  'removed webhooks': {
    table: 'webhooks',
    parts: 'webhook_deliveries',
    reference: 'webhook_id',
    orderBy: 'webhook_id, created_at, id',
  },
};
const JOBS_IN_A_BATCH = 5;

type OtherKind =
  | 'events'
  | 'handovers'
  | 'personal data'
  | 'ended domains'
  | 'expired API keys'
  | 'unread publications'
  | keyof typeof JOBS;

const AGING: Readonly<Record<Exclude<AgingKind, OtherKind>, AgingRows>> = {
  'stored responses': { table: 'idempotency_records', column: 'expires_at' },
  'sessions by age': { table: 'sessions', column: 'created_at' },
  'sessions by last use': { table: 'sessions', column: 'last_seen_at' },
  operations: { table: 'operations', column: 'retained_from', condition: 'finished_at IS NOT NULL' },
  transfers: { table: 'transfers', column: 'finished_at' },
  'audit entries': { table: 'audit_log', column: 'retained_from' },
  'API keys': { table: 'api_keys', column: 'revoked_at' },
  'keys of jobs': { table: 'api_keys', column: 'expires_at', condition: 'trust_rule_id IS NOT NULL' },
  'spending of keys': { table: 'key_spending', column: 'ordered_at' },
  'signature changes': { table: 'derived_changes', column: 'happened_at' },
  proposals: { table: 'proposals', column: 'expires_at' },
  'account moves': { table: 'account_moves', column: 'expires_at' },
  'daily usage': { table: 'daily_usage', column: 'used_on' },
  'catalog history': { table: 'catalog_changes', column: 'happened_at' },
  'used challenges': { table: 'used_challenges', column: 'expires_at' },
  mails: { table: 'mails', column: 'ended_at' },
  'webhook deliveries': { table: 'webhook_deliveries', column: 'finished_at' },
  'unprocessed messages': { table: 'dead_letters', column: 'received_at' },
};

export class SqlExpiredRows implements ExpiredRows {
  private readonly history: HistorySweep;

  constructor(private readonly database: Database) {
    this.history = new HistorySweep(database);
  }

  async remove(kind: AgingKind, before: Date, limit: number): Promise<Removal> {
    if (kind === 'handovers')
      return this.database.transaction((manager) => this.eraseHandovers(manager, before, limit));
    if (kind === 'personal data')
      return this.database.transaction((manager) => erasePersonalData(manager, this.database, before, limit));
    if (kind === 'ended domains')
      return this.database.transaction((manager) => removeEndedDomains(manager, this.database, before, limit));
    if (kind === 'events') return removeEvents(this.database, before, limit);
    if (kind === 'bulk jobs' || kind === 'imports' || kind === 'removed webhooks')
      return this.database.transaction((manager) => this.removeJobs(manager, JOBS[kind], before, limit));
    if (kind === 'unread publications') return endPublications(this.database, before, limit);
    if (kind === 'expired API keys') return this.removeExpiredKeys(before, limit);
    const { table, column, condition = '1 = 1' } = AGING[kind];
    const removed = await this.database.transaction((manager) =>
      deleteSome(manager, {
        table,
        where: `${column} <= ? AND ${condition}`,
        parameters: [before.getTime()],
        orderBy: column,
        limit,
      }),
    );
    return { removed, more: removed === limit };
  }

  removeZoneHistory(before: Date, versions: number, limit: number): Promise<Removal> {
    return this.history.removeSome(before, versions, limit);
  }

  /** A job goes after its parts. */
  private async removeJobs(
    manager: EntityManager,
    { table, parts, reference, orderBy }: FinishedJobs,
    before: Date,
    limit: number,
  ): Promise<Removal> {
    const jobs = await manager.query<{ id: string }[]>(
      `SELECT id FROM ${table} WHERE finished_at <= ? ORDER BY finished_at LIMIT ?${this.database.forUpdate}${this.database.skipLocked}`,
      [before.getTime(), JOBS_IN_A_BATCH],
    );
    if (jobs.length === 0) return { removed: 0, more: false };
    const ids = jobs.map(({ id }) => id);
    const places = ids.map(() => '?').join(', ');
    const most = limit - ids.length;
    const removed = await deleteSome(manager, {
      table: parts,
      where: `${reference} IN (${places})`,
      parameters: ids,
      orderBy,
      limit: most,
    });
    if (removed === most) return { removed, more: true };
    await manager.query(`DELETE FROM ${table} WHERE id IN (${places})`, ids);
    return { removed: removed + ids.length, more: ids.length === JOBS_IN_A_BATCH };
  }

  /** No index has the expiry, so the keys are found without locks. */
  private async removeExpiredKeys(before: Date, limit: number): Promise<Removal> {
    const expired = await this.database.query<{ key_id: string }>(
      `SELECT key_id FROM api_keys WHERE revoked_at IS NULL AND (expires_at <= ? OR ${UNUSED_AT} <= ?) LIMIT ?`,
      [before.getTime(), before.getTime(), limit],
    );
    const ids = expired.map(({ key_id }) => key_id);
    if (ids.length > 0)
      await this.database.transaction((manager) =>
        manager.query(`DELETE FROM api_keys WHERE key_id IN (${ids.map(() => '?').join(', ')})`, ids),
      );
    return { removed: ids.length, more: ids.length === limit };
  }

  private async eraseHandovers(manager: EntityManager, before: Date, limit: number): Promise<Removal> {
    const due = await manager.query<{ id: string }[]>(
      `SELECT id FROM operations WHERE handover_until <= ? ORDER BY handover_until LIMIT ?${this.database.forUpdate}${this.database.skipLocked}`,
      [before.getTime(), limit],
    );
    if (due.length > 0)
      await manager.query(
        `UPDATE operations SET handover = NULL, handover_until = NULL WHERE id IN (${due.map(() => '?').join(', ')})`,
        due.map(({ id }) => id),
      );
    return { removed: due.length, more: due.length === limit };
  }
}
