import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the records of a name are from its desired state. Older versions leave it as it is, which newer ones notice. */
export class DriftOfRecords1796026200000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'DriftOfRecords1796026200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE desired_states ADD COLUMN records_drift BIGINT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE desired_states DROP COLUMN records_drift');
  }
}
