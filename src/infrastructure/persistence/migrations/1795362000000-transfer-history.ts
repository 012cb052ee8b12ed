import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** What incremental zone transfers (RFC 1995) need of the past: the members of the catalog, and former delegations. */
export class TransferHistory1795362000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'TransferHistory1795362000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE catalog_changes (
      version BIGINT NOT NULL PRIMARY KEY,
      domain_id VARCHAR(40) NOT NULL,
      zone_name VARCHAR(253) NOT NULL,
      is_member SMALLINT NOT NULL,
      happened_at BIGINT NOT NULL
    )${await tableOptions(runner)}`);
    await runner.query('CREATE INDEX catalog_changes_by_time ON catalog_changes (happened_at)');
    await runner.query('ALTER TABLE zone_changes ADD COLUMN nameservers TEXT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE zone_changes DROP COLUMN nameservers');
    await runner.query('DROP TABLE catalog_changes');
  }
}
