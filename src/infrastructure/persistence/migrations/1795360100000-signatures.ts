import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foreignKey, tableOptions } from '../table-options';

/** Keys, signatures and denial of existence of signed zones. */
export class Signatures1795360100000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Signatures1795360100000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query('ALTER TABLE zones ADD COLUMN denial VARCHAR(5) NULL');
    await runner.query('ALTER TABLE zones ADD COLUMN cds VARCHAR(6) NULL');
    await runner.query(`CREATE TABLE zone_keys (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      domain_id VARCHAR(40) NOT NULL,
      algorithm INTEGER NOT NULL,
      key_tag INTEGER NOT NULL,
      public_key VARCHAR(700) NOT NULL,
      sealed_private_key TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      retired_at BIGINT NULL,
      ${foreignKey(runner, 'zone_keys', 'domain_id', 'zones (domain_id)')}
    )${options}`);
    await runner.query('CREATE INDEX zone_keys_of_zone ON zone_keys (domain_id, created_at, id)');
    await runner.query(`CREATE TABLE derived_rrsets (
      domain_id VARCHAR(40) NOT NULL,
      name VARCHAR(253) NOT NULL,
      type INTEGER NOT NULL,
      ttl INTEGER NOT NULL,
      rdata ${mediumText(runner)} NULL,
      signatures TEXT NOT NULL,
      digest VARCHAR(43) NOT NULL,
      refresh_at BIGINT NOT NULL,
      chain_key VARCHAR(253) NULL,
      tree_key VARCHAR(253) NULL,
      PRIMARY KEY (domain_id, name, type),
      ${foreignKey(runner, 'derived_rrsets', 'domain_id', 'zones (domain_id)')}
    )${options}`);
    await runner.query('CREATE INDEX derived_rrsets_in_chain ON derived_rrsets (domain_id, type, chain_key)');
    await runner.query('CREATE INDEX derived_rrsets_in_tree ON derived_rrsets (domain_id, tree_key)');
    await runner.query('CREATE INDEX derived_rrsets_to_refresh ON derived_rrsets (refresh_at, domain_id)');
    await runner.query(`CREATE TABLE derived_changes (
      domain_id VARCHAR(40) NOT NULL,
      serial BIGINT NOT NULL,
      part INTEGER NOT NULL,
      happened_at BIGINT NOT NULL,
      rrsets ${longText(runner)} NOT NULL,
      PRIMARY KEY (domain_id, serial, part),
      ${foreignKey(runner, 'derived_changes', 'domain_id', 'zones (domain_id)')}
    )${options}`);
    await runner.query('CREATE INDEX derived_changes_by_age ON derived_changes (happened_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['derived_changes', 'derived_rrsets', 'zone_keys']) await runner.query(`DROP TABLE ${table}`);
    for (const column of ['cds', 'denial']) await runner.query(`ALTER TABLE zones DROP COLUMN ${column}`);
  }
}

function mediumText(runner: QueryRunner): string {
  return runner.dataSource.options.type === 'mysql' ? 'MEDIUMTEXT' : 'TEXT';
}

function longText(runner: QueryRunner): string {
  return runner.dataSource.options.type === 'mysql' ? 'LONGTEXT' : 'TEXT';
}
