import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumn } from '../table-options';

/** When the person of a session last entered the password, and whether members may do what moves a name away. */
export class Reauthentication1764040000001 implements MigrationInterface {
  readonly name = 'Reauthentication1764040000001';

  async up(runner: QueryRunner): Promise<void> {
    await addColumn(runner, 'sessions', 'authenticated_at', 'BIGINT NULL');
    await addColumn(runner, 'accounts', 'members_may_transfer', 'INTEGER NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN members_may_transfer');
    await runner.query('ALTER TABLE sessions DROP COLUMN authenticated_at');
  }
}
