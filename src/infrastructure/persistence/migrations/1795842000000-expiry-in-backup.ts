import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['backup_expires_at', 'repeats_until'];

/** What a restored backup knew of the expiry of domains, until the Idempotency-Keys of later orders are over. */
export class ExpiryInBackup1795842000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'ExpiryInBackup1795842000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE domains ADD COLUMN ${column} BIGINT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE domains DROP COLUMN ${column}`);
  }
}
