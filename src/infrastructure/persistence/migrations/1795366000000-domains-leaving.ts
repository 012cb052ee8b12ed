import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the domains of an account that are being transferred to another registrar. */
export class DomainsLeaving1795366000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'DomainsLeaving1795366000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX domains_leaving ON domains (account_id, transfer_pending, transfer_ends_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const table = runner.dataSource.options.type === 'mysql' ? ' ON domains' : '';
    await runner.query(`DROP INDEX domains_leaving${table}`);
  }
}
