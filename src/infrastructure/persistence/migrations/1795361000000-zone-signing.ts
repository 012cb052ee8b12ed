import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foreignKey, tableOptions } from '../table-options';

/** What is done, and what is waited for, to sign or unsign a zone. */
export class ZoneSigning1795361000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'ZoneSigning1795361000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE zone_signing (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      step VARCHAR(20) NOT NULL,
      denial VARCHAR(5) NOT NULL,
      step_since BIGINT NOT NULL,
      state_since BIGINT NOT NULL,
      due_at BIGINT NOT NULL,
      serial BIGINT NULL,
      cached_seconds INTEGER NOT NULL,
      wait_until BIGINT NULL,
      operation_id VARCHAR(40) NULL,
      signers TEXT NULL,
      key_id VARCHAR(40) NULL,
      new_key_id VARCHAR(40) NULL,
      key_since BIGINT NULL,
      problem_reason TEXT NULL,
      problem_remedy TEXT NULL,
      ${foreignKey(runner, 'zone_signing', 'domain_id', 'domains (id)')}
    )${await tableOptions(runner)}`);
    await runner.query('CREATE INDEX zone_signing_due ON zone_signing (due_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE zone_signing');
  }
}
