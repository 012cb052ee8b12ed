import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the response to a command was lost: the registry's reads may lag behind it. */
export class LostCommands1795843000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'LostCommands1795843000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['operations', 'transfers'])
      await runner.query(`ALTER TABLE ${table} ADD COLUMN lost_at BIGINT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['operations', 'transfers']) await runner.query(`ALTER TABLE ${table} DROP COLUMN lost_at`);
  }
}
