import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropIndex } from '../table-options';

/** Each list and each of its filters has an index in its order, so that no page depends on how far down it is. */
export class ListIndexes1764080001000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'ListIndexes1764080001000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [index, table, columns] of INDEXES) await runner.query(`CREATE INDEX ${index} ON ${table} (${columns})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [index, table] of INDEXES) await dropIndex(runner, index, table);
  }
}

const INDEXES = [
  ['domains_by_status_and_creation', 'domains', 'account_id, status, created_at, id'],
  /** Has all that the overview counts. */
  ['domains_counted', 'domains', 'account_id, status, expires_at, auto_renew'],
  ['audit_log_by_name', 'audit_log', 'account_id, domain_name, happened_at, id'],
  ['audit_log_by_action', 'audit_log', 'account_id, action, happened_at, id'],
  ['audit_log_by_actor', 'audit_log', 'account_id, actor, happened_at, id'],
] as const;
