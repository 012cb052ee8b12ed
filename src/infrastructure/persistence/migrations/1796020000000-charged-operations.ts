import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What registries charged an account is summed up by time. */
export class ChargedOperations1796020000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'ChargedOperations1796020000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX operations_charged ON operations (account_id, retained_from, charged_minor, charged_currency, domain_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const onTable = runner.dataSource.options.type === 'mysql' ? ' ON operations' : '';
    await runner.query(`DROP INDEX operations_charged${onTable}`);
  }
}
