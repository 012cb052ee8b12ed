import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { DatabaseContent } from '../../persistence/data-source';
import { tableOptions } from '../../persistence/table-options';

/** The simulated registry's own tables. On MySQL they live beside ours, behind a connection of their own. */
class RegistrySchema1763600000001 implements MigrationInterface {
  readonly name = 'RegistrySchema1763600000001';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(`CREATE TABLE simreg_domains (
      name VARCHAR(253) NOT NULL PRIMARY KEY,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      transfer_locked SMALLINT NOT NULL,
      nameservers TEXT NOT NULL,
      registrant TEXT NOT NULL,
      auth_code_digest CHAR(64) NULL,
      auth_code_expires_at BIGINT NULL
    )${options}`);
    await runner.query(`CREATE TABLE simreg_ledger (
      transaction_id VARCHAR(64) NOT NULL PRIMARY KEY,
      charged_at BIGINT NOT NULL,
      kind VARCHAR(12) NOT NULL,
      name VARCHAR(253) NOT NULL,
      years INTEGER NOT NULL,
      amount BIGINT NOT NULL,
      currency CHAR(3) NOT NULL
    )${options}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE simreg_ledger');
    await runner.query('DROP TABLE simreg_domains');
  }
}

export const REGISTRY_CONTENT: DatabaseContent = { migrations: [RegistrySchema1763600000001], migrationsTableName: 'simreg_migrations' };
