import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropIndex } from '../table-options';

/**
 * What the clean-up of expired rows searches by. `retained_from` is in the time in which domains live, which the sandbox
 * moves; rows that exist already count from this migration on, so that no large table is rewritten.
 */
export class Retention1764080000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Retention1764080000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['operations', 'audit_log']) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN retained_from BIGINT NOT NULL DEFAULT ${Date.now()}`);
      await runner.query(`CREATE INDEX ${table}_by_retention ON ${table} (retained_from)`);
    }
    await runner.query('ALTER TABLE domains ADD COLUMN ended_at BIGINT NULL');
    await runner.query('ALTER TABLE domains ADD COLUMN registrant_erased SMALLINT NOT NULL DEFAULT 0');
    await runner.query("UPDATE domains SET ended_at = updated_at WHERE status IN ('transferred_out', 'gone')");
    for (const [index, table, columns] of INDEXES) await runner.query(`CREATE INDEX ${index} ON ${table} (${columns})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [index, table] of INDEXES) await dropIndex(runner, index, table);
    await runner.query('ALTER TABLE domains DROP COLUMN registrant_erased');
    await runner.query('ALTER TABLE domains DROP COLUMN ended_at');
    for (const table of ['operations', 'audit_log']) {
      await dropIndex(runner, `${table}_by_retention`, table);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN retained_from`);
    }
  }
}

const INDEXES = [
  ['domains_by_end', 'domains', 'registrant_erased, ended_at'],
  ['sessions_by_opening', 'sessions', 'created_at'],
  ['sessions_by_last_use', 'sessions', 'last_seen_at'],
  ['unheeded_messages_by_time', 'unheeded_messages', 'received_at'],
  ['api_keys_by_revocation', 'api_keys', 'revoked_at'],
] as const;
