import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Rules by which jobs get API keys for their tokens, and which keys they got. */
export class TrustRules1796014600000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'TrustRules1796014600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE trust_rules (
        id VARCHAR(40) NOT NULL PRIMARY KEY,
        account_id VARCHAR(40) NOT NULL,
        made_by VARCHAR(60) NOT NULL,
        name VARCHAR(100) NOT NULL,
        issuer VARCHAR(500) NOT NULL,
        audience VARCHAR(255) NOT NULL,
        claims TEXT NOT NULL,
        scope VARCHAR(8) NOT NULL,
        limits TEXT NULL,
        minutes INTEGER NOT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        last_used_at BIGINT NULL
      )${await tableOptions(runner)}`,
    );
    await runner.query('CREATE INDEX trust_rules_of_account ON trust_rules (account_id, created_at, id)');
    if (!(await runner.hasColumn('api_keys', 'trust_rule_id')))
      await runner.query('ALTER TABLE api_keys ADD COLUMN trust_rule_id VARCHAR(40) NULL');
    await runner.query('CREATE INDEX api_keys_of_trust_rule ON api_keys (trust_rule_id, expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const onTable = runner.dataSource.options.type === 'mysql' ? ' ON api_keys' : '';
    await runner.query(`DROP INDEX api_keys_of_trust_rule${onTable}`);
    await runner.query('ALTER TABLE api_keys DROP COLUMN trust_rule_id');
    await runner.query('DROP TABLE trust_rules');
  }
}
