import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Own actions of bulk items that are zone files. Versions that do not know them read a record template that does not exist. */
export class BulkZoneFiles1796100600000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'BulkZoneFiles1796100600000';

  /** TEXT of SQLite has no limit. */
  async up(runner: QueryRunner): Promise<void> {
    if (runner.dataSource.options.type === 'mysql')
      await runner.query('ALTER TABLE bulk_items MODIFY own_action MEDIUMTEXT NULL');
  }

  /** Without the items whose files do not fit: their zones stay as they are. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM bulk_items WHERE own_action LIKE \'%"zone_file"%\' AND LENGTH(own_action) > 65535');
    if (runner.dataSource.options.type === 'mysql')
      await runner.query('ALTER TABLE bulk_items MODIFY own_action TEXT NULL');
  }
}
