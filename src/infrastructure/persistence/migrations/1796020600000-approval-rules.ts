import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which changes of an account need a second person. */
export class ApprovalRules1796020600000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'ApprovalRules1796020600000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('accounts', 'approval_rules')))
      await runner.query('ALTER TABLE accounts ADD COLUMN approval_rules TEXT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN approval_rules');
  }
}
