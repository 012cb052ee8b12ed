import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The RDATA of a record as a program wrote it. */
export class WrittenRdata1795852000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'WrittenRdata1795852000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dns_records ADD COLUMN written TEXT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dns_records DROP COLUMN written');
  }
}
