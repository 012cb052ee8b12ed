import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far a person has seen the events of the account. NULL: never looked. */
export class SeenNotifications1796013000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'SeenNotifications1796013000000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('users', 'seen_position')))
      await runner.query('ALTER TABLE users ADD COLUMN seen_position BIGINT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('users', 'seen_position'))
      await runner.query('ALTER TABLE users DROP COLUMN seen_position');
  }
}
