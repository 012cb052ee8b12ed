import type { MigrationInterface, QueryRunner } from 'typeorm';

/** That proposals have expired is stored from now on, and told. No one is told of those that expired before. */
export class UndecidedProposals1796025000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'UndecidedProposals1796025000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX proposals_by_status_and_end ON proposals (status, expires_at)');
    await runner.query(
      "UPDATE proposals SET status = 'expired' WHERE status IN ('open', 'accepting') AND expires_at <= ?",
      [Date.now()],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const onTable = runner.dataSource.options.type === 'mysql' ? ' ON proposals' : '';
    await runner.query(`DROP INDEX proposals_by_status_and_end${onTable}`);
  }
}
