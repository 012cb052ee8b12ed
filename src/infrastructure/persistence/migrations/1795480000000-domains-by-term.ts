import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the domains of all accounts that have a nameserver. */
export class DomainsByTerm1795480000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'DomainsByTerm1795480000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX domains_by_term ON domain_terms (term)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const table = runner.dataSource.options.type === 'mysql' ? ' ON domain_terms' : '';
    await runner.query(`DROP INDEX domains_by_term${table}`);
  }
}
