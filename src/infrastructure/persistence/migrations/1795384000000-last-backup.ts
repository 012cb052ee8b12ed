import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** When the database was last backed up, for monitoring. */
export class LastBackup1795384000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'LastBackup1795384000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE last_backup (
      id INTEGER NOT NULL PRIMARY KEY,
      succeeded_at BIGINT NOT NULL,
      bytes BIGINT NOT NULL
    )${await tableOptions(runner)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE last_backup');
  }
}
