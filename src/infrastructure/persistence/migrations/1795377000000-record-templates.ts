import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foreignKey, tableOptions } from '../table-options';

/** The record templates of accounts. */
export class RecordTemplates1795377000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'RecordTemplates1795377000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE record_templates (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      name VARCHAR(100) NOT NULL,
      description VARCHAR(500) NOT NULL,
      records TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      ${foreignKey(runner, 'record_templates', 'account_id', 'accounts (id)')}
    )${await tableOptions(runner)}`);
    await runner.query('CREATE INDEX record_templates_by_account ON record_templates (account_id, name, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE record_templates');
  }
}
