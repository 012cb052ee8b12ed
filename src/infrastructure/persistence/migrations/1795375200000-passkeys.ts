import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Passkeys, and the challenges that were used. */
export class Passkeys1795375200000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Passkeys1795375200000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(`CREATE TABLE passkeys (
      digest VARCHAR(64) NOT NULL PRIMARY KEY,
      user_id VARCHAR(40) NOT NULL,
      credential_id TEXT NOT NULL,
      name VARCHAR(100) NOT NULL,
      public_key TEXT NOT NULL,
      counter BIGINT NOT NULL,
      transports VARCHAR(100) NOT NULL,
      created_at BIGINT NOT NULL,
      last_used_at BIGINT NULL
    )${options}`);
    await runner.query('CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at)');
    await runner.query(`CREATE TABLE used_challenges (
      digest VARCHAR(64) NOT NULL PRIMARY KEY,
      expires_at BIGINT NOT NULL
    )${options}`);
    await runner.query('CREATE INDEX used_challenges_by_expiry ON used_challenges (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE used_challenges');
    await runner.query('DROP TABLE passkeys');
  }
}
