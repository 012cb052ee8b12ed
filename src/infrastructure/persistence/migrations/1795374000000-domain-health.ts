import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foreignKey, tableOptions } from '../table-options';

/** The last result of the health checks of each domain. */
export class DomainHealth1795374000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'DomainHealth1795374000000';

  async up(runner: QueryRunner): Promise<void> {
    const isMysql = runner.dataSource.options.type === 'mysql';
    await runner.query(`CREATE TABLE domain_health (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      state VARCHAR(12) NOT NULL,
      checked_at BIGINT NOT NULL,
      report ${isMysql ? 'MEDIUMTEXT' : 'TEXT'} NOT NULL,
      ${foreignKey(runner, 'domain_health', 'domain_id', 'domains (id)')}
    )${await tableOptions(runner)}`);
    await runner.query('CREATE INDEX domain_health_by_state ON domain_health (account_id, state, domain_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE domain_health');
  }
}
