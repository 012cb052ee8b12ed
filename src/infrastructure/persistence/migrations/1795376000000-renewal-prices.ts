import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** What registries quoted for renewals, as shown to users. */
export class RenewalPrices1795376000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'RenewalPrices1795376000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE renewal_prices (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      price_minor BIGINT NULL,
      currency VARCHAR(3) NULL,
      checked_at BIGINT NOT NULL
    )${await tableOptions(runner)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE renewal_prices');
  }
}
