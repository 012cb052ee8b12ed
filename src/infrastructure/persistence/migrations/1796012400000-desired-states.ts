import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** The desired state that was last applied to each name, and whose records of a zone it has. Older versions write no events of drift. */
export class DesiredStates1796012400000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'DesiredStates1796012400000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    if (!(await runner.hasTable('desired_states')))
      await runner.query(
        `CREATE TABLE desired_states (
          domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
          account_id VARCHAR(40) NOT NULL,
          name VARCHAR(253) NOT NULL,
          state ${runner.dataSource.options.type === 'mysql' ? 'MEDIUMTEXT' : 'TEXT'} NOT NULL,
          zone_version BIGINT NOT NULL,
          actor VARCHAR(60) NOT NULL,
          applied_at BIGINT NOT NULL
        )${options}`,
      );
    await runner.query('CREATE INDEX desired_states_by_name ON desired_states (account_id, name)');
    await runner.query('ALTER TABLE zones ADD COLUMN state_owner VARCHAR(64) NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE zones DROP COLUMN state_owner');
    await runner.query('DROP TABLE desired_states');
  }
}
