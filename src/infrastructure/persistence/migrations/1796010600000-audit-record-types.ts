import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the activity about records of a type. Entries of older versions have '*': their types are read from the entry. */
export class AuditRecordTypes1796010600000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'AuditRecordTypes1796010600000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('audit_log', 'record_type')))
      await runner.query("ALTER TABLE audit_log ADD COLUMN record_type VARCHAR(12) NOT NULL DEFAULT '*'");
    await runner.query('CREATE INDEX audit_log_by_record_type ON audit_log (account_id, record_type, happened_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const onTable = runner.dataSource.options.type === 'mysql' ? ' ON audit_log' : '';
    await runner.query(`DROP INDEX audit_log_by_record_type${onTable}`);
    await runner.query('ALTER TABLE audit_log DROP COLUMN record_type');
  }
}
