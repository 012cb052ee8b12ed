import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Templates of service providers, the operator's choice of providers, and what is connected to domains. */
export class DomainConnect1796021000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'DomainConnect1796021000000';

  async up(runner: QueryRunner): Promise<void> {
    const long = runner.dataSource.options.type === 'mysql' ? 'MEDIUMTEXT' : 'TEXT';
    const options = await tableOptions(runner);
    if (!(await runner.hasColumn('zones', 'connects')))
      await runner.query('ALTER TABLE zones ADD COLUMN connects SMALLINT NOT NULL DEFAULT 1');
    if (!(await runner.hasColumn('zones', 'discovery')))
      await runner.query('ALTER TABLE zones ADD COLUMN discovery VARCHAR(255) NULL');
    const hasTable = async (name: string): Promise<boolean> => runner.hasTable(name);
    if (!(await hasTable('connect_templates')))
      await runner.query(
        `CREATE TABLE connect_templates (
          provider_id VARCHAR(200) NOT NULL,
          service_id VARCHAR(200) NOT NULL,
          provider_name VARCHAR(255) NOT NULL,
          service_name VARCHAR(255) NOT NULL,
          is_signed SMALLINT NOT NULL,
          template_version BIGINT NULL,
          template ${long} NOT NULL,
          digest VARCHAR(64) NOT NULL,
          changed_at BIGINT NOT NULL,
          PRIMARY KEY (provider_id, service_id)
        )${options}`,
      );
    if (!(await hasTable('connect_providers')))
      await runner.query(
        `CREATE TABLE connect_providers (
          provider_id VARCHAR(200) NOT NULL PRIMARY KEY,
          is_on SMALLINT NOT NULL,
          changed_at BIGINT NOT NULL
        )${options}`,
      );
    if (!(await hasTable('connected_services'))) {
      await runner.query(
        `CREATE TABLE connected_services (
          id VARCHAR(40) NOT NULL PRIMARY KEY,
          account_id VARCHAR(40) NOT NULL,
          domain_id VARCHAR(40) NOT NULL,
          provider_id VARCHAR(200) NOT NULL,
          service_id VARCHAR(200) NOT NULL,
          provider_name VARCHAR(255) NOT NULL,
          service_name VARCHAR(255) NOT NULL,
          host VARCHAR(253) NOT NULL,
          group_ids TEXT NULL,
          records ${long} NOT NULL,
          spf ${long} NOT NULL,
          zone_version BIGINT NOT NULL,
          connected_by VARCHAR(60) NOT NULL,
          connected_at BIGINT NOT NULL
        )${options}`,
      );
      await runner.query(
        'CREATE INDEX connected_services_of_domain ON connected_services (domain_id, connected_at, id)',
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['discovery', 'connects'])
      if (await runner.hasColumn('zones', column)) await runner.query(`ALTER TABLE zones DROP COLUMN ${column}`);
    for (const table of ['connected_services', 'connect_providers', 'connect_templates'])
      await runner.query(`DROP TABLE IF EXISTS ${table}`);
  }
}
