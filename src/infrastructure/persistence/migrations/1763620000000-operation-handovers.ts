import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an operation hands over to a request that waits in another process, since when it is in doubt, and a domain's operations in order. */
export class OperationHandovers1763620000000 implements MigrationInterface {
  readonly name = 'OperationHandovers1763620000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operations ADD COLUMN uncertain_since BIGINT NULL');
    await runner.query('ALTER TABLE operations ADD COLUMN handover TEXT NULL');
    await runner.query('ALTER TABLE operations ADD COLUMN handover_until BIGINT NULL');
    await runner.query('CREATE INDEX operations_to_erase ON operations (handover_until)');
    await runner.query('CREATE INDEX operations_in_order ON operations (domain_id, created_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const table = runner.dataSource.options.type === 'mysql' ? ' ON operations' : '';
    await runner.query(`DROP INDEX operations_in_order${table}`);
    await runner.query(`DROP INDEX operations_to_erase${table}`);
    for (const column of ['handover_until', 'handover', 'uncertain_since'])
      await runner.query(`ALTER TABLE operations DROP COLUMN ${column}`);
  }
}
