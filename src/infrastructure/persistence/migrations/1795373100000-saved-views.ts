import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Filters of the domain list that accounts have given names. */
export class SavedViews1795373100000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'SavedViews1795373100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE saved_views (
      account_id VARCHAR(40) NOT NULL,
      name VARCHAR(40) NOT NULL,
      query TEXT NOT NULL,
      PRIMARY KEY (account_id, name)
    )${await tableOptions(runner)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE saved_views');
  }
}
