import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foreignKey, tableOptions } from '../table-options';

/** The targets of ALIAS records and the addresses that zones have in their place. */
export class Aliases1795364000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Aliases1795364000000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(`CREATE TABLE aliases (
      domain_id VARCHAR(40) NOT NULL,
      name VARCHAR(253) NOT NULL,
      target VARCHAR(253) NOT NULL,
      addresses TEXT NOT NULL,
      due_at BIGINT NULL,
      PRIMARY KEY (domain_id, name),
      ${foreignKey(runner, 'aliases', 'domain_id', 'zones (domain_id)')}
    )${options}`);
    await runner.query('CREATE INDEX aliases_due ON aliases (due_at)');
    await runner.query('CREATE INDEX aliases_by_target ON aliases (target, domain_id, name)');
    await runner.query(`CREATE TABLE alias_targets (
      target VARCHAR(253) NOT NULL PRIMARY KEY,
      answers TEXT NOT NULL,
      error TEXT NULL,
      failing_since BIGINT NULL,
      failures INTEGER NOT NULL,
      checked_at BIGINT NULL,
      due_at BIGINT NOT NULL
    )${options}`);
    await runner.query('CREATE INDEX alias_targets_due ON alias_targets (due_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE alias_targets');
    await runner.query('DROP TABLE aliases');
  }
}
