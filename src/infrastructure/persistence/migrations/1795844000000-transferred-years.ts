import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The expiry before a transfer, and what the transfer added to it. */
export class TransferredYears1795844000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'TransferredYears1795844000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE transfers ADD COLUMN former_expiry BIGINT NULL');
    await runner.query('ALTER TABLE transfers ADD COLUMN added_years INTEGER NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['former_expiry', 'added_years'])
      await runner.query(`ALTER TABLE transfers DROP COLUMN ${column}`);
  }
}
