import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What of an account's operations needs somebody is looked for on every visit of the overview. */
export class OperationsOfAccount1763611000000 implements MigrationInterface {
  readonly name = 'OperationsOfAccount1763611000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX operations_of_account ON operations (account_id, status, finished_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      runner.dataSource.options.type === 'mysql'
        ? 'DROP INDEX operations_of_account ON operations'
        : 'DROP INDEX operations_of_account',
    );
  }
}
