import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which span requested an operation, so that the process that runs it continues the trace. */
export class OperationTraces1795383000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'OperationTraces1795383000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operations ADD COLUMN trace_parent VARCHAR(55) NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operations DROP COLUMN trace_parent');
  }
}
