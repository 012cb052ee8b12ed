import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Entries outlive domains and keys, so nothing refers to those. Operations remember who asked, to tell when it comes true. */
export class AuditLog1763605000000 implements MigrationInterface {
  readonly name = 'AuditLog1763605000000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(`CREATE TABLE audit_log (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      happened_at BIGINT NOT NULL,
      actor VARCHAR(60) NOT NULL,
      action VARCHAR(40) NOT NULL,
      domain_id VARCHAR(40) NULL,
      domain_name VARCHAR(253) NULL,
      subject VARCHAR(254) NULL,
      facts_before TEXT NOT NULL,
      facts_after TEXT NOT NULL
    )${options}`);
    await runner.query('CREATE INDEX audit_log_by_account ON audit_log (account_id, happened_at, id)');
    await runner.query('CREATE INDEX audit_log_by_domain ON audit_log (domain_id, happened_at, id)');
    await runner.query("ALTER TABLE operations ADD COLUMN actor VARCHAR(60) NOT NULL DEFAULT 'service'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operations DROP COLUMN actor');
    await runner.query('DROP TABLE audit_log');
  }
}
