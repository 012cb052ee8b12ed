import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In which of their accounts a person was last. */
export class AccountLastUsed1795400100000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'AccountLastUsed1795400100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN entered_at BIGINT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN entered_at');
  }
}
