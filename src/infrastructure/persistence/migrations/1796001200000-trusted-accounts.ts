import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts whose zones need no challenge: of the present ones, the first. */
export class TrustedAccounts1796001200000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'TrustedAccounts1796001200000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('accounts', 'is_trusted')))
      await runner.query('ALTER TABLE accounts ADD COLUMN is_trusted INTEGER NOT NULL DEFAULT 0');
    await runner.query(
      'UPDATE accounts SET is_trusted = 1 WHERE id = (SELECT id FROM (SELECT id FROM accounts ORDER BY created_at, id LIMIT 1) AS oldest)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('accounts', 'is_trusted'))
      await runner.query('ALTER TABLE accounts DROP COLUMN is_trusted');
  }
}
