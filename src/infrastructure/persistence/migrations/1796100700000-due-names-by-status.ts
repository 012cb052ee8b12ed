import type { MigrationInterface, QueryRunner } from 'typeorm';

/** So that names with and without a registration are found without reading those of the other kind. Versions that do not know it sort. */
export class DueNamesByStatus1796100700000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'DueNamesByStatus1796100700000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX domains_by_status_and_due ON domains (status, due_at)');
    await runner.query(dropped(runner, 'domains_by_due'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX domains_by_due ON domains (due_at)');
    await runner.query(dropped(runner, 'domains_by_status_and_due'));
  }
}

function dropped(runner: QueryRunner, index: string): string {
  return runner.dataSource.options.type === 'mysql' ? `DROP INDEX ${index} ON domains` : `DROP INDEX ${index}`;
}
