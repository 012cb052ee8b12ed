import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Roles below owner. An existing member becomes a manager, who may do the same. */
export class MemberRoles1795375000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'MemberRoles1795375000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN member_role VARCHAR(16) NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN member_role');
  }
}
