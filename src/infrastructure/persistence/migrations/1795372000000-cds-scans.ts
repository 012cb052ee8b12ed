import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foreignKey, tableOptions } from '../table-options';

/** What the last scan for CDS records found at the nameservers of a domain. */
export class CdsScans1795372000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'CdsScans1795372000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE cds_scans (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      outcome VARCHAR(12) NOT NULL,
      reason TEXT NULL,
      scanned_at BIGINT NOT NULL,
      due_at BIGINT NOT NULL,
      inception BIGINT NULL,
      waiting_signers TEXT NULL,
      waiting_since BIGINT NULL,
      ${foreignKey(runner, 'cds_scans', 'domain_id', 'domains (id)')}
    )${await tableOptions(runner)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE cds_scans');
  }
}
