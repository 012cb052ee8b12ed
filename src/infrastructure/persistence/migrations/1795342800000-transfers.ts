import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foreignKey, tableOptions } from '../table-options';

/** Transfers of names from other registrars. */
export class Transfers1795342800000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Transfers1795342800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE transfers (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      actor VARCHAR(60) NOT NULL,
      name VARCHAR(253) NOT NULL,
      open_name VARCHAR(253) NULL,
      years INTEGER NOT NULL,
      price_minor BIGINT NOT NULL,
      price_currency VARCHAR(3) NOT NULL,
      registrant TEXT NULL,
      auto_renew SMALLINT NOT NULL,
      status VARCHAR(12) NOT NULL,
      auth_code TEXT NULL,
      attempts INTEGER NOT NULL,
      transaction_id VARCHAR(64) NOT NULL,
      uncertain_since BIGINT NULL,
      cancel_requested_at BIGINT NULL,
      requested_at BIGINT NULL,
      ends_at BIGINT NULL,
      charged_minor BIGINT NULL,
      charged_currency VARCHAR(3) NULL,
      error_code VARCHAR(40) NULL,
      error_message TEXT NULL,
      domain_id VARCHAR(40) NULL,
      lease_owner VARCHAR(40) NULL,
      lease_until BIGINT NULL,
      next_attempt_at BIGINT NULL,
      due_at BIGINT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      finished_at BIGINT NULL,
      ${foreignKey(runner, 'transfers', 'account_id', 'accounts (id)')}
    )${await tableOptions(runner)}`);
    await runner.query('CREATE UNIQUE INDEX transfers_by_open_name ON transfers (open_name)');
    await runner.query('CREATE INDEX transfers_by_account ON transfers (account_id, created_at, id)');
    await runner.query('CREATE INDEX transfers_due ON transfers (due_at)');
    await runner.query('CREATE INDEX transfers_by_end ON transfers (finished_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE transfers');
  }
}
