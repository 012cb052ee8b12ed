import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Differences between registries and the service. */
export class Reconciliations1795346400000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Reconciliations1795346400000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(`CREATE TABLE reconciliations (
      registry VARCHAR(100) NOT NULL PRIMARY KEY,
      finished_at BIGINT NOT NULL,
      compared INTEGER NOT NULL,
      listed SMALLINT NOT NULL,
      differences INTEGER NOT NULL
    )${options}`);
    await runner.query(`CREATE TABLE registry_differences (
      registry VARCHAR(100) NOT NULL,
      name VARCHAR(253) NOT NULL,
      kind VARCHAR(20) NOT NULL,
      account_id VARCHAR(40) NULL,
      domain_id VARCHAR(40) NULL,
      ours TEXT NOT NULL,
      theirs TEXT NOT NULL,
      PRIMARY KEY (registry, name, kind)
    )${options}`);
    await runner.query('CREATE INDEX differences_of_account ON registry_differences (account_id, name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE registry_differences');
    await runner.query('DROP TABLE reconciliations');
  }
}
