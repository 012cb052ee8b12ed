import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** What the search by part of a name, the overview and the daily ceilings of an account read instead of its domains. */
export class DomainSearchAndCounts1764100000000 implements MigrationInterface {
  readonly name = 'DomainSearchAndCounts1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    // Without its own row ids, SQLite stores each row once instead of twice.
    const keyOnly = options === '' ? ' WITHOUT ROWID' : options;
    await runner.query(`CREATE TABLE domain_name_grams (
      account_id VARCHAR(40) NOT NULL,
      gram VARCHAR(3) NOT NULL,
      name VARCHAR(253) NOT NULL,
      PRIMARY KEY (account_id, gram, name)
    )${keyOnly}`);
    await runner.query(`CREATE TABLE domain_counts (
      account_id VARCHAR(40) NOT NULL,
      status VARCHAR(20) NOT NULL,
      expires_on BIGINT NOT NULL,
      auto_renew SMALLINT NOT NULL,
      amount INTEGER NOT NULL,
      PRIMARY KEY (account_id, status, expires_on, auto_renew)
    )${keyOnly}`);
    await runner.query(`CREATE TABLE daily_usage (
      used_on BIGINT NOT NULL,
      account_id VARCHAR(40) NOT NULL,
      kind VARCHAR(20) NOT NULL,
      bytes BIGINT NOT NULL,
      PRIMARY KEY (used_on, account_id, kind)
    )${options}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['daily_usage', 'domain_counts', 'domain_name_grams'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
