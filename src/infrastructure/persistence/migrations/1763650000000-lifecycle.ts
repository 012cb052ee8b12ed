import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When each domain is to be looked at next, and what that depends on. Domains that exist are looked at a month before they expire. */
export class Lifecycle1763650000000 implements MigrationInterface {
  readonly name = 'Lifecycle1763650000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE domains ADD COLUMN ${column} BIGINT NULL`);
    await runner.query("UPDATE domains SET due_at = expires_at - 2592000000 WHERE status IN ('active', 'expired')");
    await runner.query('CREATE INDEX domains_by_due ON domains (due_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX domains_by_due${runner.dataSource.options.type === 'mysql' ? ' ON domains' : ''}`);
    for (const column of COLUMNS) await runner.query(`ALTER TABLE domains DROP COLUMN ${column}`);
  }
}

const COLUMNS = ['phase_ends_at', 'renewal_tried_at', 'auth_code_until', 'due_at'];
