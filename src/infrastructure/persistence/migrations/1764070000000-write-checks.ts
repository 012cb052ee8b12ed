import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** What `/readyz` writes to learn that the database takes writes. */
export class WriteChecks1764070000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'WriteChecks1764070000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE write_checks (
      id INTEGER NOT NULL PRIMARY KEY,
      checked_at BIGINT NOT NULL,
      filler TEXT NOT NULL
    )${await tableOptions(runner)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE write_checks');
  }
}
