import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['transfer_requested_at', 'transfer_ends_at'];

/** The dates of a pending transfer to another registrar. */
export class TransfersOut1795347000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'TransfersOut1795347000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE domains ADD COLUMN ${column} BIGINT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS.toReversed()) await runner.query(`ALTER TABLE domains DROP COLUMN ${column}`);
  }
}
