import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Authenticator apps and recovery codes. */
export class SecondFactors1795375100000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'SecondFactors1795375100000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(`CREATE TABLE totp_secrets (
      user_id VARCHAR(40) NOT NULL PRIMARY KEY,
      sealed_secret TEXT NOT NULL,
      last_step BIGINT NOT NULL,
      created_at BIGINT NOT NULL
    )${options}`);
    await runner.query(`CREATE TABLE recovery_codes (
      digest VARCHAR(64) NOT NULL PRIMARY KEY,
      user_id VARCHAR(40) NOT NULL
    )${options}`);
    await runner.query('CREATE INDEX recovery_codes_by_user ON recovery_codes (user_id)');
    await runner.query('ALTER TABLE sessions ADD COLUMN second_factor_at BIGINT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN second_factor_at');
    await runner.query('DROP TABLE recovery_codes');
    await runner.query('DROP TABLE totp_secrets');
  }
}
