import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumn } from '../table-options';

/** Whether the people and keys of an account move the sandbox's clock and order its faults. */
export class SandboxControl1764040000002 implements MigrationInterface {
  readonly name = 'SandboxControl1764040000002';

  async up(runner: QueryRunner): Promise<void> {
    await addColumn(runner, 'accounts', 'controls_sandbox', 'INTEGER NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN controls_sandbox');
  }
}
