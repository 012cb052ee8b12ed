import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People with users in several accounts, who share a password. Every person of today has one user and NULL in both columns. */
export class PeopleInSeveralAccounts1795381000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'PeopleInSeveralAccounts1795381000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN person_id VARCHAR(40) NULL');
    await runner.query('ALTER TABLE users ADD COLUMN linked_hash VARCHAR(72) NULL');
    await runner.query('CREATE INDEX users_by_person ON users (person_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const table = runner.dataSource.options.type === 'mysql' ? ' ON users' : '';
    await runner.query(`DROP INDEX users_by_person${table}`);
    await runner.query('ALTER TABLE users DROP COLUMN linked_hash');
    await runner.query('ALTER TABLE users DROP COLUMN person_id');
  }
}
