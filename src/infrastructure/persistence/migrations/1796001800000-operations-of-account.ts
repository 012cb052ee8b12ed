import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the list of an account's operations. */
export class OperationsOfAccount1796001800000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'OperationsOfAccount1796001800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX operations_of_account_in_order ON operations (account_id, created_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const onTable = runner.dataSource.options.type === 'mysql' ? ' ON operations' : '';
    await runner.query(`DROP INDEX operations_of_account_in_order${onTable}`);
  }
}
