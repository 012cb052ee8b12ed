import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foreignKey, tableOptions } from '../table-options';

/** Imports of names that the account at a registry holds. */
export class Imports1795344600000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Imports1795344600000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(`CREATE TABLE imports (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      actor VARCHAR(60) NOT NULL,
      registry VARCHAR(100) NOT NULL,
      status VARCHAR(12) NOT NULL,
      page_cursor TEXT NULL,
      error TEXT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      finished_at BIGINT NULL,
      ${foreignKey(runner, 'imports', 'account_id', 'accounts (id)')}
    )${options}`);
    await runner.query('CREATE INDEX imports_of_account ON imports (account_id, created_at, id)');
    await runner.query('CREATE INDEX imports_to_do ON imports (finished_at, created_at, id)');
    await runner.query(`CREATE TABLE import_names (
      import_id VARCHAR(40) NOT NULL,
      name VARCHAR(253) NOT NULL,
      state VARCHAR(12) NOT NULL,
      attempts INTEGER NOT NULL,
      reason TEXT NULL,
      PRIMARY KEY (import_id, name),
      ${foreignKey(runner, 'import_names', 'import_id', 'imports (id)')}
    )${options}`);
    await runner.query('CREATE INDEX import_names_by_state ON import_names (import_id, state, attempts, name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE import_names');
    await runner.query('DROP TABLE imports');
  }
}
