import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** What the parents of zones without a registration say of them. */
export class ZoneDelegations1796005200000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'ZoneDelegations1796005200000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(
      `CREATE TABLE zone_delegations (
        domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
        account_id VARCHAR(40) NOT NULL,
        state VARCHAR(12) NOT NULL,
        nameservers TEXT NOT NULL,
        asked_at BIGINT NOT NULL
      )${options}`,
    );
    await runner.query('CREATE INDEX zone_delegations_by_state ON zone_delegations (account_id, state, domain_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE zone_delegations');
  }
}
