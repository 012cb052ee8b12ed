import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the records of a name were first changed past its desired state. Older versions list fewer of these names. */
export class DriftedStates1796023200000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'DriftedStates1796023200000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('desired_states', 'drifted_at')))
      await runner.query('ALTER TABLE desired_states ADD COLUMN drifted_at BIGINT NULL');
    await runner.query('CREATE INDEX desired_states_by_drift ON desired_states (account_id, drifted_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const onTable = runner.dataSource.options.type === 'mysql' ? ' ON desired_states' : '';
    await runner.query(`DROP INDEX desired_states_by_drift${onTable}`);
    await runner.query('ALTER TABLE desired_states DROP COLUMN drifted_at');
  }
}
