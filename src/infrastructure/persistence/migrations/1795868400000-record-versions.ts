import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The version of the zone in which a record was last changed. Null for records that older versions of the service wrote. */
export class RecordVersions1795868400000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'RecordVersions1795868400000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('dns_records', 'version')))
      await runner.query('ALTER TABLE dns_records ADD COLUMN version BIGINT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('dns_records', 'version'))
      await runner.query('ALTER TABLE dns_records DROP COLUMN version');
  }
}
