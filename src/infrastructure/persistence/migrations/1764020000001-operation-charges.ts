import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the registry charged for an operation, where its response said so. */
export class OperationCharges1764020000001 implements MigrationInterface {
  readonly name = 'OperationCharges1764020000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operations ADD COLUMN charged_minor BIGINT NULL');
    await runner.query('ALTER TABLE operations ADD COLUMN charged_currency VARCHAR(3) NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['charged_currency', 'charged_minor'])
      await runner.query(`ALTER TABLE operations DROP COLUMN ${column}`);
  }
}
