import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of the last NOTIFY to the parent of a signed zone (RFC 9859). */
export class ParentNotices1796000600000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'ParentNotices1796000600000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('zone_signing', 'notice')))
      await runner.query('ALTER TABLE zone_signing ADD COLUMN notice TEXT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('zone_signing', 'notice'))
      await runner.query('ALTER TABLE zone_signing DROP COLUMN notice');
  }
}
