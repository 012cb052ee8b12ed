import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Orders of API keys with a limit on spend. */
export class KeySpending1795357200000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'KeySpending1795357200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE key_spending (
      order_id VARCHAR(40) NOT NULL PRIMARY KEY,
      key_id VARCHAR(12) NOT NULL,
      ordered_at BIGINT NOT NULL,
      price_minor BIGINT NOT NULL,
      currency VARCHAR(3) NOT NULL
    )${await tableOptions(runner)}`);
    await runner.query('CREATE INDEX key_spending_by_key ON key_spending (key_id, ordered_at)');
    await runner.query('CREATE INDEX key_spending_by_time ON key_spending (ordered_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE key_spending');
  }
}
