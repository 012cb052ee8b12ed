import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether only settings of a name were changed past its desired state. Older versions list none for its settings. */
export class DriftedSettings1796024400000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'DriftedSettings1796024400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE desired_states ADD COLUMN only_settings_drifted SMALLINT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE desired_states DROP COLUMN only_settings_drifted');
  }
}
