import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the registry says that a domain was registered: known of those that it was asked about since. */
export class RegisteredAt1763662000000 implements MigrationInterface {
  readonly name = 'RegisteredAt1763662000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domains ADD COLUMN registered_at BIGINT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domains DROP COLUMN registered_at');
  }
}
