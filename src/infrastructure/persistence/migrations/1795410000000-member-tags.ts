import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tags to which a member's role is limited. Existing members have all domains. */
export class MemberTags1795410000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'MemberTags1795410000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN member_tags TEXT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN member_tags');
  }
}
