import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the service keeps a PTR record for the address of a record. An older version that changes such a record forgets it. */
export class RecordPtr1795950000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'RecordPtr1795950000000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('dns_records', 'ptr')))
      await runner.query('ALTER TABLE dns_records ADD COLUMN ptr SMALLINT NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('dns_records', 'ptr')) await runner.query('ALTER TABLE dns_records DROP COLUMN ptr');
  }
}
