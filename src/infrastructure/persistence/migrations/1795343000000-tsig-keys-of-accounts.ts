import type { MigrationInterface, QueryRunner } from 'typeorm';

/** TSIG keys of accounts, which are API keys with a sealed secret and limits. */
export class TsigKeysOfAccounts1795343000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'TsigKeysOfAccounts1795343000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD COLUMN sealed_tsig_secret VARCHAR(255) NULL');
    await runner.query('ALTER TABLE api_keys ADD COLUMN limits TEXT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN limits');
    await runner.query('ALTER TABLE api_keys DROP COLUMN sealed_tsig_secret');
  }
}
