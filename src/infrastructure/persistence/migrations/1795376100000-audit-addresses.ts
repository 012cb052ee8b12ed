import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From which address a change was requested. */
export class AuditAddresses1795376100000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'AuditAddresses1795376100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_log ADD COLUMN client_address VARCHAR(64) NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_log DROP COLUMN client_address');
  }
}
