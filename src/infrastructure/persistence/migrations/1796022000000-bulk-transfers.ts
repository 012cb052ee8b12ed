import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Auth codes of transfers that a bulk job has still to request. */
export class BulkTransfers1796022000000 implements MigrationInterface {
  /** `bulk-step-column` says what earlier versions make of such jobs. */
  static readonly expandOnly = true;
  readonly name = 'BulkTransfers1796022000000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('bulk_items', 'sealed_auth_code')))
      await runner.query('ALTER TABLE bulk_items ADD COLUMN sealed_auth_code TEXT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE bulk_items DROP COLUMN sealed_auth_code');
  }
}
